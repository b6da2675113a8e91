import { type Account, AUDITED_MONEY_ACTS, type AuditQuery, type AuditRecord, type AuditTrail, GatewayError, type PersonId, rfc3339 } from '@tollgate/core';
import type { contract, ReplyOf } from '@tollgate/api-contract';

type ActivityPage = ReplyOf<typeof contract.activity>;

export interface Owned {
  readonly account: Account;
  readonly ownerId: PersonId | null;
}

const BOOKINGS: ReadonlySet<string> = new Set(Object.values(AUDITED_MONEY_ACTS));

/** `null` for acts that booked nothing, or that name no amount. */
export function bookingOf({ action, details: { amount, reference, request = null, direction }, texts }: Pick<AuditRecord, 'action' | 'details' | 'texts'>): ActivityPage['data'][number]['booking'] {
  if (!BOOKINGS.has(action) || typeof amount !== 'string' || typeof reference !== 'string') return null;
  return { svc_tokens: direction === 'lower' ? `-${amount}` : amount, reference, request_id: typeof request === 'string' ? request : null, reason: texts['reason'] ?? null };
}

/** The act as owners see it, without identity and address of operators. */
function encodeActivity(record: AuditRecord, ownerId: PersonId | null): ActivityPage['data'][number] {
  const { number, at, action, subject, actor, origin } = record;
  const isOwn = actor.kind === 'owner' && actor.id === ownerId;
  return { id: `audit_${number}`, object: 'activity', at: rfc3339(at), action, subject, by: actor.kind, address: isOwn ? origin.address : null, via: origin.via, booking: bookingOf(record) };
}

/** Throws `invalid_request` for an invalid cursor. */
export async function listActivity({ account, ownerId }: Owned, page: Pick<AuditQuery, 'limit' | 'cursor'>, { auditTrail }: { readonly auditTrail: AuditTrail }): Promise<ActivityPage> {
  const found = await auditTrail.list({ accountId: account.id, actorKind: null, actorId: null, action: null, from: null, to: null, ...page });
  if (found === null) throw new GatewayError('invalid_request', 'cursor: must be the next_cursor of an earlier page.', { param: 'cursor' });
  const { records, nextCursor } = found;
  return { object: 'list', data: records.map((record) => encodeActivity(record, ownerId)), has_more: nextCursor !== null, next_cursor: nextCursor };
}
