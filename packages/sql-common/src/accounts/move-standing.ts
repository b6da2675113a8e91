import { type AccountId, type AuditedBy, isSuspended, type StandingMove } from '@tollgate/core';
import type { Updateable } from 'kysely';
import { appendAuditEntry } from '../audit/append-audit-entry.js';
import { deleteBlock, insertBlock } from '../platform/blocks.js';
import { storableTextOrNull } from '../schema/storable-text.js';
import type { AccountTable } from '../schema/database-schema.js';
import { changesOf, type Script } from '../script/script.js';
import type { Queries } from '../script/queries.js';
import { standingToColumns } from './account-rows.js';

/** The reason of the first suspension is stored until the suspension ends. */
function reasonColumn({ from, to, reason = null }: StandingMove): Updateable<AccountTable> {
  if (!isSuspended(to)) return { suspension_reason: null };
  return isSuspended(from) ? {} : { suspension_reason: storableTextOrNull(reason) };
}

/** Returns `false`, without effect, if the account's standing is no longer `from`. */
export function* moveStanding(queries: Queries, move: StandingMove & { readonly id: AccountId }, by: AuditedBy): Script<boolean> {
  const { id, from, to, action, terms, reason = null } = move;
  const expected = standingToColumns(from);
  const isDated = expected.deletion_due_at !== null;
  const unchanged = queries.updateTable('accounts').set({ ...standingToColumns(to), ...reasonColumn(move), updated_at: by.at }).where('id', '=', id)
    .where('status', '=', expected.status).where('email_verified', '=', BigInt(expected.email_verified)).where('blocked', '=', BigInt(expected.blocked));
  const changes = yield* changesOf(isDated
    ? unchanged.where('deletion_due_at', '=', BigInt(expected.deletion_due_at)).where('deletion_returns_to', '=', expected.deletion_returns_to)
    : unchanged.where('deletion_due_at', 'is', null));
  if (changes === 0) return false;
  if (to.blocked && !from.blocked) yield* insertBlock(queries, { kind: 'account', subject: id }, { ...by, ...terms });
  if (from.blocked && !to.blocked) yield* deleteBlock(queries, { kind: 'account', subject: id });
  const details = { dueAt: to.deletion?.dueAt ?? null, ...(terms === undefined ? {} : { expiresAt: terms.expiresAt }) };
  yield* appendAuditEntry(queries, { ...by, action, subject: id, accountId: id, details, texts: { reason: terms?.reason ?? reason } });
  return true;
}
