import { oneToken, tokenWord } from '../../brand/token-word';

const ENDINGS = {
  completed: 'Completed', empty: 'Empty reply', balance_exhausted: 'Balance used up', key_limit_reached: 'Key limit reached', time_limit_reached: 'Time limit reached', client_left: 'Stopped by client',
  provider_failed: 'Model failed', provider_unavailable: 'Model unavailable', request_rejected: 'Rejected by the model', shutdown: 'Gateway stopped', crashed: 'Gateway crashed', internal_error: 'Internal error',
} as const;

export const usage = {
  title: 'Usage',
  allTitle: 'All usage',
  help: 'Requests appear here once they have ended. Refused requests leave no record.',
  allHelp: 'Requests of all accounts. They appear here once they have ended.',
  endings: ENDINGS,
  filters: {
    title: 'Filters', count: (filters: number) => (filters === 0 ? 'Filters' : `Filters (${filters})`), clear: 'Remove filters', done: 'Show requests',
    model: 'Model', allModels: 'All models', key: 'Key', allKeys: 'All keys', user: 'User', allUsers: 'All users', ending: 'Result', allEndings: 'All results',
    minCharge: 'Minimum charge', anyCharge: 'Any charge', account: 'Account', allAccounts: 'All accounts', userHelp: 'As the request named it',
    noMatch: 'Nothing found', typeKey: 'Type a part of the name or of the key',
  },
  sums: {
    title: 'Totals', charged: 'Charged', requests: 'Requests', prompt: 'Input tokens', output: 'Output tokens', cost: 'Cost', before: (days: number) => (days === 1 ? 'the day before' : `the ${days} days before`),
    asOf: (instant: string) => `Totals as of ${instant}. The current day is updated at most once a minute.`,
    notForFilters: (filters: string) => `Totals are kept by model and by key only, so the total and the chart cannot apply these filters: ${filters}. The requests below are filtered.`,
    removeThem: 'Remove these filters',
    notByUser: 'Totals by user cannot be combined with filters by model or key. The requests below can.',
    groupByModel: 'Group by model',
    accountOnly: 'Totals by key and by user are kept per account. Choose an account to see them.',
    modelOrAccount: 'Totals of all accounts are kept by model or by account, so the two cannot be combined.',
    tooLong: (days: number) => `Totals cover at most ${days} days at once. The requests below cover the whole period.`,
    shorten: (days: number) => `Show the last ${days} days`,
    userGone: 'This user is not among the thousand with the largest charges, so there is no total. The requests are below.',
  },
  chart: {
    titles: { cost: 'Cost', requests: 'Requests', tokens: 'Input and output tokens' }, groupBy: 'Group by', groups: { model: 'By model', key: 'By key', user: 'By user', account: 'By account', none: 'In total' },
    days: 'Day (UTC)', weeks: 'Week from (UTC)', months: 'Month (UTC)', period: { cost: (name: string) => `Cost, ${name}`, requests: (name: string) => `Requests, ${name}`, tokens: (name: string) => `Input and output tokens, ${name}` },
    noModel: 'No model', noKey: 'No key', noUser: 'No user', other: (groups: number) => `Other (${groups})`,
    userTable: 'Charges by user', userTableHelp: 'Totals by user are kept for the whole period, not by day.', total: 'Total',
  },
  records: {
    title: 'Requests', ended: 'Ended', request: 'Request', model: 'Model', key: 'Key', account: 'Account', prompt: 'Input tokens', output: 'Output tokens', charge: 'Cost', firstToken: 'First token', duration: 'Duration', user: 'User', ending: 'Result',
    fallback: (requested: string) => `Requested ${requested}; a fallback served it.`, inAndOut: (input: string, output: string) => `${input} in · ${output} out`, unknown: '–',
    empty: 'No requests in this period', emptyFiltered: 'No requests match these filters in this period', last30: 'Last 30 days', snippets: 'Show snippets',
    beforeJump: (instant: string) => `Requests that ended before ${instant}.`,
  },
  export: {
    action: 'Export', title: 'Export requests', format: 'Format', csv: 'CSV, for spreadsheets', ndjson: 'NDJSON, one object a line', download: 'Download', period: 'Period', filters: 'Filters',
    none: 'None', rows: 'Requests', sum: 'Charged', unknown: 'The number of requests and their total are not known for these filters.',
    help: 'Amounts are plain decimal numbers, and times are in UTC. One export runs at a time. A download that fails is shown as failed, never as a shorter file.',
  },
  record: {
    title: 'Request', notFound: 'Your account has no request with this id. Ids begin with req_. Refused requests leave no record, and a request gets one when its charge is booked.',
    anyNotFound: 'There is no request with this id. Ids begin with req_. Refused requests leave no record, and a request gets one when its charge is booked.', toUsage: 'Go to Usage', page: 'Open as a page', close: 'Close',
    formats: { chat: 'chat', messages: 'messages', responses: 'responses' }, streamed: 'streamed', whole: 'whole reply',
    sources: { reported: 'tokens as the model reported them', counted: 'tokens counted by the gateway', checkpoint: 'tokens as last saved' },
    chargeTitle: 'Charge', tokenClass: 'Class', tokens: 'Tokens', rate: 'Per million tokens', amount: 'Amount',
    classes: { uncached_prompt: 'Input', cached_prompt: 'Input, from cache', cache_creation: 'Input, written to cache', output: 'Output' },
    reasoning: (tokens: string) => `including ${tokens} of reasoning`,
    sum: 'Sum', rounding: 'Rounding', roundingRule: 'up, once, to 6 decimal places', computed: 'Charge', writtenOff: 'Written off', chargedWith: (first: string) => `Charged with other requests of the purchase ${first}`, debited: 'Charged', usd: 'In US dollars', usdRate: (rate: string) => `at ${rate} for a ${oneToken}`,
    timelineTitle: 'Timeline', admitted: 'Accepted', reserved: (amount: string) => `${amount} ${tokenWord} held`, started: 'Started', firstOutput: 'First output', ended: 'Ended', settled: 'Charged',
    released: (amount: string) => `${amount} ${tokenWord} no longer held`, zero: '0 ms',
    ledgerTitle: 'In the ledger', inLedger: 'In the ledger', noEntry: 'No entry: nothing was charged.', notYet: 'Not in the ledger yet.',
    kinds: { charge: 'Charge', 'write-off': 'Write-off', 'late-charge': 'Late charge', 'late-write-off': 'Late write-off', refund: 'Refund' }, reference: 'Reference', kind: 'Entry', at: 'Booked',
    idsTitle: 'Details', requestId: 'Request id', recordId: 'Record id', keyId: 'Key id', accountId: 'Account id', key: 'Key', account: 'Account', upstream: 'Upstream', requested: 'Requested model', served: 'Served by', user: 'User',
    ofKey: 'All requests of this key', ofAccount: 'All requests of this account', playground: 'Open in Playground',
  },
} as const;
