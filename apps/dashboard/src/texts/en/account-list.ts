import { exactCount } from '../../format/count';

export const accounts = {
  title: 'Customers',
  create: 'Create customer',
  invite: 'Invite person',
  columns: { account: 'Customer', standing: 'Status', plan: 'Plan', available: 'Available', lastUsed: 'Last used (UTC)', since: 'Customer since' },
  neverUsed: 'Never',
  none: 'No customers yet.',
  noneHelp: 'Customers are created by sign-up, by invitation, or here.',
  noMatch: 'No customer matches.',
  noMatchHelp: 'Search by a part of a name, an address or an external id, by the whole id of an account, person or key, or by the last four characters of a key.',
  clearSearch: 'Show all customers',
  email: 'E-mail',
  name: 'Name',
  plan: 'Plan',
  usualPlan: 'pay-as-you-go',
  verified: 'The address is already verified',
  createHelp: 'The person who verifies this address owns the account.',
  inviteHelp: 'The person gets a link by mail to choose a password. Using the link verifies the address.',
  inviteFiles: 'No mail server is configured: the message is written to a file on the gateway’s machine.',
  invited: (email: string) => `The invitation to ${email} is on its way. Mail shows whether it is delivered.`,
  showMail: 'Open Mail',
  sendInvitation: 'Invite person',
} as const;

export const accountFilters = {
  search: 'Search by name, e-mail, external id, id or the end of a key',
  searchHint: 'Name, e-mail, id or end of a key',
  filters: (count: number) => (count === 0 ? 'Filters' : `Filters (${exactCount(count)})`),
  any: 'Any',
  plan: 'Plan',
  standing: 'Status',
  use: 'Last use',
  uses: { 'used-7': 'In the last 7 days', 'used-30': 'In the last 30 days', 'unused-30': 'Not in the last 30 days', 'unused-90': 'Not in the last 90 days' } as Readonly<Record<string, string>>,
  below: 'Available below',
  sort: 'Sort by',
  sorts: {
    created: 'Oldest first', '-created': 'Newest first', email: 'E-mail, A to Z', '-email': 'E-mail, Z to A', '-available': 'Most available', available: 'Least available',
    '-last_used': 'Last used first', last_used: 'Longest unused first',
  },
} as const;

export const accountSelect = { all: 'All accounts', type: 'Type a part of the name or address', none: 'Nothing found' } as const;
