import {
  type Banner, type Block, type IncidentLimit, type Instant, type JsonObject, maintenanceBanner, maintenanceStateAt, maintenanceText,
  type RecordedIncidentLimit, type RecordedMaintenance, rfc3339,
} from '@tollgate/core';
import { timeOrNull } from './encode-time.js';

/** The banner at the top of every dashboard page; `null` if there is none. */
export function encodeBanner(banner: Banner | null) {
  if (banner === null) return null;
  const { kind, state, from, until, text } = banner;
  return { kind, state, from: rfc3339(from), until: timeOrNull(until), text };
}

/** The limit of a model; `null` for each figure that is unlimited. */
export function encodeIncidentLimit(limit: IncidentLimit) {
  return {
    model: limit.model,
    requests_per_minute: limit.requestsPerMinute,
    tokens_per_minute: limit.tokensPerMinute,
    concurrent_requests: limit.concurrentRequests,
    expires_at: timeOrNull(limit.expiresAt),
  };
}

/** The block as operators see it. Its id is the subject: an account, a key, or a network in canonical form. */
export function encodeBlock({ target: { kind, subject }, reason, blockedBy, blockedAt, expiresAt }: Block): JsonObject {
  return { id: subject, object: 'block', kind, reason, blocked_by: blockedBy, blocked_at: rfc3339(blockedAt), expires_at: timeOrNull(expiresAt) };
}

const OFF = { object: 'maintenance', state: 'off', from: null, until: null, message: null, text: null, banner: null, set_by: null, set_at: null } as const;

/** The maintenance as operators see it. `text` is the message of refusals during maintenance; `banner` is what owners see now. */
export function encodeMaintenance(maintenance: RecordedMaintenance | null, now: Instant): JsonObject {
  const state = maintenanceStateAt(maintenance, now);
  if (maintenance === null || state === 'off') return OFF;
  const { startsAt, endsAt, message, setBy, setAt } = maintenance;
  return {
    ...OFF, state, from: rfc3339(startsAt), until: timeOrNull(endsAt), message, text: maintenanceText(maintenance),
    banner: encodeBanner(maintenanceBanner(maintenance, now)), set_by: setBy, set_at: rfc3339(setAt),
  };
}

/** The incident limit as operators see it: with who set it, and when. */
export function encodeRecordedLimit(limit: RecordedIncidentLimit): JsonObject {
  return { object: 'incident_limit', ...encodeIncidentLimit(limit), set_at: rfc3339(limit.setAt), set_by: limit.setBy };
}
