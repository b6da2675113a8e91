/** The frame around every page. */
export const shell = {
  skip: 'Skip to content',
  main: 'Main',
  operator: 'Operator',
  menu: 'Menu',
  search: 'Search, or paste a request id',
  searchKey: 'Ctrl K',
  person: 'Person',
  scheme: 'Appearance',
  schemes: { light: 'Light', dark: 'Dark', auto: 'As the system' },
  sessions: 'Sessions',
  shortcuts: 'Keyboard shortcuts',
  signOut: 'Sign out',
  pages: {
    overview: 'Overview', keys: 'Keys', usage: 'Usage', models: 'Models', playground: 'Playground', activity: 'Activity', account: 'Account',
    live: 'Live', accounts: 'Accounts', allUsage: 'All usage', upstreams: 'Upstreams', incidents: 'Incidents', blocklists: 'Blocklists', books: 'Books', audit: 'Audit', mail: 'Mail',
  },
  notFoundTitle: 'Not found',
  notFound: 'There is nothing at this address.',
  notFoundAction: 'Go to Overview',
  startFailed: 'The dashboard could not be started.',
  reload: 'Reload',
} as const;
