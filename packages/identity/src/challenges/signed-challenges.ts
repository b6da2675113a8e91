import type { Instant, TokenHash } from '@tollgate/core';

export type ChallengePurpose = 'passkey-registration' | 'passkey-sign-in' | 'issuer-sign-in';

/** What a challenge is good for. */
export interface ChallengeUse {
  readonly purpose: ChallengePurpose;
  /** The session that alone may answer it; empty where there is none yet. */
  readonly boundTo: string;
}

export interface OpenChallenge {
  readonly expiresAt: Instant;
  /** 43 characters of base64url that only this installation can compute; another text for each label. */
  derive(label: string): string;
}

/**
 * Challenges that prove by themselves that this installation issued them, until when and for what. Nothing is kept of one until it is answered, so
 * asking for challenges costs no memory. Every gateway of the installation opens them.
 */
export interface SignedChallenges {
  /** At most 128 characters of base64url. */
  issue(use: ChallengeUse, expiresAt: Instant): string;
  /** `null` for a text that was not issued for this use, or that has expired. */
  open(text: string, use: ChallengeUse, at: Instant): OpenChallenge | null;
}

/** A challenge that has been answered rightly. Each is taken once: a store keeps its hash until it expires. */
export interface AnsweredChallenge {
  readonly hash: TokenHash;
  readonly expiresAt: Instant;
}
