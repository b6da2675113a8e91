import { MAX_TYPED_VOUCHER_CHARACTERS, MAX_VOUCHER_NOTE_CHARACTERS, MAX_VOUCHER_USES, MAX_VOUCHERS_PER_BATCH } from '@tollgate/core';
import { z } from 'zod';
import { amount, displayName, id, instant, serviceTokens, text } from '../definition/field-schemas.js';
import { balance } from './account.js';
import { expiryDays } from './payment.js';

const count = z.number().int().min(0);

export const voucherBatch = z.strictObject({
  id: id.describe('The id of the batch: `vbatch_…`.'),
  object: z.literal('voucher_batch').describe('The kind of object.'),
  name: z.string().describe('A name that tells it from other batches.'),
  note: z.string().nullable().describe('A note for operators; `null` for none.'),
  status: z.enum(['active', 'used-up', 'expired', 'revoked']).describe('Codes can be redeemed while it is `active`.'),
  svc_tokens: amount.describe('Service tokens that one redemption adds to a balance.'),
  code_count: count.describe('How many codes it has.'),
  uses_per_code: count.describe('How many accounts can redeem one code.'),
  uses: count.describe('Redemptions of all its codes so far.'),
  expires_at: instant.nullable().describe('When the codes expire; `null` for never.'),
  credit_expires_after_days: z.number().int().nullable().describe('How many days after its redemption the credit expires; `null` for never.'),
  created_at: instant.describe('When it was created.'),
  revoked_at: instant.nullable().describe('When what was left of it was revoked; `null` if it was not.'),
}).meta({ id: 'VoucherBatch', description: 'Voucher codes with the same terms, without the codes.' });

export const voucherUse = z.strictObject({
  object: z.literal('voucher_use').describe('The kind of object.'),
  number: z.number().int().min(1).describe('Counts the redemptions of the batch.'),
  voucher_id: id.describe('The id of the voucher: `voucher_…`. It is no secret.'),
  hint: z.string().describe('The first characters of the code.'),
  account_id: id.describe('The account that redeemed it.'),
  svc_tokens: amount.describe('Service tokens that were added to its balance.'),
  redeemed_at: instant.describe('When it was redeemed.'),
  credit_expires_at: instant.nullable().describe('When the credit expires; `null` for never.'),
}).meta({ id: 'VoucherUse', description: 'One redemption of a voucher.' });

export const codesOfVouchers = z.array(z.string()).readonly();

export const voucherTerms = z.strictObject({
  name: displayName.describe('A name that tells it from other batches.'),
  note: text(MAX_VOUCHER_NOTE_CHARACTERS).nullable().default(null).describe('A note for operators; `null` for none.'),
  svc_tokens: serviceTokens.describe('Service tokens that one redemption adds to a balance.'),
  code_count: z.number().int().min(1).max(MAX_VOUCHERS_PER_BATCH).describe('How many codes to make.'),
  uses_per_code: z.number().int().min(1).max(MAX_VOUCHER_USES).default(1).describe('How many accounts can redeem one code; each account and each mailbox once.'),
  expires_at: instant.nullable().default(null).describe('When the codes expire, at most 3,650 days ahead; `null` for never.'),
  credit_expires_after_days: expiryDays.default(null).describe('How many days after its redemption the credit expires; `null` for never.'),
});

export const voucherParams = z.strictObject({ id: id.describe('The id of the batch.') });

export const voucherRedemption = z.strictObject({ code: text(MAX_TYPED_VOUCHER_CHARACTERS).describe('The code. Case, spaces and dashes do not matter; O is read as 0, I and L as 1.') });

export const redeemedVoucher = z.strictObject({
  object: z.literal('voucher_redemption').describe('The kind of object.'),
  repeated: z.boolean().describe('Whether the account redeemed this code before, so that nothing is changed.'),
  svc_tokens: amount.describe('Service tokens that the redemption added to the balance.'),
  redeemed_at: instant.describe('When the account redeemed the code.'),
  credit_expires_at: instant.nullable().describe('When the credit expires; `null` for never.'),
  balance: balance.describe('What the account has now.'),
});
