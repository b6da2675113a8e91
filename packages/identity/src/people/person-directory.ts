import type { Actor, AuditedBy, Instant, PersonId, SessionId } from '@tollgate/core';
import type { Password } from '../passwords/password.js';
import type { ErasePersonOutcome, PersonNames, SetRoleOutcome } from './person-records.js';
import type { Person, PersonRole, TokenPurpose } from './person.js';

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

/** Every write is audited in the same transaction. Throws if the store is unavailable. */
export interface PersonDirectory {
  find(id: PersonId): Promise<Person | null>;
  findByEmail(email: string): Promise<Person | null>;
  /** Creates person and account, or only the person if an account with the address exists. Takes the same time for a known address. */
  register(command: RegisterCommand): Promise<RegisterOutcome>;
  /**
   * As `register`, for a person who will set a password through the invitation. Removes credentials that someone else prepared
   * under an unverified address.
   */
  invite(command: InviteCommand): Promise<RegisterOutcome>;
  /**
   * Replaces the person's earlier token for the same purpose; only the hash is stored. `null` if the person does not exist,
   * `SIGN_UP` does not admit them, or the new address is invalid. Whether a new address is taken is checked when `change-email`
   * is redeemed.
   */
  issueToken(command: IssueTokenCommand): Promise<IssuedToken | null>;
  /** `null` if the token is not valid. Read-only. */
  ownerOf(token: string, purpose: TokenPurpose, at: Instant): Promise<Person | null>;
  /** Read-only. */
  isTokenLive(token: string, purpose: TokenPurpose, at: Instant): Promise<boolean>;
  /**
   * Of concurrent calls, exactly one takes effect and returns the person; `null` for a used, expired or unknown token or a wrong
   * password. Throws `sign_up_closed` if `SIGN_UP` does not admit the person.
   */
  redeem(redemption: Redemption, at: Instant): Promise<Person | null>;
  /**
   * Consumes a `confirm-change` token. Of concurrent calls, exactly one returns the change, which is not applied yet; `null` for
   * an invalid token.
   */
  confirmChange(token: string, at: Instant): Promise<ConfirmedChange | null>;
  /** "This was not me": deletes the person while the address is unverified. */
  disown(token: string, at: Instant, address?: string): Promise<boolean>;
  /** False for an invited person without a password, and if the person no longer exists. */
  hasPassword(id: PersonId): Promise<boolean>;
  /** For acts that require a recent proof. */
  provesPassword(id: PersonId, password: string): Promise<boolean>;
  /** Ends every other session. */
  changePassword(command: ChangePasswordCommand): Promise<'changed' | 'wrong-password'>;
  /** Names must be valid display names. */
  rename(id: PersonId, names: PersonNames, by: AuditedBy): Promise<RenameOutcome>;
  listOperators(): Promise<readonly Person[]>;
  setRole(id: PersonId, role: PersonRole, by: AuditedBy): Promise<SetRoleOutcome>;
  /** Erases a person who owns no account, with factors, sessions and tokens. A person with an account is erased by its deletion. */
  erase(id: PersonId, by: AuditedBy): Promise<ErasePersonOutcome>;
}
