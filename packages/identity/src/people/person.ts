import {
  type AccountId, type AccountStatus, type AuditedBy, clientAt, GATEWAY_ORIGIN, type Instant, MILLISECONDS_PER_DAY, MILLISECONDS_PER_HOUR,
  MILLISECONDS_PER_MINUTE, type PersonId,
} from '@tollgate/core';

/** An operator is an owner who may also run the platform. */
export type PersonRole = 'owner' | 'operator';

/** A second thing, beside the password, by which a person proves who they are. */
export type Factor = 'totp' | 'passkey';

/** Someone who signs in. One person owns one account. */
export interface Person {
  readonly id: PersonId;
  /** `null` until the address is verified, where an account with that address existed before the person. */
  readonly accountId: AccountId | null;
  /** Folded, so that mail goes to the mailbox that the address is unique by and not to a look-alike. */
  readonly email: string;
  readonly emailVerified: boolean;
  readonly name: string;
  readonly role: PersonRole;
  readonly factors: readonly Factor[];
  readonly createdAt: Instant;
}

/** A person's account as far as signing in depends on it. */
export interface AccountAccess {
  readonly status: AccountStatus;
  readonly blocked: boolean;
}

/** Whether a person may have a session: owners of suspended accounts and of accounts about to be deleted may, to read and to cancel. */
export function maySignIn(person: Person, account: AccountAccess | null): boolean {
  return person.emailVerified && account !== null && !account.blocked && account.status !== 'deleted';
}

/** Whether the address of a person and of their account may change: owners of suspended accounts and of those about to be deleted change nothing. */
export function mayChangeAddress(person: Person, account: AccountAccess | null): boolean {
  return maySignIn(person, account) && account?.status === 'active';
}

/** An act of the person's own, for the audit trail; `address` is the client's. */
export function ownAct(id: PersonId, at: Instant, address?: string): AuditedBy {
  return { actor: { kind: 'owner', id, origin: address === undefined ? GATEWAY_ORIGIN : clientAt(address) }, at };
}

/**
 * What a single-use token is good for. A person has at most one live token for each. An address changes by two: `confirm-change` from the present
 * address, then `change-email` from the new one.
 */
export type TokenPurpose = 'verify-email' | 'confirm-change' | 'change-email' | 'reset-password' | 'invitation' | 'sign-in' | 'confirm-sign-in';

const CONFIRM_SIGN_IN_MINUTES = 15;
const UNVERIFIED_DAYS = 7;

/** A person who has not verified their address so long after they signed up or were invited is removed. An invitation is good for as long. */
export const UNVERIFIED_KEPT_MILLISECONDS = UNVERIFIED_DAYS * MILLISECONDS_PER_DAY;

/** How long a link is good that is sent by mail. */
export const TOKEN_LIFETIMES: Readonly<Record<Exclude<TokenPurpose, 'sign-in'>, number>> = {
  'verify-email': MILLISECONDS_PER_DAY,
  'confirm-change': MILLISECONDS_PER_HOUR,
  'change-email': MILLISECONDS_PER_HOUR,
  'reset-password': MILLISECONDS_PER_HOUR,
  invitation: UNVERIFIED_KEPT_MILLISECONDS,
  'confirm-sign-in': CONFIRM_SIGN_IN_MINUTES * MILLISECONDS_PER_MINUTE,
};
