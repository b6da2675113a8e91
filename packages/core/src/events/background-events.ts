import type { AccountId } from '../primitives/ids.js';
import { assertNever } from '../primitives/assert-never.js';
import type { Instant, UtcDay, UtcMonth } from '../primitives/time.js';
import type { NewEvent } from './account-event.js';

/** A plan's token cap that led to the refusal of a request. */
export interface ReachedCap {
  readonly accountId: AccountId;
  readonly period: UtcDay | UtcMonth;
  /** In model tokens. */
  readonly maximum: number;
  /** Includes running requests. */
  readonly used: number;
}

/** A problem that lasts as long as any gateway reports it. */
export type Condition =
  | { readonly kind: 'upstream-down'; readonly upstreamId: string; readonly upstreamModel: string }
  | { readonly kind: 'credentials-refused'; readonly upstreamId: string }
  | { readonly kind: 'ledger-disagreement' };

export function capEvent({ accountId, period, maximum, used }: ReachedCap, at: Instant): NewEvent {
  return { type: 'account.cap_reached', accountId, at, data: { period, limit: maximum, used } };
}

export function conditionEvent(condition: Condition, at: Instant): NewEvent {
  switch (condition.kind) {
    case 'upstream-down': return { type: 'upstream.down', accountId: null, at, data: upstreamData(condition) };
    case 'credentials-refused': return { type: 'upstream.credentials_refused', accountId: null, at, data: { upstream: condition.upstreamId } };
    case 'ledger-disagreement': return { type: 'ledger.disagreement', accountId: null, at, data: {} };
    default: return assertNever(condition);
  }
}

/** `null` for a condition whose end has no event. */
export function conditionEndEvent(condition: Condition, at: Instant): NewEvent | null {
  return condition.kind === 'upstream-down' ? { type: 'upstream.up', accountId: null, at, data: upstreamData(condition) } : null;
}

function upstreamData({ upstreamId, upstreamModel }: Extract<Condition, { kind: 'upstream-down' }>) {
  return { upstream: upstreamId, upstream_model: upstreamModel };
}

/** Events that neither an act nor a booking causes. Each is stored once, however many gateways notice its cause. */
export interface BackgroundEvents {
  /** Stores one event per account and period; false if it was stored before. */
  capReached(cap: ReachedCap, at: Instant): Promise<boolean>;
  /** Stores the missing events of a bounded number of expired keys; returns how many. A key that is revoked before its event is stored gets none. */
  keysExpired(at: Instant): Promise<number>;
  /** Records that the given problems still exist, and stores an event for each problem that was not recorded yet. */
  conditionsHold(conditions: readonly Condition[], at: Instant): Promise<void>;
  /** Ends a bounded number of conditions that no gateway has reported for a while; returns how many. */
  conditionsEnd(at: Instant): Promise<number>;
}
