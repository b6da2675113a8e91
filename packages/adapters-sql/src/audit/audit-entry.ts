import { createHash } from 'node:crypto';

/** The stored form that the hash is over; `details` and `texts` are kept as the text that was hashed. */
export interface AuditRow {
  readonly seq: bigint;
  readonly at: bigint;
  readonly actor_kind: string;
  readonly actor_id: string;
  readonly action: string;
  readonly subject: string;
  readonly details: string;
  readonly origin: string | null;
  readonly origin_user: string | null;
  readonly account_id: string | null;
  readonly texts: string | null;
}

/** What the first entry follows. */
export const FIRST_PREVIOUS_HASH = '';

/**
 * SHA-256 over an entry and the hash before it, so that none can be changed, removed or moved unnoticed.
 * Entries from before origins, or personal texts, were recorded have none, and were hashed without them.
 */
export function auditHash(previousHash: string, row: AuditRow): string {
  const fields = [previousHash, `${row.seq}`, `${row.at}`, row.actor_kind, row.actor_id, row.action, row.subject, row.details];
  const origin = row.origin === null ? [] : [row.origin, row.origin_user];
  const beside = row.texts === null ? [] : [row.account_id, row.texts];
  return createHash('sha256').update(JSON.stringify([...fields, ...origin, ...beside])).digest('hex');
}
