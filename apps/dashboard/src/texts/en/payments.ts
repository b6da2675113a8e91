import { counted } from '../../format/count';
import { capitalTokens, tokenWord } from '../../brand/token-word';

const states = {
  open: 'Not paid yet', paid: 'Paid', 'partly-refunded': 'Partly refunded', refunded: 'Refunded', disputed: 'Disputed', 'dispute-won': 'Dispute won', 'dispute-lost': 'Dispute lost',
  failed: 'Failed', expired: 'Expired', unbookable: 'Paid, credit not added',
} as Readonly<Record<string, string>>;

export const addCredit = {
  title: 'Add credit',
  simulated: 'Payments are simulated on this installation: no money moves.',
  choice: 'What to buy',
  gives: (tokens: string) => `${tokens} ${tokenWord}`,
  bonus: (tokens: string) => `${tokens} of them are a bonus`,
  expires: (days: number) => `expires ${counted(days, 'day')} after the payment`,
  custom: 'Another amount',
  amount: (currency: string) => `Amount in ${currency}`,
  range: (min: string, max: string, currency: string) => `From ${min} to ${max} ${currency}.`,
  invalid: 'Enter an amount such as 10 or 10.50.',
  choose: 'Choose what to buy.',
  saveMethod: 'Save the payment method',
  saveMethodHelp: 'The payment provider keeps it for automatic top-up, which is off until you switch it on.',
  submit: 'Continue to payment',
  nothing: 'Nothing is for sale at the moment.',
} as const;

export const payments = {
  title: 'Payments',
  none: 'No payments yet.',
  states,
  columns: { created: 'Started', state: 'Status', amount: 'Price', tokens: capitalTokens, invoice: 'Invoice', id: 'Payment' },
  invoice: 'Open invoice',
  pay: 'Pay now',
  back: 'Billing',
  one: {
    title: 'Payment',
    waiting: 'Waiting for the payment to arrive. This page updates itself.',
    late: 'The payment has not arrived yet. The credit is added as soon as it does; you need not keep this page open.',
    done: (tokens: string) => `${tokens} ${tokenWord} were added to your balance.`,
    doneUntil: (tokens: string, when: string) => `${tokens} ${tokenWord} were added to your balance. What is left of them expires on ${when}.`,
    ended: 'Nothing was paid, and no credit was added.',
    unbookable: 'The payment has arrived, but the credit could not be added. The operators see it and will help.',
    facts: 'Details',
    id: 'Id', state: 'Status', price: 'Price', tokens: capitalTokens, started: 'Started', booked: 'Credit added', expires: 'Credit expires', refunded: 'Refunded', invoice: 'Invoice',
  },
} as const;

export const checkout = {
  title: 'Simulated checkout',
  note: 'This page simulates a payment provider. No money moves; choose what happens.',
  pays: (amount: string) => `To pay: ${amount}`,
  acts: { pay: 'Pay', 'pay-declines-later': 'Pay with a method that is declined later', 'pay-asks-later': 'Pay with a method that must be confirmed later', decline: 'Decline', 'pay-late': 'Pay a minute later', dispute: 'Pay, then dispute', 'win-dispute': 'Decide the dispute for the operator', 'lose-dispute': 'Decide the dispute for the customer' } as Readonly<Record<string, string>>,
  cancel: 'Go back without paying',
  goOn: 'Continue',
  states: {
    open: 'Not paid yet', 'paid-late': 'The payment arrives in a minute.', paid: 'Paid.', failed: 'The payment was declined.', expired: 'This checkout has expired.', disputed: 'Paid, and disputed by the customer.',
    'dispute-won': 'The dispute was decided for the operator.', 'dispute-lost': 'The dispute was decided for the customer.',
  } as Readonly<Record<string, string>>,
} as const;
