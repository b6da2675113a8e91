import { foldEmail } from '../accounts/mail-address.js';
import { type AccountStatus } from '../accounts/account.js';
import type { AccountId, PersonId, PlanId } from '../primitives.js';
import type { AuditedBy } from '../ports/accounts.js';
import { requireDisplayName } from '../display-name.js';
import { clientAt, GATEWAY_ORIGIN } from '../ports/audit.js';
import { type Instant, later, MILLISECONDS_PER_DAY, MILLISECONDS_PER_HOUR, MILLISECONDS_PER_MINUTE } from '../time.js';
import type { IdentityIdGenerator, SecretTokens } from '../ports/system.js';
import type { PersonRecords, SetRoleOutcome } from '../ports/person-directory.js';
import type { FactorNotices } from './person-mails.js';

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

export interface OperatorsPorts {
  readonly records: PersonRecords;
  readonly tokens: SecretTokens;
  readonly ids: IdentityIdGenerator;
}

export interface AppointCommand {
  /** Checked by the caller; folded here. */
  readonly email: string;
  readonly name: string;
  /** The plan of the account, where none with the address exists. */
  readonly planId: PlanId;
  readonly by: AuditedBy;
}

/** How long a link that an operator makes for an operator lives. */
export const OPERATOR_LINK_MILLISECONDS = 15 * MILLISECONDS_PER_MINUTE;

/**
 * Operators, appointed on the machine itself. The command vouches for the address, so that no mail is needed, and no policy
 * on sign-ups is asked.
 */
export class Operators {
  constructor(private readonly ports: OperatorsPorts) {}

  /**
   * Makes the person with this address an operator; creates person and account if they do not exist. What another person may have
   * prepared under an address that was not verified, a password above all, is removed. Repeating it changes nothing.
   * Throws `invalid_request` for a name that is none.
   */
  async appoint({ email, name, planId, by }: AppointCommand): Promise<Person> {
    requireDisplayName(name);
    const { records, ids } = this.ports;
    const draft: Person = { id: ids.personId(), accountId: null, email: foldEmail(email), emailVerified: false, name, role: 'owner', factors: [], createdAt: by.at };
    const account = {
      id: ids.accountId(), email: draft.email, name, planId, status: 'active', emailVerified: false, blocked: false, deletion: null, createdAt: by.at,
    } as const;
    const { id } = await records.register({ person: draft, passwordHash: null, account }, by);
    await records.vouch(id, account, by);
    await records.setRole(id, 'operator', by);
    return (await records.find(id))?.person ?? draft;
  }

  /** A token that signs the person in once; it replaces the person's earlier one. `null` when there is no such person. */
  async issueLink(id: PersonId, by: AuditedBy, lifetimeMilliseconds = OPERATOR_LINK_MILLISECONDS): Promise<string | null> {
    const { text, hash } = this.ports.tokens.issue();
    const stored = { hash, personId: id, purpose: 'sign-in', newEmail: null, expiresAt: later(by.at, lifetimeMilliseconds) } as const;
    return await this.ports.records.putToken(stored, by.at, by) ? text : null;
  }

  /** For an operator who has lost every second factor: removes them, ends the sessions and tells the operator by mail. `false` where there was none. */
  removeFactors(person: Person, notices: FactorNotices, by: AuditedBy): Promise<boolean> {
    return this.ports.records.removeFactors(person.id, notices.of(person, 'factors-removed', by.at), by);
  }

  list(): Promise<readonly Person[]> {
    return this.ports.records.listByRole('operator');
  }

  /** The person stays an owner; the last operator stays one. */
  dismiss(id: PersonId, by: AuditedBy): Promise<SetRoleOutcome> {
    return this.ports.records.setRole(id, 'owner', by);
  }
}
