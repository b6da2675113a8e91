import { USAGE_ENTRY_KINDS } from '@tollgate/core';
import { z } from 'zod';
import { amount, id, instant } from '../definition/field-schemas.js';
import { count, tokenCounts, usageRecord } from '../shapes/usage.js';

/** What one settlement booked. */
export const usageEntry = usageRecord.pick({ request_id: true, key_id: true, requested_model: true, model: true, user: true, end_reason: true, ended_at: true }).extend({
  object: z.literal('usage_entry').describe('The kind of object.'),
  number: z.number().int().min(1).describe('Counts the settlements of all accounts in the order of booking.'),
  kind: z.enum(USAGE_ENTRY_KINDS).describe('A request has one `settlement`, and a `late-settlement` besides if its end became known after it had been charged at a checkpoint.'),
  day: z.iso.date().describe('The UTC day of the booking. A day that `usage.day_closed` states gets no further settlement.'),
  account_id: id.describe('The account.'),
  settled_at: instant.nullable().describe('When it was booked.'),
  usage: z.strictObject({ ...tokenCounts, total_tokens: count.describe('Tokens of prompt and output.') }).describe('Model tokens of the request. Those of a late settlement replace those of the settlement.'),
  svc_tokens_debited: amount.describe('Service tokens that this settlement charged; add those of a late settlement.'),
  svc_cost_usd: amount.describe('The same in US dollars.'),
  svc_tokens_written_off: amount.describe('The part of the cost that could not be paid.'),
});
