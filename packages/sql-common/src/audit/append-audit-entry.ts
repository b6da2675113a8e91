import { createHash, randomBytes } from 'node:crypto';
import {
  ACCOUNT_VIEWED, type AccountId, type AuditedAct, type AuditedBy, eventOfAct, invariant,
  type PersonalText, personalTextsOf, type PersonId, startOfNextUtcDay, startOfUtcDay,
} from '@tollgate/core';
import { appendEvent } from '../events/append-event.js';
import { claimMachineRequest } from '../idempotency/claim-machine-request.js';
import { storableText } from '../schema/storable-text.js';
import { changesOf, firstOf, type Script } from '../script/script.js';
import type { Queries } from '../script/queries.js';

/** Columns of an entry that its hash covers. `details` and `texts` are the same JSON texts that were hashed. */
export interface AuditRow {
  readonly seq: bigint;
  readonly at: bigint;
  readonly actor_kind: string;
  readonly actor_id: string;
  readonly action: string;
  readonly subject: string;
  readonly details: string;
  readonly origin: string;
  readonly account_id: string | null;
  readonly texts: string;
  readonly via: string | null;
}

/** Stands for the previous hash in the hash of the first entry. */
export const FIRST_PREVIOUS_HASH = '';

/** SHA-256 over an entry and the previous hash, so that an entry that is changed, removed or moved is detected. */
export function auditHash(previousHash: string, row: AuditRow): string {
  const { actor_kind, actor_id, action, subject, details, origin, account_id, texts, via } = row;
  const fields = [previousHash, `${row.seq}`, `${row.at}`, actor_kind, actor_id, action, subject, details, origin, account_id, texts, via];
  return createHash('sha256').update(JSON.stringify(fields)).digest('hex');
}

/** A personal text of an entry. It is stored in a separate table, so that it can be erased. */
export interface AuditTextRow {
  readonly entry: bigint;
  readonly field: string;
  readonly owner: string;
  readonly salt: string;
  readonly text: string;
}

const SALT_BYTES = 16;

/** Digest of a personal text, stored in the entry. After the salt has been erased, the text cannot be guessed from its digest. */
type TextDigest = readonly [field: string, owner: string, digest: string];

function digestOf({ field, owner, salt, text }: AuditTextRow): TextDigest {
  return [field, owner, createHash('sha256').update(salt + text).digest('hex')];
}

/** Rows for the texts of an entry, each with its own salt. */
function textRows(entry: bigint, texts: readonly PersonalText[]): readonly AuditTextRow[] {
  return texts.map(({ field, owner, text }) => ({
    entry, field, owner: storableText(owner), salt: randomBytes(SALT_BYTES).toString('hex'), text: storableText(text),
  }));
}

/** Digests of an entry's personal texts, as stored in the entry. */
function digestsOf(rows: readonly AuditTextRow[]): string {
  return JSON.stringify(rows.map(digestOf));
}

/** True if every text that has not been erased matches its digest. */
export function areTextsSound(digests: string, rows: readonly AuditTextRow[]): boolean {
  const written = new Set((JSON.parse(digests) as readonly TextDigest[]).map((digest) => JSON.stringify(digest)));
  return rows.every((row) => written.has(JSON.stringify(digestOf(row))));
}

export function textsByEntry(rows: readonly AuditTextRow[]): ReadonlyMap<bigint, readonly AuditTextRow[]> {
  const byEntry = new Map<bigint, AuditTextRow[]>();
  for (const row of rows) byEntry.set(row.entry, [...(byEntry.get(row.entry) ?? []), row]);
  return byEntry;
}

/**
 * Erases the personal texts of people and accounts. The hashes of entries stay valid. Must run after the last entry that may contain texts of these
 * owners.
 */
export function* eraseAuditTexts(queries: Queries, owners: readonly (PersonId | AccountId)[]): Script<void> {
  yield* changesOf(queries.deleteFrom('audit_texts').where('owner', 'in', owners));
}

/**
 * Writes the audit entry and the event of a change, in the transaction of the change. If a machine requested the change, also claims its idempotency
 * key. The entry continues from the anchor instead of the last row, so that a gap remains visible if entries were deleted at the end.
 */
export function* appendAuditEntry(queries: Queries, act: AuditedAct): Script<void> {
  const { at, subject, accountId, actor: { claim } } = act;
  if (claim !== undefined) yield* claimMachineRequest(queries, claim, { at, subject, accountId });
  const anchor = yield* firstOf(queries.selectFrom('audit_anchor').select(['entries', 'head']));
  invariant(anchor !== null, 'the audit log has its anchor');
  const { kind, id, origin } = act.actor;
  const seq = anchor.entries + 1n;
  const texts = textRows(seq, personalTextsOf(act));
  const row: AuditRow = {
    seq,
    at: BigInt(act.at),
    actor_kind: kind,
    actor_id: storableText(id),
    action: act.action,
    subject: storableText(act.subject),
    details: JSON.stringify(act.details),
    origin: origin.place,
    account_id: act.accountId,
    texts: digestsOf(texts),
    via: origin.via,
  };
  const hash = auditHash(anchor.head, row);
  yield* changesOf(queries.insertInto('audit_entries').values({ ...row, hash }));
  if (texts.length > 0) yield* changesOf(queries.insertInto('audit_texts').values([...texts]));
  yield* changesOf(queries.updateTable('audit_anchor').set({ entries: row.seq, head: hash }));
  const event = eventOfAct(act);
  if (event !== null) yield* appendEvent(queries, event);
}

/** Writes an entry, unless one already exists for this actor's view of the account on the same UTC day. Returns true if it wrote one. */
export function* recordAccountView(queries: Queries, accountId: AccountId, by: AuditedBy): Script<boolean> {
  const { actor, at } = by;
  const recorded = yield* firstOf(queries.selectFrom('audit_entries').select('seq')
    .where('account_id', '=', accountId).where('actor_id', '=', storableText(actor.id)).where('action', '=', ACCOUNT_VIEWED)
    .where('at', '>=', BigInt(startOfUtcDay(at))).where('at', '<', BigInt(startOfNextUtcDay(at))).limit(1));
  if (recorded !== null) return false;
  yield* appendAuditEntry(queries, { ...by, action: ACCOUNT_VIEWED, subject: accountId, accountId, details: {} });
  return true;
}
