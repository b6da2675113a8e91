import { keys as texts } from '#texts/keys';
import type { Reply } from '../../api/call';
import { amountOf, microUnits } from '../../format/amount';
import { DAY } from '../../format/day';
import { ago, shortInstant } from '../../format/instant';
import { gatewayNow } from '../../format/gateway-time';

export type Key = Reply<'readKey'>;
/** `active` if none of the other states applies. */
type KeyState = 'active' | 'expires-soon' | 'limit-reached' | 'blocked' | 'expired' | 'revoked';

const SOON_DAYS = 7;
const WEEK = 7 * DAY;

/** Whole days until the key expires; `null` if it does not expire. */
export function daysLeft({ expires_at: expiresAt }: Pick<Key, 'expires_at'>, now: Date = gatewayNow()): number | null {
  return expiresAt === null ? null : Math.max(Math.floor((Date.parse(expiresAt) - now.getTime()) / DAY), 0);
}

export function stateOf(key: Key, now: Date = gatewayNow()): KeyState {
  if (key.status !== 'active') return key.status;
  if (key.blocked) return 'blocked';
  if (key.limit_reached) return 'limit-reached';
  const left = daysLeft(key, now);
  return left !== null && left <= SOON_DAYS ? 'expires-soon' : 'active';
}

/** True if the available balance is less than what is left of the key's limit. False without a limit. */
export function doesBalanceBind({ spending_limit: limit, spent, reserved }: Pick<Key, 'spending_limit' | 'spent' | 'reserved'>, available: string): boolean {
  if (limit === null || spent === null) return false;
  const left = microUnits(limit.svc_tokens) - microUnits(spent.svc_tokens) - microUnits(reserved?.svc_tokens ?? '0');
  return microUnits(available) < left;
}

/** The remaining limit, if it is positive but too small for a request; otherwise `null`. */
export function restOf(key: Pick<Key, 'spending_limit' | 'spent' | 'reserved' | 'limit_reached'>): string | null {
  if (!key.limit_reached || key.spending_limit === null) return null;
  const left = microUnits(key.spending_limit.svc_tokens) - microUnits(boundBy(key));
  return left > 0n ? amountOf(left) : null;
}

/** What counts against the key's spending limit: open reservations are included. */
export function boundBy({ spent, reserved }: Pick<Key, 'spent' | 'reserved'>): string {
  return amountOf(microUnits(spent?.svc_tokens ?? '0') + microUnits(reserved?.svc_tokens ?? '0'));
}

/** True if the key was used within seven days, so that ending it may stop a program. */
export function isInUse({ last_used_at: used, requests_7_days: requests }: Pick<Key, 'last_used_at' | 'requests_7_days'>, now: Date = gatewayNow()): boolean {
  return (requests ?? 0) > 0 || (used !== null && now.getTime() - Date.parse(used) < WEEK);
}

/** Says when the key was last used, and how often if that was within seven days. */
export function usageSentence({ last_used_at: used, requests_7_days: requests }: Pick<Key, 'last_used_at' | 'requests_7_days'>, now: Date = gatewayNow()): string {
  if (used === null) return texts.use.never;
  const when = ago(used, now) ?? shortInstant(used, now);
  return isInUse({ last_used_at: used, requests_7_days: requests }, now) ? texts.use.lately(when, requests) : texts.use.before(when);
}

/** What to type for confirmation: the key's name, or the end of its hint. */
export function confirmationOf({ name, hint }: Pick<Key, 'name' | 'hint'>): string {
  return name ?? hint.slice(-4);
}
