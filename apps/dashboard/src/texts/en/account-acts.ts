/** Keys that operators make for an account. */
export const accountKeys = {
  createTitle: (who: string) => `Create a key for ${who}`,
  createHelp: 'You see the key once, to hand it to the customer. The customer’s activity shows that an operator created it.',
  edit: 'Edit key',
  changed: (name: string) => `Key “${name}” is changed.`,
} as const;

/** The name of an account. */
export const renaming = {
  act: 'Change name',
  title: (who: string) => `Change the name of ${who}`,
  name: 'Name of the account',
  help: 'Its owner sees the name, and statements have it from now on.',
  changed: (name: string) => `The name is ${name} now.`,
} as const;
