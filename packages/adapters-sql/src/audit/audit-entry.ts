import { createHash } from 'node:crypto';
import type { Actor, Instant, JsonObject } from '@tollgate/core';

/** One change as the audit trail records it. */
export interface AuditEntry {
  readonly actor: Actor;
  readonly at: Instant;
  /** `account.created`: what it happened to, and what happened. */
  readonly action: string;
  /** Id of what was changed. */
  readonly subject: string;
  /** Never a secret, nor anything one could be found by. */
  readonly details: JsonObject;
}

/** The stored form that the hash is over; `details` is kept as the text that was hashed. */
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
}

/** What the first entry follows. */
export const FIRST_PREVIOUS_HASH = '';

/**
 * SHA-256 over an entry and the hash before it, so that none can be changed, removed or moved unnoticed.
 * Entries from before origins were recorded have none, and were hashed without them.
 */
export function auditHash(previousHash: string, row: AuditRow): string {
  const fields = [previousHash, `${row.seq}`, `${row.at}`, row.actor_kind, row.actor_id, row.action, row.subject, row.details];
  const origin = row.origin === null ? [] : [row.origin, row.origin_user];
  return createHash('sha256').update(JSON.stringify([...fields, ...origin])).digest('hex');
}
