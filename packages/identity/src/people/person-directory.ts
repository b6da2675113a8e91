import type { Actor, AuditedBy, Instant, PersonId, SessionId } from '@tollgate/core';
import type { Password } from '../passwords/password.js';
import type { ErasePersonOutcome, PersonNames, SetRoleOutcome } from './person-records.js';
import type { Person, PersonRole, TokenPurpose } from './person.js';

export interface RegisterCommand {
  readonly email: string;
  readonly name: string;
  readonly password: Password;
  /** The client's, for the audit trail. */
  readonly address?: string | undefined;
  readonly at: Instant;
  /** Called once the password is hashed: what follows depends on whether the address is known. */
  readonly onHashed?: () => void;
}

export interface InviteCommand {
  readonly email: string;
  readonly name: string;
  readonly by: Actor;
  readonly at: Instant;
}

/** `existing` decides which mail is sent, never what the client sees. `email-malformed`: no mail can be sent there. */
export type RegisterOutcome =
  | { readonly outcome: 'created' | 'existing'; readonly id: PersonId }
  | { readonly outcome: 'closed' | 'email-malformed' | 'name-malformed' };

/** Purposes of tokens that are about a new address. */
export type AddressPurpose = 'confirm-change' | 'change-email';

/** A change of address that the person has confirmed at the present one. */
export interface ConfirmedChange {
  readonly person: Person;
  readonly newEmail: string;
}

/** A token as it goes into a link. */
export interface IssuedToken {
  readonly token: string;
  /** As asked, or earlier: with the days after which someone who has not verified the address is removed. */
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
  /** The session that the change is made in. */
  readonly keep: SessionId;
  /** The client's, for the audit trail. */
  readonly address?: string | undefined;
  readonly at: Instant;
}

interface FromClient {
  /** The client's, for the audit trail and for the turn of its hash. */
  readonly address?: string | undefined;
  /** What the browser sent; it tells whether the browser is known. */
  readonly cookie?: string | null;
}

/** A token's way back, and what its form brings along. */
export type Redemption = FromClient & (
  /** With the password of the sign-up, so that the owner of the mailbox takes over nothing that a stranger prepared. */
  | { readonly purpose: 'verify-email'; readonly token: string; readonly password: string }
  | { readonly purpose: 'reset-password' | 'invitation'; readonly token: string; readonly password: Password }
  | { readonly purpose: 'change-email'; readonly token: string }
);

/** People. Every write enters the audit trail in the same transaction. Throws when the store is away. */
export interface PersonDirectory {
  find(id: PersonId): Promise<Person | null>;
  findByEmail(email: string): Promise<Person | null>;
  /** Creates person and account together, or the person alone where an account with the address exists; takes as long for a known address. */
  register(command: RegisterCommand): Promise<RegisterOutcome>;
  /** As `register`, for someone who sets a password with an invitation. What someone else has prepared with an address that is not verified is removed. */
  invite(command: InviteCommand): Promise<RegisterOutcome>;
  /**
   * Replaces the person's earlier token for the same purpose; only its hash is stored. `null` when there is no such person, `SIGN_UP` does not let them
   * in, or the new address is none.
   * Whether a new address is taken shows at the redemption of `change-email` only.
   */
  issueToken(command: IssueTokenCommand): Promise<IssuedToken | null>;
  /** Whose token it is; `null` when it is not live. Changes nothing. */
  ownerOf(token: string, purpose: TokenPurpose, at: Instant): Promise<Person | null>;
  /** Whether a token would still be taken. Changes nothing. */
  isTokenLive(token: string, purpose: TokenPurpose, at: Instant): Promise<boolean>;
  /**
   * Of simultaneous calls exactly one returns the person and has had its effect; `null` for a used, expired or unknown token, or a wrong password.
   * Throws `sign_up_closed` where `SIGN_UP` does not let the person in.
   */
  redeem(redemption: Redemption, at: Instant): Promise<Person | null>;
  /** Takes a `confirm-change` token. Of simultaneous calls exactly one returns the change, which has had no effect yet; `null` for a token that is not live. */
  confirmChange(token: string, at: Instant): Promise<ConfirmedChange | null>;
  /** "This was not me": the token of a verification removes the person, as long as the address is not verified. */
  disown(token: string, at: Instant, address?: string): Promise<boolean>;
  /** `false` for someone who was invited and has set none, and for someone who is gone. */
  hasPassword(id: PersonId): Promise<boolean>;
  /** Whether this is the person's password; for acts that want a fresh proof. */
  provesPassword(id: PersonId, password: string): Promise<boolean>;
  /** Ends every other session. */
  changePassword(command: ChangePasswordCommand): Promise<'changed' | 'wrong-password'>;
  /** Names are lines of 1 to 200 characters. */
  rename(id: PersonId, names: PersonNames, by: AuditedBy): Promise<RenameOutcome>;
  listOperators(): Promise<readonly Person[]>;
  setRole(id: PersonId, role: PersonRole, by: AuditedBy): Promise<SetRoleOutcome>;
  /** Erases a person who has no account yet: name, address, password, factors, sessions and tokens. Deleting an account erases its owner. */
  erase(id: PersonId, by: AuditedBy): Promise<ErasePersonOutcome>;
}
