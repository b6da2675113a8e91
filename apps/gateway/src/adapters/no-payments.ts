import { GatewayError, type PaymentRecords, type SimulatedCheckouts, type TopUpRecords } from '@tollgate/core';

function refuse(): Promise<never> {
  return Promise.reject(new GatewayError('conflict', 'Payments are not available on this service.'));
}

/** For stores without payments: no payment is found or opened. */
export const NO_PAYMENTS: PaymentRecords = {
  open: refuse, started: refuse, find: () => Promise.resolve(null), findByReference: () => Promise.resolve(null), list: () => Promise.resolve({ payments: [], next: null }),
  counts: () => Promise.resolve({ open: 0, unbookable: 0, uncovered: 0 }), customerOf: () => Promise.resolve(null), claimDue: () => Promise.resolve([]), claim: () => Promise.resolve(false),
  apply: () => Promise.resolve(null), abandon: () => Promise.resolve(), requestCheck: () => Promise.resolve(null), requestRefund: () => Promise.resolve({ outcome: 'no-such-payment' }), refundAnswered: () => Promise.resolve(),
  unconfirmedRefunds: () => Promise.resolve([]),
};

export const NO_CHECKOUTS: SimulatedCheckouts = { create: refuse, find: () => Promise.resolve(null), change: () => Promise.resolve(null) };

/** For stores without payments: no automatic top-up can be enabled. */
export const NO_TOP_UPS: TopUpRecords = {
  overview: () => Promise.resolve({ topUp: null, charges: { today: 0, thisMonth: 0n }, lastCharge: null, hasMethod: false }), enable: () => Promise.resolve('no-method'), disable: () => Promise.resolve(),
  due: () => Promise.resolve([]), begin: () => Promise.resolve(null), accepted: () => Promise.resolve(), refused: () => Promise.resolve(),
};
