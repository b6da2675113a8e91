import type { Instant, TokenHash } from '@tollgate/core';

export type ChallengePurpose = 'passkey-registration' | 'passkey-sign-in' | 'issuer-sign-in';

export interface ChallengeUse {
  readonly purpose: ChallengePurpose;
  /** Session that must answer it; empty before there is one. */
  readonly boundTo: string;
}

export interface OpenChallenge {
  readonly expiresAt: Instant;
  /** 43 characters of base64url, from the label and the installation's secret. */
  derive(label: string): string;
}

/** Stateless, with an expiry and a purpose. Every gateway of the installation accepts them. */
export interface SignedChallenges {
  /** At most 128 characters of base64url. */
  issue(use: ChallengeUse, expiresAt: Instant): string;
  /** `null` if it was issued for another use or has expired. */
  open(text: string, use: ChallengeUse, at: Instant): OpenChallenge | null;
}

/** Correctly answered. The store keeps its hash until it expires, so that it is accepted once. */
export interface AnsweredChallenge {
  readonly hash: TokenHash;
  readonly expiresAt: Instant;
}
