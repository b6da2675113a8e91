import type { ColumnType } from 'kysely';
import type { NullableWhole, Whole } from './column-values.js';

/** `email` is folded. `account_id` is `null` until the address is verified where an account with it existed before. */
export interface PersonTable {
  id: string;
  account_id: string | null;
  email: string;
  email_verified: Whole;
  name: string;
  role: string;
  password_hash: string | null;
  created_at: Whole;
  /** When someone who has not verified the address is removed; `null` once it is. */
  discard_at: NullableWhole;
}

export interface SessionTable {
  id: string;
  token_hash: string;
  person_id: string;
  signed_in_by: string;
  assurance: string;
  created_at: Whole;
  proven_at: Whole;
  wrong_codes: ColumnType<bigint, bigint | number | undefined, bigint | number>;
  last_used_at: Whole;
  address: string;
  user_agent: string | null;
}

/** One live token for each person and purpose; only its hash. */
export interface PersonTokenTable {
  hash: string;
  person_id: string;
  purpose: string;
  new_email: string | null;
  expires_at: Whole;
}

export interface PersonFactorTable {
  id: string;
  person_id: string;
  kind: string;
  secret: string;
  created_at: Whole;
  confirmed_at: NullableWhole;
  /** Of an authenticator app: the newest time step of which a code was taken. */
  last_step: ColumnType<bigint | null, bigint | number | null | undefined, bigint | number | null>;
}

/** Codes that are left; only their keyed hashes. */
export interface RecoveryCodeTable { person_id: string; code_hash: string }

/** A person's wrong proofs since the last right one or the last lock. */
export interface ProofAttemptTable { person_id: string; wrong_in_a_row: Whole; locked_until: NullableWhole }

/** Addresses that were credited at a sign-up, each as its keyed hash. */
export interface SignupCreditTable { address_hash: string }

/** Beside the row of `person_factors` that it is. `transports` is a JSON list. */
export interface PasskeyTable {
  factor_id: string;
  credential_id: string;
  name: string;
  counter: Whole;
  backed_up: Whole;
  transports: string;
  last_used_at: NullableWhole;
}

export interface IssuerLinkTable {
  issuer: string;
  subject: string;
  person_id: string;
  created_at: Whole;
}

/** Challenges that were answered rightly, by their hash. */
export interface UsedChallengeTable { hash: string; expires_at: Whole }

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
