import { capitalTokens, tokenWord } from '../../brand/token-word';

export const operatorPayments = {
  title: 'Payments',
  help: 'Payments of all accounts. What a refund or dispute could not take is uncovered: the credit was spent or is held by running requests.',
  list: 'Payments of all accounts',
  none: 'No payments match.',
  off: 'Payments are off. PAYMENTS turns them on.',
  simulated: 'Payments are simulated: no money moves.',
  provider: (name: string) => `Provider: ${name}`,
  counts: { open: 'Not paid yet', unbookable: 'Paid, not booked', uncovered: 'Uncovered' },
  filters: { account: 'Account', state: 'Status', any: 'Any status', first: 'From day (UTC)', last: 'To day (UTC)', uncovered: 'Uncovered only' },
  columns: { created: 'Started', account: 'Account', state: 'Status', price: 'Price', tokens: capitalTokens, uncovered: 'Uncovered', id: 'Payment' },
  one: {
    title: 'Payment', back: 'Payments', facts: 'Details', account: 'Account', provider: 'Provider', problem: 'Why it is not booked', refunded: 'Refunded',
    uncovered: 'Uncovered', checked: 'Provider last asked', changed: 'Last changed', never: 'Never',
    problems: {
      'wrong-amount': 'Another amount was paid.', 'wrong-currency': 'It was paid in another currency.', 'account-deleted': 'The account is deleted.', 'maximum-balance': 'The balance would exceed the maximum.',
    } as Readonly<Record<string, string>>,
  },
  adjustments: 'Refunds and disputes',
  noAdjustments: 'None.',
  kinds: { refund: 'Refund', dispute: 'Dispute' } as Readonly<Record<string, string>>,
  adjustmentStates: { done: 'Done', failed: 'Failed', open: 'Open', won: 'Won', lost: 'Lost', requested: 'Requested', accepted: 'Accepted', refused: 'Refused' } as Readonly<Record<string, string>>,
  requested: 'Requested refunds',
  check: 'Ask the provider again',
  checked: 'The provider was asked.',
  refund: {
    action: 'Refund', title: 'Refund this payment', amount: (currency: string) => `Amount in ${currency}`, all: 'Empty: all that is left.', reason: 'Reason',
    effect: `The provider returns the money. The ${tokenWord} are taken from the balance, at most what is available.`, done: 'The refund was requested.', invalid: 'Enter an amount such as 10 or 10.50.',
  },
} as const;
