import type { NullableWhole, Whole } from './column-types.js';

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
}

export interface SessionTable {
  id: string;
  token_hash: string;
  person_id: string;
  signed_in_by: string;
  assurance: string;
  created_at: Whole;
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
}

/** Codes that were proved once and cannot be again, until they are worth nothing by themselves. */
export interface UsedCodeTable { person_id: string; code_hash: string; expires_at: Whole }
