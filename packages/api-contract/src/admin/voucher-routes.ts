import { PAGE_SIZES } from '@tollgate/core';
import { z } from 'zod';
import { cursor, pageOf } from '../definition/field-schemas.js';
import { pageLimit } from '../definition/page-limit.js';
import { codesOfVouchers, voucherBatch, voucherParams as params, voucherTerms, voucherUse } from '../shapes/voucher.js';
import { defineAdminRoute } from './admin-route.js';

const page = z.strictObject({ limit: pageLimit(PAGE_SIZES.vouchers.admin).describe('How many items the page has.'), cursor: cursor.describe('The `next_cursor` of the page before.') });

export const adminVoucherRoutes = {
  listVoucherBatches: defineAdminRoute({ method: 'get', path: '/vouchers', access: 'money:write', summary: 'Batches of vouchers without their codes, newest first.', query: page, reply: pageOf(voucherBatch) }),
  createVouchers: defineAdminRoute({
    method: 'post', path: '/vouchers', access: 'money:write', status: 201, secret: 'codes', summary: 'Creates a batch of voucher codes. Only the first response contains the codes.', body: voucherTerms,
    reply: z.strictObject({
      object: z.literal('issued_vouchers').describe('The kind of object.'),
      batch: voucherBatch.describe('The new batch.'),
      codes: codesOfVouchers.nullable().describe('The codes; `null` when the reply is sent again.'),
    }),
  }),
  readVoucherBatch: defineAdminRoute({ method: 'get', path: '/vouchers/{id}', access: 'money:write', summary: 'One batch of vouchers.', params, reply: voucherBatch }),
  listVoucherUses: defineAdminRoute({
    method: 'get', path: '/vouchers/{id}/uses', access: 'money:write', summary: 'Redemptions of a batch, newest first.', params, query: page, reply: pageOf(voucherUse),
  }),
  revokeVoucherBatch: defineAdminRoute({
    method: 'post', path: '/vouchers/{id}/revoke', access: 'money:write', summary: 'Stops all codes of a batch that have uses left, permanently. Credit that was given stays.', params, reply: voucherBatch,
  }),
} as const;
