import { MAX_LISTED_CREDITS } from '@tollgate/core';
import { z } from 'zod';
import { amount, instant } from '../definition/field-schemas.js';

const creditLeft = z.strictObject({
  object: z.literal('credit').describe('The kind of object.'),
  ledger_entry: z.string().regex(/^\d{1,19}$/, 'must be a number').describe('The number of the ledger entry that booked it.'),
  reference: z.string().nullable().describe('The reference of the entry; `null` for what a refund returned of an expired credit.'),
  svc_tokens: amount.describe('Service tokens that were booked.'),
  left: amount.describe('Service tokens that are left, those that running requests hold included.'),
  expires_at: instant.nullable().describe('When what is left is taken from the balance; `null` for never.'),
}).meta({ id: 'Credit', description: 'A credit with something left. Requests use the one that expires first.' });

export const creditsLeft = z.strictObject({
  object: z.literal('credits').describe('The kind of object.'),
  data: z.array(creditLeft).readonly().describe(`The soonest to expire first, at most ${MAX_LISTED_CREDITS}.`),
  has_more: z.boolean().describe('Whether there are more.'),
});
