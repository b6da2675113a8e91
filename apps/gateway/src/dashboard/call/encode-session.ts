import { machineActorId, rfc3339 } from '@tollgate/core';
import type { contract, ReplyOf } from '@tollgate/api-contract';
import type { Session } from '@tollgate/identity';

type EncodedSession = ReplyOf<typeof contract.currentSession>['session'];

/** `current` marks the requesting session. */
export function encodeSession(session: Session, current: Session): EncodedSession {
  return {
    id: session.id, object: 'session', is_current: session.id === current.id, signed_in_by: session.signedInBy, created_at: rfc3339(session.createdAt),
    last_used_at: rfc3339(session.lastUsedAt), address: session.address, user_agent: session.userAgent,
    via: session.machineId === null ? null : machineActorId(session.machineId),
  };
}
