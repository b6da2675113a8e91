import type { ColumnType } from 'kysely';
import type { NullableWhole, Whole } from './columns.js';

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
  /** When a person with an unverified address is removed; `null` once the address is verified. */
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

/** What went wrong for a person since the last right proof; of known browsers and of all others in a table of its own. */
export interface ProofAttemptTable { person_id: string; wrong_in_a_row: Whole; locked_until: NullableWhole; failures: Whole; told: string | null }

/** Addresses that were credited at a sign-up, each as its keyed hash. */
export interface SignupCreditTable { address_hash: string }

export interface SignupCreditNetworkTable {
  network_hash: string;
  day: Whole;
  credits: Whole;
}

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

/** The second hash is that of the secret before the last rotation. `scopes` and `networks` are JSON. */
export interface MachineTable {
  id: string;
  name: string;
  hash: string;
  hint: string;
  previous_hash: string | null;
  previous_expires_at: NullableWhole;
  scopes: string;
  networks: string;
  created_at: Whole;
  expires_at: Whole;
  revoked_at: NullableWhole;
  last_used_at: NullableWhole;
}

/**
 * Mail between its hand-over and its end. `state` is `waiting`, `delivered` or `given-up`; the contents are there while it waits.
 * `due_at` is when a waiting message may be claimed: also the end of the lease of one that is being delivered.
 */
export interface MailOutboxTable {
  id: string;
  reference: string;
  state: string;
  recipient: string | null;
  subject: string | null;
  body_text: string | null;
  body_html: string | null;
  /** Claims so far. */
  attempts: Whole;
  due_at: Whole;
  stored_at: Whole;
  expires_at: Whole;
  ended_at: NullableWhole;
  /** The code of the last attempt that failed. */
  last_failure: string | null;
  /** Its place in `MAIL_RANKS`. */
  rank: Whole;
  /** Of the recipient; `null` once the message has ended. */
  domain: string | null;
  /** Until when a process delivers it; `null` where none does. */
  leased_until: NullableWhole;
}
