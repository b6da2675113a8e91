import type { AccountStatus } from '../accounts/account.js';
import type { AccountId, PersonId } from '../ids.js';
import type { AuditedBy } from '../ports/account-repository.js';
import { clientAt, GATEWAY_ORIGIN } from '../ports/audit.js';
import type { Instant } from '../time/instant.js';

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

const NAME_MAXIMUM_LENGTH = 100;

/** Whether a text may name a person or something of theirs: one line of 1 to 100 characters. */
export function isDisplayName(name: string): boolean {
  return name.trim() !== '' && name.length <= NAME_MAXIMUM_LENGTH && !/\p{Cc}/u.test(name);
}

/** An act of the person's own, for the audit trail; `address` is the client's. */
export function ownAct(id: PersonId, at: Instant, address?: string): AuditedBy {
  return { actor: { kind: 'owner', id, origin: address === undefined ? GATEWAY_ORIGIN : clientAt(address) }, at };
}
