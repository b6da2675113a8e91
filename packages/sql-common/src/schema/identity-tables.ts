import type { ColumnType } from 'kysely';
import type { NullableWhole, Whole } from './column-types.js';

/** `email` is folded. `account_id` is `null` while the address is unverified and belongs to an account that existed before. */
export interface PersonTable {
  id: string;
  account_id: string | null;
  email: string;
  email_verified: Whole;
  name: string;
  role: string;
  /** Language of the person's messages, which is that of the last page that the person read; `null` before the first page. */
  language: string | null;
  password_hash: string | null;
  created_at: Whole;
  /** Date at which a person with an unverified address is removed; `null` after verification. */
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
  /** Machine whose link started the session, if any. */
  machine_id: string | null;
}

/** One row per person and purpose. Only the hash of the token is stored. */
export interface PersonTokenTable {
  hash: string;
  person_id: string;
  purpose: string;
  new_email: string | null;
  expires_at: Whole;
  /** Machine that issued the token, if any. */
  machine_id: string | null;
}

export interface PersonFactorTable {
  id: string;
  person_id: string;
  kind: string;
  secret: string;
  created_at: Whole;
  confirmed_at: NullableWhole;
  /** Latest time step of an authenticator app that was accepted. */
  last_step: ColumnType<bigint | null, bigint | number | null | undefined, bigint | number | null>;
}

/** Keyed hashes of unused recovery codes. */
export interface RecoveryCodeTable { person_id: string; code_hash: string }

/** Counts since the last correct proof; a complete sign-in also resets `failures` and `told`. Known browsers and all others have separate tables. */
export interface ProofAttemptTable { person_id: string; wrong_in_a_row: Whole; locked_until: NullableWhole; failures: Whole; told: string | null }

/** Keyed hashes of addresses that received the sign-up credit. */
export interface SignupCreditTable { address_hash: string }

export interface SignupCreditNetworkTable {
  network_hash: string;
  day: Whole;
  credits: Whole;
}

/** One row for each passkey in `person_factors`. `transports` is a JSON list. */
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

/** Hashes of challenges that were answered. */
export interface UsedChallengeTable { hash: string; expires_at: Whole }

/** `previous_hash` is that of the secret before the last rotation. `scopes` and `networks` are JSON. */
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

/** An idempotency key that a machine claimed, and the answer to its request. `number` numbers the claims of a machine. */
export interface MachineRequestTable {
  machine_id: string;
  key: string;
  number: Whole;
  fingerprint: string;
  request_id: string;
  subject: string | null;
  account_id: string | null;
  claimed_at: Whole;
  expires_at: Whole;
  status: NullableWhole;
  answer: string | null;
}

/**
 * `state` is `waiting`, `delivered` or `given-up`. Contents are stored only while waiting; the address until operators no longer trace the message.
 * `due_at` is the time from which the message may be claimed; during a delivery, it is the end of the lease.
 */
export interface MailOutboxTable {
  id: string;
  reference: string;
  /** A `MailName`. */
  kind: string;
  account_id: string | null;
  state: string;
  recipient: string;
  subject: string | null;
  body_text: string | null;
  body_html: string | null;
  attempts: Whole;
  due_at: Whole;
  stored_at: Whole;
  expires_at: Whole;
  ended_at: NullableWhole;
  /** Code of the last failure. */
  last_failure: string | null;
  /** Index in `MAIL_RANKS`. */
  rank: Whole;
  /** Domain of the recipient; `null` after the message was delivered or given up. */
  domain: string | null;
  /** End of the lease of the process that delivers the message; `null` if there is none. */
  leased_until: NullableWhole;
}
