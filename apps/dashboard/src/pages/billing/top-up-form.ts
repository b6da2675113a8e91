import type { Reply, RequestBody } from '../../api/call';
import { amountFault } from '../../components/amount-fault';
import { typedAmount } from '../../format/amount';
import { numberOf } from '../../format/number';
import { CUSTOM, typedPrice } from './payment-choice';

type Offer = Reply<'readCreditOffer'>;
type Settings = Reply<'readAutomaticTopUp'>['settings'];

export interface TopUpFields {
  readonly threshold: string;
  /** Id of a package; `custom` for an amount. */
  readonly choice: string;
  readonly amount: string;
  readonly maxPerDay: string;
  readonly monthly: string;
}

export function topUpFields(settings: Settings, { packages }: Pick<Offer, 'packages'>): TopUpFields {
  if (settings === null) return { threshold: '', choice: packages[0]?.id ?? CUSTOM, amount: '', maxPerDay: '1', monthly: '' };
  const { threshold, package: packageId, amount, max_per_day: maxPerDay, monthly_amount: monthly } = settings;
  return { threshold, choice: packageId ?? CUSTOM, amount: packageId === null ? amount : '', maxPerDay: String(maxPerDay), monthly };
}

/** Currency of the chosen package or custom amount. */
export function currencyOf({ choice }: Pick<TopUpFields, 'choice'>, { packages, custom }: Pick<Offer, 'packages' | 'custom'>): string {
  return (choice === CUSTOM ? custom?.currency : packages.find(({ id }) => id === choice)?.currency) ?? '';
}

/** Checks only that the threshold is a positive amount; the gateway checks the rest. */
export function thresholdFault({ threshold }: Pick<TopUpFields, 'threshold'>): string | null {
  return amountFault(threshold);
}

export function settingsOf({ threshold, choice, amount, maxPerDay, monthly }: TopUpFields): RequestBody<'enableAutomaticTopUp'> {
  return {
    threshold: typedAmount(threshold) ?? threshold, ...(choice === CUSTOM ? { amount: typedPrice(amount) ?? amount.trim() } : { package: choice }), max_per_day: /^\d{1,2}$/.test(maxPerDay.trim()) ? numberOf(maxPerDay.trim()) : 0, monthly_amount: typedPrice(monthly) ?? monthly.trim(),
  };
}
