const ENDINGS = {
  completed: 'Completed', balance_exhausted: 'Balance exhausted', key_limit_reached: 'Key limit reached', client_left: 'Client left', provider_failed: 'Provider failed',
  provider_unavailable: 'Provider unavailable', request_rejected: 'Request rejected', shutdown: 'Shutdown', crashed: 'Crashed', internal_error: 'Internal error',
} as const;

/** Usage: records of requests, their sums, and how a charge came about. */
export const usage = {
  title: 'Usage',
  allTitle: 'All usage',
  help: 'A request is here as soon as it is settled. Refused requests leave no record.',
  allHelp: 'Requests of all accounts. A request is here as soon as it is settled.',
  endings: ENDINGS,
  filters: {
    title: 'Filters', count: (filters: number) => (filters === 0 ? 'Filters' : `Filters (${filters})`), clear: 'Remove filters', done: 'Show requests',
    model: 'Model', allModels: 'All models', key: 'Key', allKeys: 'All keys', user: 'User', allUsers: 'All users', ending: 'Ending', allEndings: 'All endings',
    minCharge: 'Minimum charge', anyCharge: 'Any charge', account: 'Account', allAccounts: 'All accounts', userHelp: 'As the request named it',
    noMatch: 'Nothing found', accountInvalid: 'Account ids begin with acct_.',
  },
  sums: {
    title: 'Totals', charged: 'Charged', requests: 'Requests', prompt: 'Prompt tokens', output: 'Output tokens',
    asOf: (instant: string) => `Summed up at ${instant}; the running day is summed up at most once a minute.`,
    notForFilters: (filters: string) => `Sums are kept by model and by key, so the total and the chart cannot follow these filters: ${filters}. The requests below do.`,
    removeThem: 'Remove these filters',
    notByUser: 'Sums by user are kept apart from those by model and key, so they cannot be combined. The requests below can.',
    groupByModel: 'Group by model',
    accountOnly: 'Sums by key and user are kept for each account. Choose an account to see them.',
    modelOrAccount: 'Sums of all accounts are kept by model or by account, so a model cannot be combined with accounts.',
    userGone: 'This user is not among the thousand with the largest charges, so there is no sum. The requests are below.',
  },
  chart: {
    title: 'Charges', groupBy: 'Group by', groups: { model: 'By model', key: 'By key', user: 'By user', account: 'By account', none: 'In all' },
    days: 'Day (UTC)', weeks: 'Week from (UTC)', months: 'Month (UTC)', period: (name: string) => `Charges, ${name}`,
    noModel: 'No model', noKey: 'No key', noUser: 'No user', other: (groups: number) => `Other (${groups})`,
    userTable: 'Charges by user', userTableHelp: 'Sums by user are kept for the whole period, not by day.', total: 'Total',
  },
  records: {
    title: 'Requests', ended: 'Ended', request: 'Request', model: 'Model', key: 'Key', account: 'Account', prompt: 'Prompt', output: 'Output', charge: 'Charge', ending: 'Ending',
    fallback: (requested: string) => `Asked for ${requested}; another model served it.`, unknown: '–',
    empty: 'No requests in this period', emptyFiltered: 'No requests match these filters in this period', last30: 'Last 30 days', snippets: 'Show snippets',
    beforeJump: (instant: string) => `Requests that ended before ${instant}.`,
  },
  export: {
    action: 'Export', title: 'Export requests', format: 'Format', csv: 'CSV, for spreadsheets', ndjson: 'NDJSON, one object a line', download: 'Download', period: 'Period', filters: 'Filters',
    none: 'None', rows: 'Requests', sum: 'Charged', unknown: 'The number of requests and their sum are not known for these filters.',
    help: 'Amounts are plain decimal numbers and instants are UTC. One export runs at a time. A download that fails shows as failed: it never ends as a shorter file.',
  },
  record: {
    title: 'Request', notFound: 'No request with this id in your account. Ids begin with req_. Refused requests leave no record.',
    anyNotFound: 'No request with this id. Ids begin with req_. Refused requests leave no record.', toUsage: 'Go to Usage', page: 'Open as a page',
    formats: { chat: 'chat', messages: 'messages' }, streamed: 'streamed', whole: 'whole reply',
    sources: { reported: 'tokens as reported', counted: 'tokens counted by the gateway', checkpoint: 'tokens as of the last checkpoint' },
    chargeTitle: 'Charge', tokenClass: 'Class', tokens: 'Tokens', rate: 'Per million', amount: 'Amount',
    classes: { uncached_prompt: 'Uncached prompt', cached_prompt: 'Cached prompt', cache_creation: 'Cache creation', output: 'Output' },
    reasoning: (tokens: string) => `${tokens} of it reasoning`,
    sum: 'Sum', rounding: 'Rounding', computed: 'Charge', writtenOff: 'Written off', debited: 'Debited', usd: 'In US dollars', usdRate: (rate: string) => `at ${rate} for a service token`,
    timelineTitle: 'Timeline', admitted: 'Admitted', reserved: (amount: string) => `${amount} reserved`, started: 'Started', firstOutput: 'First output', ended: 'Ended', settled: 'Settled',
    released: (amount: string) => `${amount} released`, zero: '0 ms',
    ledgerTitle: 'In the ledger', inLedger: 'In the ledger', noEntry: 'No entry: nothing was charged.', notYet: 'Not in the ledger yet.',
    kinds: { charge: 'Charge', 'write-off': 'Write-off', 'late-charge': 'Late charge', 'late-write-off': 'Late write-off', refund: 'Refund' }, reference: 'Reference', kind: 'Entry', at: 'Booked',
    idsTitle: 'Details', requestId: 'Request id', recordId: 'Record id', keyId: 'Key id', key: 'Key', account: 'Account', upstream: 'Upstream', requested: 'Requested model', served: 'Served by', user: 'User',
    ofKey: 'All requests of this key', ofAccount: 'All requests of this account', playground: 'Open in Playground',
  },
} as const;
