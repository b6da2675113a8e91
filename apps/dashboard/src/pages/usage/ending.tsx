import { usage } from '#texts/usage';
import classes from './ending.module.css';
import type { UsageRow } from './usage-rows';

type EndReason = UsageRow['end_reason'];

const TONES: Readonly<Record<EndReason, 'good' | 'warning' | 'bad'>> = {
  completed: 'good', empty: 'warning', balance_exhausted: 'warning', key_limit_reached: 'warning', time_limit_reached: 'warning', client_left: 'warning', request_rejected: 'warning', shutdown: 'warning',
  provider_failed: 'bad', provider_unavailable: 'bad', crashed: 'bad', internal_error: 'bad',
};

/** True if the request failed through no fault of the client. */
export function isFailure(reason: EndReason): boolean {
  return TONES[reason] === 'bad';
}

/** Renders faster than `Status`, for lists. */
export function EndingBadge({ reason }: { readonly reason: EndReason }) {
  return <span className={`${classes['ending']} ${classes[TONES[reason]]}`}>{usage.endings[reason]}</span>;
}
