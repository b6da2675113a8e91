import { PAGE_SIZES } from '@tollgate/core';
import { z } from 'zod';
import { cursor, listOf } from '../definition/field-schemas.js';
import { pageLimit } from '../definition/page-limit.js';
import { defineRoute } from '../definition/route-contract.js';
import { codesOfVouchers, redeemedVoucher, voucherBatch, voucherParams as params, voucherRedemption, voucherTerms, voucherUse } from '../shapes/voucher.js';

const page = z.strictObject({ limit: pageLimit(PAGE_SIZES.vouchers.dashboard).describe('How many items the page has.'), cursor: cursor.describe('The `next_cursor` of the page before.') });

export const voucherRoutes = {
  redeemVoucher: defineRoute({
    method: 'post', path: '/vouchers/redeem', access: 'owner',
    summary: 'Adds the credit of a voucher code to the balance, once per code and account, and once per code and mailbox. After ten wrong codes in an hour every code is refused until the hour has passed.',
    body: voucherRedemption, reply: redeemedVoucher,
  }),
  listVoucherBatches: defineRoute({
    method: 'get', path: '/operator/vouchers', access: 'operator', summary: 'Batches of vouchers without their codes, newest first.', query: page, reply: listOf(voucherBatch),
  }),
  createVouchers: defineRoute({
    method: 'post', path: '/operator/vouchers', access: 'operator', fresh: true, status: 201, summary: 'Creates a batch of voucher codes. Only this response contains the codes.',
    body: voucherTerms,
    reply: z.strictObject({
      object: z.literal('issued_vouchers').describe('The kind of object.'),
      batch: voucherBatch.describe('The new batch.'),
      codes: codesOfVouchers.describe('The codes. Only this response contains them.'),
      csv: z.string().describe('The codes with their terms as a CSV file, which begins with a byte order mark.'),
    }),
  }),
  readVoucherBatch: defineRoute({ method: 'get', path: '/operator/vouchers/{id}', access: 'operator', summary: 'One batch of vouchers.', params, reply: voucherBatch }),
  listVoucherUses: defineRoute({
    method: 'get', path: '/operator/vouchers/{id}/uses', access: 'operator', summary: 'Redemptions of a batch, newest first.', params, query: page, reply: listOf(voucherUse),
  }),
  revokeVoucherBatch: defineRoute({
    method: 'post', path: '/operator/vouchers/{id}/revoke', access: 'operator', fresh: true, summary: 'Stops all codes of a batch that have uses left, permanently. Credit that was given stays.', params,
    reply: voucherBatch,
  }),
} as const;
