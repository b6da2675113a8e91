import {
  type Instant, later, MILLISECONDS_PER_DAY, MILLISECONDS_PER_HOUR, MILLISECONDS_PER_MINUTE, MILLISECONDS_PER_SECOND, type WebhookAttempt, type WebhookDisabledReason,
} from '@tollgate/core';

/** Delays after the first attempt, the second and so on, almost 76 hours in total. */
export const WEBHOOK_RETRY_MILLISECONDS = [
  5 * MILLISECONDS_PER_SECOND, 5 * MILLISECONDS_PER_MINUTE, 30 * MILLISECONDS_PER_MINUTE, 2 * MILLISECONDS_PER_HOUR, 5 * MILLISECONDS_PER_HOUR,
  10 * MILLISECONDS_PER_HOUR, 14 * MILLISECONDS_PER_HOUR, 20 * MILLISECONDS_PER_HOUR, 24 * MILLISECONDS_PER_HOUR,
] as const;

/** A webhook is disabled if its deliveries have failed for this time without a success. */
export const WEBHOOK_FAILING_MILLISECONDS = 5 * MILLISECONDS_PER_DAY;
/** How long deliveries are kept, delivered or not. */
export const WEBHOOK_LOG_MILLISECONDS = 30 * MILLISECONDS_PER_DAY;

const GONE = 410;

/** `attempts` includes the failed attempt; `null` if no attempt follows. */
export function nextWebhookAttemptAt(attempts: number, at: Instant): Instant | null {
  const pause = WEBHOOK_RETRY_MILLISECONDS[attempts - 1];
  return pause === undefined ? null : later(at, pause);
}

/** Why a failed attempt disables the webhook; `null` if it does not. */
export function disablesWebhook({ status, at }: WebhookAttempt, failingSince: Instant | null): WebhookDisabledReason | null {
  if (status === GONE) return 'gone';
  return failingSince !== null && at - failingSince >= WEBHOOK_FAILING_MILLISECONDS ? 'failing' : null;
}
