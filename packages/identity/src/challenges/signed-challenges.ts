import type { Instant, TokenHash } from '@tollgate/core';

export type ChallengePurpose = 'passkey-registration' | 'passkey-sign-in' | 'issuer-sign-in';

export interface ChallengeUse {
  readonly purpose: ChallengePurpose;
  /** The session that must answer it; empty if there is none yet. */
  readonly boundTo: string;
}

export interface OpenChallenge {
  readonly expiresAt: Instant;
  /** 43 characters of base64url, derived from the label with the installation's secret. */
  derive(label: string): string;
}

/**
 * Signed, stateless challenges with an expiry and a purpose: issuing one costs no memory. Every gateway of the installation
 * accepts them.
 */
export interface SignedChallenges {
  /** At most 128 characters of base64url. */
  issue(use: ChallengeUse, expiresAt: Instant): string;
  /** `null` if the text was not issued for this use or has expired. */
  open(text: string, use: ChallengeUse, at: Instant): OpenChallenge | null;
}

/** A correctly answered challenge. A store keeps its hash until it expires, so that it is accepted once. */
export interface AnsweredChallenge {
  readonly hash: TokenHash;
  readonly expiresAt: Instant;
}
