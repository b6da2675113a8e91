import type { Instant, TokenHash } from '@tollgate/core';

export type ChallengePurpose = 'passkey-registration' | 'passkey-sign-in' | 'issuer-sign-in';

export interface ChallengeUse {
  readonly purpose: ChallengePurpose;
  /** The session that must answer the challenge; empty if there is none yet. */
  readonly boundTo: string;
}

export interface OpenChallenge {
  readonly expiresAt: Instant;
  /** Derives 43 characters of Base64url from the challenge, the label and the installation's secret. */
  derive(label: string): string;
}

/** Challenges with an expiry and a purpose. They are not stored, and every gateway of the installation accepts them. */
export interface SignedChallenges {
  /** At most 128 characters of base64url. */
  issue(use: ChallengeUse, expiresAt: Instant): string;
  /** `null` if the challenge is forged, was issued for another use, or has expired. */
  open(text: string, use: ChallengeUse, at: Instant): OpenChallenge | null;
}

/** A correctly answered challenge. The store keeps its hash until it expires, so that it is accepted once. */
export interface AnsweredChallenge {
  readonly hash: TokenHash;
  readonly expiresAt: Instant;
}
