import type { AuditedAct, AuditedAction } from '../platform/audited-act.js';
import { type Instant, rfc3339 } from '../primitives/time.js';
import type { JsonObject, JsonValue } from '../primitives/json.js';
import type { EventType, NewEvent } from './account-event.js';

type EventBody = Pick<NewEvent, 'type' | 'data'>;

const SNAKE = /[A-Z]/g;

function snakeCase(name: string): string {
  return name.replaceAll(SNAKE, (letter) => `_${letter.toLowerCase()}`);
}

function changedFields({ details, texts = {} }: AuditedAct): readonly string[] {
  const given = Object.entries(texts).flatMap(([field, text]) => (text === null ? [] : [field]));
  return [...Object.keys(details), ...given].map(snakeCase);
}

function standingChanged({ action }: AuditedAct): EventBody {
  return { type: 'account.standing_changed', data: { act: action.slice('account.'.length).replaceAll('-', '_') } };
}

function ofKey(type: EventType, { subject }: AuditedAct, data: JsonObject = {}): EventBody {
  return { type, data: { key_id: subject, ...data } };
}

/** A rotation is audited as a revocation, which names the replacement, and a creation, which names the key that it replaces. */
function keyCreated(act: AuditedAct): EventBody {
  const { replaces } = act.details;
  return replaces === undefined ? ofKey('key.created', act) : ofKey('key.rotated', act, { replaces });
}

function timeOf(value: JsonValue | undefined): string | null {
  return typeof value === 'number' ? rfc3339(value as Instant) : null;
}

const ACTS: Readonly<Partial<Record<AuditedAction, (act: AuditedAct) => EventBody | null>>> = {
  'account.created': ({ details: { planId = null } }) => ({ type: 'account.created', data: { plan_id: planId } }),
  'account.changed': (act) => ({ type: 'account.changed', data: { changed: changedFields(act) } }),
  'account.verified': standingChanged,
  'account.suspended': standingChanged,
  'account.reactivated': standingChanged,
  'account.blocked': standingChanged,
  'account.unblocked': standingChanged,
  'account.deletion-requested': standingChanged,
  'account.deletion-cancelled': standingChanged,
  'account.deleted': ({ details: { forfeited = '0' } }) => ({ type: 'account.deleted', data: { forfeited } }),
  'person.email-changed': () => ({ type: 'account.changed', data: { changed: ['email'] } }),
  'key.created': keyCreated,
  'key.changed': (act) => ofKey('key.changed', act, { act: 'changed' }),
  'key.revoked': (act) => (act.details['replacement'] === undefined ? ofKey('key.revoked', act) : null),
  'key.blocked': (act) => ofKey('key.blocked', act),
  'key.unblocked': (act) => ofKey('key.changed', act, { act: 'unblocked' }),
  'webhook.disabled': ({ subject, details: { reason = null } }) => ({ type: 'webhook.disabled', data: { webhook_id: subject, reason } }),
  'platform.maintenance-on': ({ details: { startsAt, endsAt } }) => ({ type: 'maintenance.started', data: { starts_at: timeOf(startsAt), ends_at: timeOf(endsAt) } }),
  'platform.maintenance-off': () => ({ type: 'maintenance.ended', data: {} }),
};

/** Events that belong to the platform if the act has no account. */
const OF_PLATFORM = /^(maintenance|webhook)\./;

/** The event of an audited act; `null` if it has none. Acts on playground keys have none; events of money acts are written with the booking. */
export function eventOfAct(act: AuditedAct): NewEvent | null {
  if (act.details['playground'] === true) return null;
  const body = ACTS[act.action]?.(act) ?? null;
  if (body === null || (act.accountId === null && !OF_PLATFORM.test(body.type))) return null;
  return { ...body, accountId: act.accountId, at: act.at };
}
