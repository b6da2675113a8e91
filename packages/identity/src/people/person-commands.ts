import type { Actor, Instant, PersonId, SessionId } from '@tollgate/core';
import type { Password } from '../passwords/password.js';
import type { Person, TokenPurpose } from './person.js';

export interface RegisterCommand {
  readonly email: string;
  readonly name: string;
  readonly password: Password;
  /** The client's address, for the audit trail. */
  readonly address?: string | undefined;
  readonly at: Instant;
  /** Called after the password was hashed; later work depends on whether the address is known. */
  readonly onHashed?: () => void;
}

export interface InviteCommand {
  readonly email: string;
  readonly name: string;
  readonly by: Actor;
  readonly at: Instant;
}

/** `existing` decides which message is sent; the client sees no difference. `email-malformed`: the address cannot receive mail. */
export type RegisterOutcome =
  | { readonly outcome: 'created' | 'existing'; readonly id: PersonId }
  | { readonly outcome: 'closed' | 'email-malformed' | 'name-malformed' };

/** Purposes that concern a new address. */
export type AddressPurpose = 'confirm-change' | 'change-email';

/** A change of address that was confirmed from the current one. */
export interface ConfirmedChange {
  readonly person: Person;
  readonly newEmail: string;
}

/** The plain token, for a link. */
export interface IssuedToken {
  readonly token: string;
  /** As requested, or earlier if an unverified person is removed before. */
  readonly expiresAt: Instant;
}

export type RenameOutcome =
  | { readonly outcome: 'renamed'; readonly person: Person }
  | { readonly outcome: 'name-malformed' | 'no-such-person' };

export type IssueTokenCommand = {
  readonly personId: PersonId;
  readonly expiresAt: Instant;
  readonly at: Instant;
} & (
  | { readonly purpose: Exclude<TokenPurpose, AddressPurpose> }
  | { readonly purpose: AddressPurpose; readonly newEmail: string }
);

export interface ChangePasswordCommand {
  readonly id: PersonId;
  readonly current: string;
  readonly next: Password;
  /** The session of the change, which continues. */
  readonly keep: SessionId;
  /** The client's address, for the audit trail. */
  readonly address?: string | undefined;
  readonly at: Instant;
}

interface FromClient {
  /** The client's address, for the audit trail and for scheduling the hash. */
  readonly address?: string | undefined;
  /** The `Cookie` header, to recognize known browsers. */
  readonly cookie?: string | null;
}

export type Redemption = FromClient & (
  /** Requires the sign-up password, so that the mailbox's owner does not take over a stranger's sign-up. */
  | { readonly purpose: 'verify-email'; readonly token: string; readonly password: string }
  | { readonly purpose: 'reset-password' | 'invitation'; readonly token: string; readonly password: Password }
  | { readonly purpose: 'change-email'; readonly token: string }
);
