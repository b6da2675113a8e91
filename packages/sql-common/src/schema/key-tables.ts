import type { NullableWhole, Whole } from './column-values.js';

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
