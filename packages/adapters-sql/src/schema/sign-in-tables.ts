import type { NullableWhole, Whole } from './column-types.js';

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
