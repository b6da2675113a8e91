import type { NullableWhole, Whole } from './columns.js';
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
  /** The key this one was issued in place of; `null` for one that was created. */
  replaces: string | null;
  /** Slugs as a JSON array; `null`: all models of the account. */
  models: string | null;
  /** Micro-tokens a period; `null`: no limit. */
  limit_amount: NullableWhole;
  limit_period: string | null;
  /** What its spending is counted under; `null`: its own id. */
  lineage: string | null;
}

/** The keys of playgrounds, which have an id and no secret. Such a key is blocked while `blocks` has a row for it. */
export interface PlaygroundKeyTable {
  account_id: string;
  id: string;
  created_at: Whole;
}

/** What counts against the limits of keys: one row per lineage of keys and UTC day or month. */
export interface KeySpendingTable {
  lineage: string;
  period: string;
  spent: Whole;
  reserved: Whole;
}

/** Sums that summaries are read from. One row per rate too, so that sums in US dollars stay exact. */
export interface RollUpColumns extends CountColumns {
  account_id: string;
  day: string;
  usd_rate: string;
  requests: Whole;
  charge: Whole;
}

/** The empty text stands for no model and no key, neither of which can be named so. */
export interface UsageDailyTable extends RollUpColumns {
  model: string;
  key_id: string;
}

/** The empty text stands for no user; such rows, of PostgreSQL and of older SQLite databases, cancel out where sums are read. */
export interface UsageDailyUserTable extends RollUpColumns {
  attribution: string;
}

/**
 * Sums over all accounts of one UTC day: by model, or by account, as `dimension` says. Those of the version that `usage_totalled_days` names count;
 * others are being written, or have been replaced.
 */
export interface UsageTotalsTable extends Omit<RollUpColumns, 'account_id'> {
  version: Whole;
  dimension: string;
  part: string;
}

/** Days that have been summed up over all accounts. */
export interface UsageTotalledDayTable {
  day: string;
  version: Whole;
  /** Late settlements of the day's requests that are counted. */
  late_settlements: Whole;
}

/** One row. `version` is that of the newest run; a run has claimed it until `claimed_until`. */
export interface UsageTotalsStateTable {
  id: Whole;
  version: Whole;
  claimed_until: Whole;
  /** All records up to this `seq` are counted, also those that were committed out of turn; `null` before the first run. */
  counted_through: NullableWhole;
  /** What it becomes once no transaction from before `newest_at` can be open. */
  newest_seq: Whole;
  newest_at: Whole;
  summed_at: NullableWhole;
}

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

/** At most one row: which secret the gateways of this database share. */
export interface InstallationTable {
  id: Whole;
  /** Derived from the secret, never the secret itself. */
  fingerprint: string;
  recorded_at: Whole;
}
