import type { KeyLimit } from '../billing/key-limit.js';
import type { ModelAccess } from '../models/model-access.js';
import type { AccountId, ApiKeyId, PlanId } from '../primitives/primitives.js';
import type { Instant } from '../primitives/time.js';

export type AccountStatus = 'active' | 'suspended' | 'pending-deletion' | 'deleted';

/** A deletion that is scheduled and not carried out yet. */
export interface PendingDeletion {
  readonly dueAt: Instant;
  /** The status that cancelling it restores; a suspension outlives the deletion that was scheduled beside it. */
  readonly returnsTo: 'active' | 'suspended';
}

/** Everything that the standing of an account is derived from. */
export interface StandingFacts {
  readonly status: AccountStatus;
  readonly emailVerified: boolean;
  readonly blocked: boolean;
  /** Set while the status is `pending-deletion`. */
  readonly deletion: PendingDeletion | null;
}

/** The owner of keys, a plan and a balance. */
export interface Account extends StandingFacts {
  readonly id: AccountId;
  readonly email: string;
  readonly name: string;
  readonly planId: PlanId;
  readonly createdAt: Instant;
}

export type AccountStanding = 'good' | 'blocked' | 'suspended' | 'pending-deletion' | 'email-unverified' | 'deleted';

/** The one thing that decides whether an account is served. The order is that of the refusals. */
export function standingOf({ status, blocked, emailVerified }: StandingFacts): AccountStanding {
  if (status === 'deleted') return 'deleted';
  if (blocked) return 'blocked';
  if (status !== 'active') return status;
  return emailVerified ? 'good' : 'email-unverified';
}

/** Who is calling: established once by `Authenticator`, passed on unchanged. */
export interface Caller extends ModelAccess {
  readonly account: Account;
  readonly keyId: ApiKeyId;
  /** The spending limit of its key. */
  readonly keyLimit: KeyLimit | null;
}

/** Replaces the address of an account whose owner was erased; sign-up refuses it. */
export function erasedEmail(id: AccountId): string {
  return `erased:${id}`;
}
