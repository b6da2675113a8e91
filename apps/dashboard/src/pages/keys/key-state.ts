import { keys as texts } from '#texts/keys';
import type { Reply } from '../../api/call';
import { amountOf, microUnits } from '../../format/amount';
import { ago, shortInstant } from '../../format/instant';

export type Key = Reply<'readKey'>;
/** What ended a key, or binds it; `active` where nothing does. */
export type KeyState = 'active' | 'expires-soon' | 'limit-reached' | 'blocked' | 'expired' | 'revoked';

const DAY = 86_400_000;
const SOON_DAYS = 7;
const WEEK = 7 * DAY;

/** Whole days until the key expires; `null` where it does not. */
export function daysLeft({ expires_at: expiresAt }: Pick<Key, 'expires_at'>, now: Date = new Date()): number | null {
  return expiresAt === null ? null : Math.max(Math.floor((Date.parse(expiresAt) - now.getTime()) / DAY), 0);
}

export function stateOf(key: Key, now: Date = new Date()): KeyState {
  if (key.status !== 'active') return key.status;
  if (key.blocked) return 'blocked';
  if (key.limit_reached) return 'limit-reached';
  const left = daysLeft(key, now);
  return left !== null && left <= SOON_DAYS ? 'expires-soon' : 'active';
}

/** Whether the account's balance ends before the key's own limit does. A key without a limit is bound by the balance anyway. */
export function doesBalanceBind({ spending_limit: limit, spent, reserved }: Pick<Key, 'spending_limit' | 'spent' | 'reserved'>, available: string): boolean {
  if (limit === null || spent === null) return false;
  const left = microUnits(limit.svc_tokens) - microUnits(spent.svc_tokens) - microUnits(reserved?.svc_tokens ?? '0');
  return microUnits(available) < left;
}

/** What is left of its limit, where that is more than nothing and too little for a request. */
export function restOf(key: Pick<Key, 'spending_limit' | 'spent' | 'reserved' | 'limit_reached'>): string | null {
  if (!key.limit_reached || key.spending_limit === null) return null;
  const left = microUnits(key.spending_limit.svc_tokens) - microUnits(boundBy(key));
  return left > 0n ? amountOf(left) : null;
}

/** What of the limit is spent or set aside, for its bar. */
export function boundBy({ spent, reserved }: Pick<Key, 'spent' | 'reserved'>): string {
  return amountOf(microUnits(spent?.svc_tokens ?? '0') + microUnits(reserved?.svc_tokens ?? '0'));
}

/** Whether the key was used within the last seven days, so that ending it may stop a program. */
export function isInUse({ last_used_at: used, requests_7_days: requests }: Pick<Key, 'last_used_at' | 'requests_7_days'>, now: Date = new Date()): boolean {
  return (requests ?? 0) > 0 || (used !== null && now.getTime() - Date.parse(used) < WEEK);
}

/** When and how much the key was used, as a sentence. */
export function usageSentence({ last_used_at: used, requests_7_days: requests }: Pick<Key, 'last_used_at' | 'requests_7_days'>, now: Date = new Date()): string {
  if (used === null) return texts.use.never;
  const when = ago(used, now) ?? shortInstant(used, now);
  return isInUse({ last_used_at: used, requests_7_days: requests }, now) ? texts.use.lately(when, requests) : texts.use.before(when);
}

/** What has to be typed before a key in use is revoked: its name, or the end of its hint where it has none. */
export function confirmationOf({ name, hint }: Pick<Key, 'name' | 'hint'>): string {
  return name ?? hint.slice(-4);
}
