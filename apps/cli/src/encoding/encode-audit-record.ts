import { type AuditRecord, type JsonObject, rfc3339 } from '@tollgate/core';

/** An entry of the audit trail for programs. What has been erased is `null` or left out. */
export function encodeAuditRecord({ number, at, actor, origin, action, subject, accountId, details, texts }: AuditRecord): JsonObject {
  return {
    number,
    at: rfc3339(at),
    actor: { kind: actor.kind, id: actor.id },
    origin: origin === null ? null : { place: origin.place, user: origin.user, address: origin.address },
    action,
    subject,
    account_id: accountId,
    details,
    texts,
  };
}
