import type { contract, ReplyOf } from '@tollgate/dashboard-contract';
import { type AuditQuery, type AuditRecord, type AuditTrail, GatewayError, type Person, rfc3339 } from '@tollgate/core';
import type { Visitor } from '../../call/dashboard-call.js';

type ActivityPage = ReplyOf<typeof contract.activity>;

/** What an owner may know of an entry: of operators, neither who they are nor from where they act. */
function encodeActivity({ number, at, action, subject, actor, origin }: AuditRecord, person: Person): ActivityPage['data'][number] {
  const isOwn = actor.kind === 'owner' && actor.id === person.id;
  return { id: `audit_${number}`, object: 'activity', at: rfc3339(at), action, subject, by: actor.kind, address: isOwn ? origin?.address ?? null : null };
}

/** A page of what was changed about the visitor's account. Throws `invalid_request` when the cursor is none. */
export async function listActivity({ person, account }: Visitor, page: Pick<AuditQuery, 'limit' | 'cursor'>, { auditTrail }: { readonly auditTrail: AuditTrail }): Promise<ActivityPage> {
  const found = await auditTrail.list({ accountId: account.id, actorKind: null, actorId: null, action: null, from: null, to: null, ...page });
  if (found === null) throw new GatewayError('invalid_request', 'cursor: must be the next_cursor of an earlier page.', { param: 'cursor' });
  const { records, nextCursor } = found;
  return { object: 'list', data: records.map((record) => encodeActivity(record, person)), has_more: nextCursor !== null, next_cursor: nextCursor };
}
