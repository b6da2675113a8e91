import type { NullableWhole, Whole, WholeOrDefault } from './column-types.js';
import type { CountColumns } from './token-columns.js';

export interface ApiKeyTable {
  id: string;
  account_id: string;
  name: string | null;
  hash: string;
  hint: string;
  created_at: Whole;
  expires_at: NullableWhole;
  revoked_at: NullableWhole;
  last_used_at: NullableWhole;
  blocked: Whole;
  /** Key that this one replaced by rotation; otherwise `null`. */
  replaces: string | null;
  /** JSON list of slugs; `null` if the key permits all models of the account. */
  models: string | null;
  /** Micro-tokens per period; `null` without a limit. */
  limit_amount: NullableWhole;
  limit_period: string | null;
  /** Key under which the spending is counted; `null` for the key itself. */
  lineage: string | null;
  /** 1 after the event of the expiry was stored. */
  expiry_told: WholeOrDefault;
  /** Time of the last change, block or revocation, but not of the last use. */
  updated_at: Whole;
}

/** A key without a secret. It is blocked while `blocks` has a row for it. */
export interface PlaygroundKeyTable {
  account_id: string;
  id: string;
  created_at: Whole;
}

/** One row per lineage and UTC day or month. */
export interface KeySpendingTable {
  lineage: string;
  period: string;
  spent: Whole;
  reserved: Whole;
}

/** One row per currency rate, so that sums in US dollars are exact. */
export interface RollUpColumns extends CountColumns {
  account_id: string;
  day: string;
  usd_rate: string;
  requests: Whole;
  charge: Whole;
}

/** An empty text stands for no model or no key. */
export interface UsageDailyTable extends RollUpColumns {
  model: string;
  key_id: string;
}

/** Includes only requests that name a user. */
export interface UsageDailyUserTable extends RollUpColumns {
  attribution: string;
}

/**
 * Sums per UTC day over all accounts, by `dimension`. Only the version in `usage_totalled_days` is valid; the others are being written or were
 * replaced.
 */
export interface UsageTotalsTable extends Omit<RollUpColumns, 'account_id'> {
  version: Whole;
  dimension: string;
  part: string;
}

/** A day with sums over all accounts. */
export interface UsageTotalledDayTable {
  day: string;
  version: Whole;
  /** Number of the day's late settlements that are included in the sums. */
  late_settlements: Whole;
}

/** Table with one row. `version` is the number of the newest run, which has a claim until `claimed_until`. */
export interface UsageTotalsStateTable {
  id: Whole;
  version: Whole;
  claimed_until: Whole;
  /** `seq` up to which all records are included; `null` before the first run. */
  counted_through: NullableWhole;
  /** The next `counted_through`. It applies when all transactions that began before `newest_at` must have ended. */
  newest_seq: Whole;
  newest_at: Whole;
  summed_at: NullableWhole;
}

/** Append-only. Entries are numbered from 1 without gaps. Each hash covers the row and the previous hash. */
export interface AuditEntryTable {
  seq: Whole;
  at: Whole;
  actor_kind: string;
  actor_id: string;
  action: string;
  subject: string;
  details: string;
  hash: string;
  origin: string;
  account_id: string | null;
  /** JSON list with field, owner and digest of each personal text. The digest is SHA-256 of salt and text. */
  texts: string;
  /** `machine:<id>` for acts in a session that a machine's link started. */
  via: string | null;
}

/** Personal texts. They are erased with their owner, who is a person or an account. */
export interface AuditTextTable {
  entry: Whole;
  field: string;
  owner: string;
  salt: string;
  text: string;
}

/** Table with one row: the number of entries, and the last hash. */
export interface AuditAnchorTable {
  id: Whole;
  entries: Whole;
  head: string;
}

/** Table with at most one row. */
export interface InstallationTable {
  id: Whole;
  /** Fingerprint derived from the secret. */
  fingerprint: string;
  recorded_at: Whole;
}
