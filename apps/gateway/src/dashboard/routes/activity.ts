import { type Account, type AuditQuery, type AuditRecord, type AuditTrail, GatewayError, type PersonId, rfc3339 } from '@tollgate/core';
import type { contract, ReplyOf } from '@tollgate/api-contract';

type ActivityPage = ReplyOf<typeof contract.activity>;

/** `ownerId` is `null` without an owner. */
export interface Owned {
  readonly account: Account;
  readonly ownerId: PersonId | null;
}

/** Omits identity and address of operators. */
function encodeActivity({ number, at, action, subject, actor, origin }: AuditRecord, ownerId: PersonId | null): ActivityPage['data'][number] {
  const isOwn = actor.kind === 'owner' && actor.id === ownerId;
  return { id: `audit_${number}`, object: 'activity', at: rfc3339(at), action, subject, by: actor.kind, address: isOwn ? origin.address : null, via: origin.via };
}

/** Throws `invalid_request` for an invalid cursor. */
export async function listActivity({ account, ownerId }: Owned, page: Pick<AuditQuery, 'limit' | 'cursor'>, { auditTrail }: { readonly auditTrail: AuditTrail }): Promise<ActivityPage> {
  const found = await auditTrail.list({ accountId: account.id, actorKind: null, actorId: null, action: null, from: null, to: null, ...page });
  if (found === null) throw new GatewayError('invalid_request', 'cursor: must be the next_cursor of an earlier page.', { param: 'cursor' });
  const { records, nextCursor } = found;
  return { object: 'list', data: records.map((record) => encodeActivity(record, ownerId)), has_more: nextCursor !== null, next_cursor: nextCursor };
}
