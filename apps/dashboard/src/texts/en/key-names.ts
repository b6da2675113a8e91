/** The key under which the playground is charged. */
export const playgroundKey = {
  name: 'Playground',
  facts: 'About this key',
  help: 'Requests of the playground are charged under this key. It has no secret, so no program can use it, and it has no limit of its own: the account’s balance and limits apply.',
  id: 'Id',
  requests: 'Show requests',
  open: 'Open the playground',
  back: 'All keys',
} as const;
