import {
  type AccountId, type AccountStatus, type AuditedBy, clientAt, GATEWAY_ORIGIN, type Instant, MILLISECONDS_PER_DAY, MILLISECONDS_PER_HOUR,
  MILLISECONDS_PER_MINUTE, type PersonId,
} from '@tollgate/core';
import type { MailLanguage } from '../mail/mail-language.js';

/** An operator also owns an account. */
export type PersonRole = 'owner' | 'operator';

/** A second factor. */
export type Factor = 'totp' | 'passkey';

/** A person who signs in and owns one account. */
export interface Person {
  readonly id: PersonId;
  /** `null` until the address is verified, if an account with this address existed before the person. */
  readonly accountId: AccountId | null;
  /** Folded: in the form that must be unique and that mail is sent to. */
  readonly email: string;
  readonly emailVerified: boolean;
  readonly name: string;
  readonly role: PersonRole;
  readonly factors: readonly Factor[];
  /** Language of messages, taken from the last page that the person read; `null` until then. */
  readonly language: MailLanguage | null;
  readonly createdAt: Instant;
}

/** State of the account that sign-in depends on. */
export interface AccountAccess {
  readonly status: AccountStatus;
  readonly blocked: boolean;
}

/** True also for owners of suspended accounts, who may read, and of accounts with a pending deletion, who may cancel it. */
export function maySignIn(person: Person, account: AccountAccess | null): boolean {
  return person.emailVerified && account !== null && !account.blocked && account.status !== 'deleted';
}

/** True if the person may sign in and the account is active. */
export function mayChangeAddress(person: Person, account: AccountAccess | null): boolean {
  return maySignIn(person, account) && account?.status === 'active';
}

/** An act of the person. `address` is the client's, for the audit log. */
export function ownAct(id: PersonId, at: Instant, address?: string): AuditedBy {
  return { actor: { kind: 'owner', id, origin: address === undefined ? GATEWAY_ORIGIN : clientAt(address) }, at };
}

/**
 * At most one valid token per person and purpose. A change of address needs `confirm-change` from the current address, then `change-email`
 * from the new one.
 */
export type TokenPurpose = 'verify-email' | 'confirm-change' | 'change-email' | 'reset-password' | 'invitation' | 'sign-in' | 'confirm-sign-in' | 'machine-sign-in';

const CONFIRM_SIGN_IN_MINUTES = 15;
const UNVERIFIED_DAYS = 7;

/** Time from sign-up or invitation until an unverified person is removed; an invitation is valid for the same time. */
export const UNVERIFIED_KEPT_MILLISECONDS = UNVERIFIED_DAYS * MILLISECONDS_PER_DAY;

/** Lifetimes of links that are mailed or, for `machine-sign-in`, handed over by a machine. */
export const TOKEN_LIFETIMES: Readonly<Record<Exclude<TokenPurpose, 'sign-in'>, number>> = {
  'verify-email': MILLISECONDS_PER_DAY,
  'confirm-change': MILLISECONDS_PER_HOUR,
  'change-email': MILLISECONDS_PER_HOUR,
  'reset-password': MILLISECONDS_PER_HOUR,
  invitation: UNVERIFIED_KEPT_MILLISECONDS,
  'confirm-sign-in': CONFIRM_SIGN_IN_MINUTES * MILLISECONDS_PER_MINUTE,
  'machine-sign-in': MILLISECONDS_PER_MINUTE,
};
