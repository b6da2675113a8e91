import { automaticTopUp as texts } from '#texts/automatic-top-up';
import type { ReactNode } from 'react';
import type { Reply } from '../api/call';
import { exactCount } from '../format/count';
import { priceOf } from '../format/price-of';
import { topUpState } from './top-up-state';
import { Amount } from './amount';
import { Instant } from './instant';
import { PaymentStatus } from './payment-status';
import facts from './facts.module.css';

type TopUp = Reply<'readAutomaticTopUp'>;

interface TopUpFactsProps {
  readonly topUp: TopUp;
  /** The time of the last charge, as a link to its payment. Not shown before the first charge. */
  readonly lastCharge: ReactNode;
}

/** State, settings and last charge in words. */
export function TopUpFacts({ topUp, lastCharge }: TopUpFactsProps) {
  const { settings, last_charge: last, next_try_at: nextTry, charges_today: today, charged_this_month: month } = topUp;
  return (
    <dl className={facts['facts']}>
      <dt>{texts.state}</dt><dd aria-live="polite">{topUpState(topUp)}</dd>
      {settings !== null && (
        <>
          <dt>{texts.below}</dt><dd><Amount value={settings.threshold} /></dd>
          <dt>{texts.bought}</dt>
          <dd><Amount value={settings.svc_tokens} /> {texts.forPrice} {priceOf({ amount: settings.amount, currency: settings.currency })}</dd>
          <dt>{texts.today}</dt><dd>{texts.ofAtMost(exactCount(today), exactCount(settings.max_per_day))}</dd>
          <dt>{texts.thisMonth}</dt><dd>{texts.ofAtMost(priceOf({ amount: month ?? '0', currency: settings.currency }), priceOf({ amount: settings.monthly_amount, currency: settings.currency }))}</dd>
        </>
      )}
      {nextTry !== null && <><dt>{texts.nextTry}</dt><dd><Instant at={nextTry} /></dd></>}
      <dt>{texts.lastCharge}</dt><dd>{last === null ? texts.noCharge : <>{lastCharge} <PaymentStatus state={last.state} /></>}</dd>
    </dl>
  );
}
