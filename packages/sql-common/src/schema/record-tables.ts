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
  /** The replaced key; `null` for a created one. */
  replaces: string | null;
  /** A JSON array of slugs; `null`: all models of the account. */
  models: string | null;
  /** Micro-tokens per period; `null`: no limit. */
  limit_amount: NullableWhole;
  limit_period: string | null;
  /** Key under which its spending is counted; `null`: its own id. */
  lineage: string | null;
  /** 1 once the event of its expiry is stored. */
  expiry_told: WholeOrDefault;
  /** Time of the last change, block or revocation; using the key is not a change. */
  updated_at: Whole;
}

/** A key without a secret; blocked while `blocks` has a row for it. */
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

/** One row per rate, so that sums in US dollars are exact. */
export interface RollUpColumns extends CountColumns {
  account_id: string;
  day: string;
  usd_rate: string;
  requests: Whole;
  charge: Whole;
}

/** Empty text: no model or key. */
export interface UsageDailyTable extends RollUpColumns {
  model: string;
  key_id: string;
}

/** Only requests that name a user. */
export interface UsageDailyUserTable extends RollUpColumns {
  attribution: string;
}

/** Per UTC day over all accounts, by `dimension`. Only the version in `usage_totalled_days` counts; others are being written or were replaced. */
export interface UsageTotalsTable extends Omit<RollUpColumns, 'account_id'> {
  version: Whole;
  dimension: string;
  part: string;
}

/** A day that is summed up over all accounts. */
export interface UsageTotalledDayTable {
  day: string;
  version: Whole;
  /** Number of the day's late settlements that are included. */
  late_settlements: Whole;
}

/** One row. `version` names the newest run, which has a claim until `claimed_until`. */
export interface UsageTotalsStateTable {
  id: Whole;
  version: Whole;
  claimed_until: Whole;
  /** All records up to this `seq` are counted; `null` before the first run. */
  counted_through: NullableWhole;
  /** Becomes `counted_through` once no transaction from before `newest_at` can still be open. */
  newest_seq: Whole;
  newest_at: Whole;
  summed_at: NullableWhole;
}

/** Append-only; numbered from 1 without gaps. Each hash covers the row and the previous hash. */
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
  /** JSON: field, owner and SHA-256 of salt and text, for each text beside the entry. */
  texts: string;
  /** `machine:<id>` for acts in sessions that began by a machine's link. */
  via: string | null;
}

/** Erased with their owner, a person or an account. */
export interface AuditTextTable {
  entry: Whole;
  field: string;
  owner: string;
  salt: string;
  text: string;
}

/** One row: number of entries, and the last hash. */
export interface AuditAnchorTable {
  id: Whole;
  entries: Whole;
  head: string;
}

/** At most one row. */
export interface InstallationTable {
  id: Whole;
  /** A fingerprint that is derived from the secret. */
  fingerprint: string;
  recorded_at: Whole;
}
