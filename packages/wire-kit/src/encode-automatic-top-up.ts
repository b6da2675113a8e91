import { type AccountId, currencyDecimal, rfc3339, type TopUpOverview } from '@tollgate/core';
import { encodePayment } from './encode-payment.js';
import { timeOrNull } from './encode-time.js';

/** The account's automatic top-up. `provider` is `null` if payments are off. */
export function encodeAutomaticTopUp(accountId: AccountId, { topUp, charges, lastCharge, hasMethod }: TopUpOverview, provider: { readonly id: string } | null) {
  return {
    object: 'automatic_top_up' as const, account_id: accountId, provider: provider?.id ?? null, method_saved: hasMethod, enabled: topUp?.isEnabled ?? false,
    settings: topUp === null ? null : encodeSettings(topUp),
    waits_for: topUp?.waitsFor ?? null, next_try_at: timeOrNull(topUp?.dueAt ?? null), declines: topUp?.declines ?? 0,
    stopped: topUp === null || topUp.stopped === null ? null : { reason: topUp.stopped.reason, at: rfc3339(topUp.stopped.at) },
    charges_today: charges.today, charged_this_month: topUp === null ? null : currencyDecimal({ amount: charges.thisMonth, currency: topUp.settings.currency }),
    last_charge: lastCharge === null ? null : encodePayment(lastCharge),
  };
}

function encodeSettings({ settings: { threshold, packageId, tokens, amount, currency, maxPerDay, monthlyAmount } }: NonNullable<TopUpOverview['topUp']>) {
  return {
    threshold: threshold.toString(), package: packageId, svc_tokens: tokens.toString(), amount: currencyDecimal({ amount, currency }), currency, max_per_day: maxPerDay, monthly_amount: currencyDecimal({ amount: monthlyAmount, currency }),
  };
}
