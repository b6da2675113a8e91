import type { Whole } from './column-values.js';

/** Append-only; numbered from 1 without gaps, each row hashed together with the hash before it. */
export interface AuditEntryTable {
  seq: Whole;
  at: Whole;
  actor_kind: string;
  actor_id: string;
  action: string;
  subject: string;
  details: string;
  hash: string;
  /** Where the act came from; `null` in entries from before this was recorded. */
  origin: string | null;
  /** In entries from before personal texts stood beside the trail. */
  origin_user: string | null;
  /** The account that the entry concerns. */
  account_id: string | null;
  /** JSON: of each text beside the entry, its field, its owner and the SHA-256 of its salt and itself; `null` in older entries. */
  texts: string | null;
}

/** Personal texts of audit entries; erased with their owner, who is a person or an account. */
export interface AuditTextTable {
  entry: Whole;
  field: string;
  owner: string;
  salt: string;
  text: string;
}

/** One row: how many entries the audit trail has, and the hash of the last one. */
export interface AuditAnchorTable {
  id: Whole;
  entries: Whole;
  head: string;
}
