/** The page with what was paid. */
export const billing = {
  title: 'Billing',
  help: 'What you can spend, every credit, payment, refund and correction, and the monthly statements. Charges of requests are under Usage.',
  available: 'Available',
  reserved: 'Held by running requests',
  balance: 'Balance',
  balanceHelp: 'Available and held together. Running requests are charged from what they hold.',
  toUsage: 'What requests cost',
  credits: {
    title: 'What is left of each credit',
    help: 'Requests use the credit that expires first. The unused part is taken from the balance when it expires.',
    none: 'Nothing is left of any credit.',
    more: 'There are more credits than these.',
    returned: 'Returned from an expired credit',
    never: 'Never',
    columns: { reference: 'Reference', left: 'Left', amount: 'Credited', expires: 'Expires' },
  },
  acts: 'Credits, payments and corrections',
  none: 'No credit yet.',
  columns: { at: 'When', kind: 'Kind', reference: 'Reference', reason: 'Reason', request: 'Request', amount: 'Amount' },
  kinds: {
    'top-up': 'Credit', 'signup-credit': 'Credit at sign-up', voucher: 'Voucher', payment: 'Payment', 'payment-refund': 'Refund of a payment', dispute: 'Disputed payment',
    refund: 'Refund of a request', correction: 'Correction', expiry: 'Expired credit', forfeiture: 'Lost at deletion',
  } as Readonly<Record<string, string>>,
} as const;
