import type { Actor, AuditedBy, ActOrigin, Instant, PersonId, SessionId } from '@tollgate/core';
import type { MailLanguage } from '../mail/mail-language.js';
import type { Password } from '../passwords/password.js';
import type { Person, TokenPurpose } from './person.js';

export interface RegisterCommand {
  readonly email: string;
  readonly name: string;
  readonly password: Password;
  readonly language?: MailLanguage | null | undefined;
  /** Address of the client, for the audit log. */
  readonly address?: string | undefined;
  readonly at: Instant;
  /** Called once the password is hashed. The work after that depends on whether a person has the address. */
  readonly onHashed?: () => void;
}

export interface InviteCommand {
  readonly email: string;
  readonly name: string;
  readonly by: Actor;
  readonly at: Instant;
}

/** `existing` only selects the message; the client sees no difference. `email-malformed`: the address cannot receive mail. */
export type RegisterOutcome =
  | { readonly outcome: 'created' | 'existing'; readonly id: PersonId }
  | { readonly outcome: 'closed' | 'email-malformed' | 'name-malformed' };

/** Purposes of links that confirm a new address. */
export type AddressPurpose = 'confirm-change' | 'change-email';

/** Change that was confirmed at the current address. */
export interface ConfirmedChange {
  readonly person: Person;
  readonly newEmail: string;
}

/** A token in plaintext, for a link. */
export interface IssuedToken {
  readonly token: string;
  /** The requested expiry; earlier if the unverified person is removed before that. */
  readonly expiresAt: Instant;
}

export type RenameOutcome =
  | { readonly outcome: 'renamed'; readonly person: Person }
  | { readonly outcome: 'name-malformed' | 'no-such-person' };

export type IssueTokenCommand = {
  readonly personId: PersonId;
  readonly expiresAt: Instant;
  readonly at: Instant;
  /** If present, issuing the token is audited. */
  readonly by?: AuditedBy | undefined;
} & (
  | { readonly purpose: Exclude<TokenPurpose, AddressPurpose | 'machine-sign-in'> }
  | { readonly purpose: AddressPurpose; readonly newEmail: string }
);

export interface ChangePasswordCommand {
  readonly id: PersonId;
  readonly current: string;
  readonly next: Password;
  /** The session that continues; all others end. */
  readonly keep: SessionId;
  /** Origin for the audit log. Default: the gateway. */
  readonly origin?: ActOrigin;
  readonly at: Instant;
}

interface FromClient {
  /** Address of the client, for the audit log and for scheduling the hash. */
  readonly address?: string | undefined;
  /** `Cookie` header, for known browsers. */
  readonly cookie?: string | null;
}

export type Redemption = FromClient & (
  /** Needs the sign-up password, so that the mailbox's owner does not take over a stranger's sign-up. */
  | { readonly purpose: 'verify-email'; readonly token: string; readonly password: string }
  | { readonly purpose: 'reset-password' | 'invitation'; readonly token: string; readonly password: Password }
  | { readonly purpose: 'change-email'; readonly token: string }
);
