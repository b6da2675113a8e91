import type { KeyLimit } from '../billing/key-limit.js';
import type { ModelAccess } from '../models/model-access.js';
import type { AccountId, ApiKeyId, PlanId, PriceListId } from '../primitives/ids.js';
import type { Instant } from '../primitives/time.js';

export type AccountStatus = 'active' | 'suspended' | 'pending-deletion' | 'deleted';

export interface PendingDeletion {
  readonly dueAt: Instant;
  /** Status that a cancellation of the deletion restores. */
  readonly returnsTo: 'active' | 'suspended';
}

export interface StandingFacts {
  readonly status: AccountStatus;
  readonly emailVerified: boolean;
  readonly blocked: boolean;
  /** `null` unless the status is `pending-deletion`. */
  readonly deletion: PendingDeletion | null;
}

export interface Account extends StandingFacts {
  readonly id: AccountId;
  readonly email: string;
  readonly name: string;
  readonly planId: PlanId;
  /** `null` for the standard prices, which also apply if the catalogue lacks the list. */
  readonly priceList: PriceListId | null;
  readonly createdAt: Instant;
  /** The operator's own id for the account; unique. */
  readonly externalId: string | null;
  readonly metadata: AccountMetadata;
}

/** The operator's own keys and values, within the bounds of `requireMetadata`. */
export type AccountMetadata = Readonly<Record<string, string>>;

export interface NewAccount extends Pick<Account, 'id' | 'email' | 'name' | 'planId' | 'emailVerified' | 'createdAt'>, Partial<Pick<Account, 'externalId' | 'metadata' | 'priceList'>> {}

/** The account is active and not blocked. */
export function newAccount(given: NewAccount): Account {
  return { externalId: null, metadata: {}, priceList: null, ...given, status: 'active', blocked: false, deletion: null };
}

export type AccountStanding = 'good' | 'blocked' | 'suspended' | 'pending-deletion' | 'email-unverified' | 'deleted';

/** If several standings apply, returns the one whose refusal takes precedence. */
export function standingOf({ status, blocked, emailVerified }: StandingFacts): AccountStanding {
  if (status === 'deleted') return 'deleted';
  if (blocked) return 'blocked';
  if (status !== 'active') return status;
  return emailVerified ? 'good' : 'email-unverified';
}

const NOT_DELETED = ['active', 'suspended', 'pending-deletion'] as const;

interface StandingCondition extends Partial<Pick<StandingFacts, 'blocked' | 'emailVerified'>> {
  readonly statuses: readonly AccountStatus[];
}

/** The facts that each standing requires; omitted facts do not matter. */
export const CONDITIONS_OF_STANDING: Readonly<Record<AccountStanding, StandingCondition>> = {
  good: { statuses: ['active'], blocked: false, emailVerified: true },
  blocked: { statuses: NOT_DELETED, blocked: true },
  suspended: { statuses: ['suspended'], blocked: false },
  'pending-deletion': { statuses: ['pending-deletion'], blocked: false },
  'email-unverified': { statuses: ['active'], blocked: false, emailVerified: false },
  deleted: { statuses: ['deleted'] },
};

/** Created once per request, by `Authenticator` or `PlaygroundAccess`. */
export interface Caller extends ModelAccess {
  readonly account: Account;
  readonly keyId: ApiKeyId;
  readonly keyLimit: KeyLimit | null;
}

/** Replaces the address of a deleted account. Sign-up rejects addresses of this form. */
export function erasedEmail(id: AccountId): string {
  return `erased:${id}`;
}
