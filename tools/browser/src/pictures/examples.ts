import type { Subjects } from '../pages/dashboard-pages.js';
import type { PaymentsInUse } from './add-payments.js';
import type { VouchersInUse } from './add-vouchers.js';

/** Ids that occur in the addresses of pages. */
export interface Examples extends Subjects, PaymentsInUse {
  readonly accountId: string;
  readonly vouchers: VouchersInUse;
}

/** Examples with invented ids, because the names of pictures do not depend on them. */
export const ANY_EXAMPLES: Examples = {
  accountId: 'acct_1', keyId: 'key_1', requestId: 'req_1', model: 'sandbox-small', paymentId: 'pay_1', checkout: 'sim_1', vouchers: { batchId: 'vbatch_1', code: '' },
};
