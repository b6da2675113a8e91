import { MAX_TOP_UPS_PER_DAY, TOP_UP_STOPS, TOP_UP_WAITS } from '@tollgate/core';
import { z } from 'zod';
import { amount, id, instant, serviceTokens } from '../definition/field-schemas.js';
import { payment, price } from './payment.js';

const maxPerDay = z.number().int().min(1).max(MAX_TOP_UPS_PER_DAY);

export const topUpSettings = z.strictObject({
  threshold: serviceTokens.describe('The balance in service tokens below which the saved method is charged.'),
  package: z.string().min(1).max(64).optional().describe('The id of the package that a charge buys.'),
  amount: price.optional().describe('What a charge pays, in the currency of custom credit.'),
  max_per_day: maxPerDay.describe('How many charges there may be on a UTC day.'),
  monthly_amount: price.describe('What all charges of a UTC month may pay together, in the currency of the charge.'),
}).refine((body) => (body.package === undefined) !== (body.amount === undefined), 'must name either package or amount');

export const automaticTopUp = z.strictObject({
  object: z.literal('automatic_top_up').describe('The kind of object.'),
  account_id: id.describe('The account that gets the credit.'),
  provider: z.string().nullable().describe('The payment provider; `null` where payments are off, and nothing is charged.'),
  method_saved: z.boolean().describe('Whether the provider keeps a method that may be charged without the owner.'),
  enabled: z.boolean().describe('Whether it is on.'),
  settings: z.strictObject({
    threshold: amount.describe('The balance in service tokens below which the saved method is charged.'),
    package: z.string().nullable().describe('The package that a charge buys; `null` for a custom amount.'),
    svc_tokens: amount.describe('What a charge buys at least, in service tokens.'),
    amount: z.string().describe('What a charge pays, as a decimal number.'),
    currency: z.string().length(3).describe('The currency: a code of ISO 4217.'),
    max_per_day: maxPerDay.describe('How many charges there may be on a UTC day.'),
    monthly_amount: z.string().describe('What all charges of a UTC month may pay together.'),
  }).nullable().describe('What the owner has chosen; kept while it is off, `null` if it was never on.'),
  waits_for: z.enum(TOP_UP_WAITS).nullable().describe('Why the next charge waits; `null` if it does not.'),
  next_try_at: instant.nullable().describe('When the balance is looked at next; `null` until it falls below the threshold.'),
  declines: z.number().int().min(0).describe('How many charges in a row were declined.'),
  stopped: z.strictObject({
    reason: z.enum(TOP_UP_STOPS).describe('Why.'),
    at: instant.describe('When.'),
  }).nullable().describe('Why it was switched off without the owner; `null` if it was not.'),
  charges_today: z.number().int().min(0).describe('Charges of this UTC day, without those that were declined.'),
  charged_this_month: z.string().nullable().describe('What the charges of this UTC month pay together; `null` if it was never on.'),
  last_charge: payment.nullable().describe('The payment of the newest charge; `null` for none.'),
}).meta({ id: 'AutomaticTopUp', description: 'Charges of a saved payment method when the balance is low.' });
