import type { ColumnType } from 'kysely';
import type { NullableWhole, Whole } from './column-types.js';

/** `email` is folded. `account_id`: `null` until the address is verified, if the account existed before. */
export interface PersonTable {
  id: string;
  account_id: string | null;
  email: string;
  email_verified: Whole;
  name: string;
  role: string;
  /** Language of messages, taken from the last page that the person read; `null` until then. */
  language: string | null;
  password_hash: string | null;
  created_at: Whole;
  /** Removal of a person with an unverified address; `null` once verified. */
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
  /** Machine whose link began the session. */
  machine_id: string | null;
}

/** One per person and purpose; hash only. */
export interface PersonTokenTable {
  hash: string;
  person_id: string;
  purpose: string;
  new_email: string | null;
  expires_at: Whole;
  /** Machine that issued the token. */
  machine_id: string | null;
}

export interface PersonFactorTable {
  id: string;
  person_id: string;
  kind: string;
  secret: string;
  created_at: Whole;
  confirmed_at: NullableWhole;
  /** Newest accepted time step of an authenticator app. */
  last_step: ColumnType<bigint | null, bigint | number | null | undefined, bigint | number | null>;
}

/** Unused codes; keyed hashes only. */
export interface RecoveryCodeTable { person_id: string; code_hash: string }

/** Failures since the last correct proof; those of known browsers are in a separate table. */
export interface ProofAttemptTable { person_id: string; wrong_in_a_row: Whole; locked_until: NullableWhole; failures: Whole; told: string | null }

/** Keyed hashes of credited addresses. */
export interface SignupCreditTable { address_hash: string }

export interface SignupCreditNetworkTable {
  network_hash: string;
  day: Whole;
  credits: Whole;
}

/** One per passkey in `person_factors`. `transports` is a JSON list. */
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

/** Hashes of answered challenges. */
export interface UsedChallengeTable { hash: string; expires_at: Whole }

/** `previous_hash`: of the secret before the last rotation. `scopes` and `networks` are JSON. */
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

/** A claimed key with what its change answered. `number` counts the claims of a machine. */
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
 * `state`: `waiting`, `delivered` or `given-up`; contents only while it waits, the address until operators no longer trace it. `due_at`: when it may be claimed, which is the end of the
 * lease while it is being delivered.
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
  /** Domain of the recipient; `null` once the message has ended. */
  domain: string | null;
  /** `null` if no process delivers it. */
  leased_until: NullableWhole;
}
