import type { AccountId, ApiKeyId, PlanId } from '../ids.js';
import type { ModelAccess } from '../models/permit-model.js';
import type { Instant } from '../time/instant.js';

export type AccountStatus = 'active' | 'suspended' | 'pending-deletion';

/** The owner of keys, a plan and a balance. */
export interface Account {
  readonly id: AccountId;
  readonly email: string;
  readonly name: string;
  readonly planId: PlanId;
  readonly status: AccountStatus;
  readonly emailVerified: boolean;
  readonly blocked: boolean;
  readonly createdAt: Instant;
}

export type AccountStanding = 'good' | 'blocked' | 'suspended' | 'pending-deletion' | 'email-unverified';

/** The one thing that decides whether an account is served. The order is that of the refusals. */
export function standingOf(account: Account): AccountStanding {
  if (account.blocked) return 'blocked';
  if (account.status !== 'active') return account.status;
  return account.emailVerified ? 'good' : 'email-unverified';
}

/** Who is calling: established once by `Authenticator`, passed on unchanged. */
export interface Caller extends ModelAccess {
  readonly account: Account;
  readonly keyId: ApiKeyId;
}
