import { MAX_VOUCHER_DAYS, PAYMENT_PROBLEMS, PAYMENT_STATES, SIMULATED_ACTS } from '@tollgate/core';
import { z } from 'zod';
import { amount, id, instant, label, RULES, text } from '../definition/field-schemas.js';

const currency = z.string().length(3).describe('The currency: a code of ISO 4217.');
/** An amount of money, with the decimal places of its currency. */
export const price = z.string().regex(/^\d{1,12}(\.\d{1,4})?$/, RULES.not_a_number);
/** Days after which credit expires; `null` for never. */
export const expiryDays = z.number().int().min(1).max(MAX_VOUCHER_DAYS).nullable();

export const payment = z.strictObject({
  object: z.literal('payment').describe('The kind of object.'),
  id: id.describe('The id of the payment: `pay_…`.'),
  account_id: id.describe('The account that gets the credit.'),
  provider: z.string().describe('The provider that takes the payment: `sandbox` or `stripe`.'),
  state: z.enum(PAYMENT_STATES).describe('How far it is. `unbookable`: paid, but not booked.'),
  problem: z.enum(PAYMENT_PROBLEMS).nullable().describe('Why it, or the return of a won dispute, is not booked; `null` for neither.'),
  amount: z.string().describe('The price, as a decimal number.'),
  currency,
  svc_tokens: amount.describe('Service tokens that it buys.'),
  package_id: z.string().nullable().describe('The package that was bought; `null` for a custom amount.'),
  credit_expires_after_days: expiryDays.describe('Days after the booking, at whose end what is left of the credit is taken; `null` for never.'),
  credit_expires_at: instant.nullable().describe('When what is left of the credit is taken; `null` for never, and before the booking.'),
  refunded: z.string().describe('What was refunded of the price.'),
  svc_tokens_uncovered: amount.describe('Service tokens that refunds and disputes could not take, because they were not available.'),
  checkout_url: z.string().nullable().describe('Where an open payment is paid; `null` for others.'),
  invoice_url: z.string().nullable().describe('The invoice or receipt of the provider; `null` for none.'),
  created_at: instant.describe('When it was started.'),
  changed_at: instant.describe('When its state changed last.'),
  booked_at: instant.nullable().describe('When it was booked; `null` if it was not.'),
  checked_at: instant.nullable().describe('When the provider was last asked about it; `null` for never.'),
}).meta({ id: 'Payment', description: 'A payment for credit.' });

const adjustment = z.strictObject({
  kind: z.enum(['refund', 'dispute']).describe('What the provider reported.'),
  id: z.string().describe('Its id at the provider.'),
  amount: z.string().describe('The amount, as a decimal number.'),
  status: z.enum(['done', 'failed', 'open', 'won', 'lost']).describe('A refund is done, or failed if the bank returned the money to the operator; a dispute is open until it is won or lost.'),
  svc_tokens: amount.describe('Service tokens that were bought with the amount.'),
  svc_tokens_uncovered: amount.describe('The part of them that was not available.'),
});

const requestedRefund = z.strictObject({
  id: id.describe('The id of the request.'),
  amount: z.string().describe('The amount, as a decimal number.'),
  state: z.enum(['requested', 'accepted', 'refused']).describe('Whether the provider has answered.'),
  requested_at: instant.describe('When it was requested.'),
});

export const paymentDetail = payment.extend({
  adjustments: z.array(adjustment).readonly().describe('Refunds and disputes that the provider reported, oldest first.'),
  requested_refunds: z.array(requestedRefund).readonly().describe('Refunds that operators requested, oldest first.'),
}).meta({ id: 'PaymentDetail', description: 'A payment with its refunds and disputes.' });

export const creditOffer = z.strictObject({
  object: z.literal('credit_offer').describe('The kind of object.'),
  provider: z.string().nullable().describe('The payment provider; `null` where payments are off.'),
  simulated: z.boolean().describe('Whether payments are simulated, so that no money moves.'),
  packages: z.array(z.strictObject({
    id: z.string().describe('The id of the package.'),
    name: z.string().describe('The name of the package.'),
    price: z.string().describe('The price, as a decimal number.'),
    currency,
    svc_tokens: amount.describe('Service tokens that it gives, bonus included.'),
    bonus: amount.describe('The part of them that is a bonus.'),
    credit_expires_after_days: expiryDays.describe('Days after the booking, at whose end their unused part is taken; `null` for never.'),
  })).readonly().describe('The packages for sale at fixed prices.'),
  custom: z.strictObject({
    currency,
    min: z.string().describe('The smallest amount.'),
    max: z.string().describe('The largest amount.'),
    svc_tokens_per_unit: amount.describe('Service tokens for one whole unit of the currency.'),
  }).nullable().describe('Amounts that the owner chooses; `null` where there are only packages.'),
}).meta({ id: 'CreditOffer', description: 'Credit that owners can buy.' });

export const paymentStart = z.strictObject({
  package: z.string().min(1).max(64).optional().describe('The id of a package.'),
  amount: price.optional().describe('An amount in the currency of custom credit.'),
  save_method: z.boolean().default(false).describe('Whether the method may be charged later without the owner.'),
}).refine((body) => (body.package === undefined) !== (body.amount === undefined), 'must name either package or amount');

export const paymentRefund = z.strictObject({
  amount: price.nullable().default(null).describe('The amount to refund, in the currency of the payment; `null` for all that is left.'),
  reason: label(500).describe('Why, for the ledger.'),
});

export const paymentParams = z.strictObject({ id: id.describe('The id of the payment.') });

export const paymentFilters = {
  state: z.enum(PAYMENT_STATES).optional().describe('Only payments in this state.'),
  account: id.optional().describe('Only payments of this account.'),
  provider: text(40).optional().describe('Only payments of this provider.'),
  start: instant.optional().describe('Only payments that were started at or after this time.'),
  end: instant.optional().describe('Only payments that were started before this time.'),
  uncovered: z.enum(['true', 'false']).optional().describe('`true`: only payments whose refunds or disputes were not covered.'),
};

export const simulatedCheckout = z.strictObject({
  object: z.literal('simulated_checkout').describe('The kind of object.'),
  reference: id.describe('Its reference.'),
  payment_id: id.describe('The payment that it is for.'),
  description: z.string().describe('The bought credit.'),
  details: z.string().nullable().describe('More about it, such as when it expires; `null` for nothing.'),
  amount: z.string().describe('The price, as a decimal number.'),
  currency,
  status: z.enum(['open', 'paid', 'failed', 'expired']).describe('Its state at the simulated provider.'),
  pays_at: instant.nullable().describe('When it is or was paid; in the future for one that is paid late.'),
  dispute: z.enum(['open', 'won', 'lost']).nullable().describe('The state of its dispute; `null` for none.'),
  return_url: z.string().describe('Where the customer goes after paying.'),
  cancel_url: z.string().describe('Where the customer goes after cancelling.'),
  expires_at: instant.describe('When it expires.'),
}).meta({ id: 'SimulatedCheckout', description: 'A checkout of the sandbox. No money moves.' });

export const simulatedAct = z.strictObject({ act: z.enum(SIMULATED_ACTS).describe('What the customer or the bank does.') });

export const paymentHealth = z.strictObject({
  object: z.literal('payment_health').describe('The kind of object.'),
  provider: z.string().nullable().describe('The payment provider; `null` where payments are off.'),
  simulated: z.boolean().describe('Whether payments are simulated.'),
  open: z.number().int().min(0).describe('Payments that are open.'),
  unbookable: z.number().int().min(0).describe('Payments that are paid, but not booked.'),
  uncovered: z.number().int().min(0).describe('Payments whose refunds or disputes were not covered.'),
  checked_at: instant.nullable().describe('When this gateway last asked about all payments that were due; `null` before the first time.'),
  failed_at: instant.nullable().describe('When the provider last did not answer this gateway; `null` for never.'),
}).meta({ id: 'PaymentHealth', description: 'Payments as the gateway that answers sees them.' });
