import { GatewayError, type VoucherRecords } from '@tollgate/core';

function refuse(): Promise<never> {
  return Promise.reject(new GatewayError('conflict', 'This store has no vouchers.'));
}

/** For stores without vouchers: no voucher is found or created. */
export const NO_VOUCHERS: VoucherRecords = {
  begin: refuse, add: refuse, publish: refuse, discard: () => Promise.resolve(), unpublished: () => Promise.resolve([]), list: () => Promise.resolve({ batches: [], nextCursor: null }),
  find: () => Promise.resolve(null), uses: () => Promise.resolve({ uses: [], nextCursor: null }), revoke: () => Promise.resolve(null), redeem: refuse,
};
