import type { PersonId, SessionId, TokenHash } from '../primitives.js';
import type { Password } from '../people/password.js';
import type { AccountAccess, Person, PersonRole, TokenPurpose } from '../people/person.js';
import type { Instant } from '../time.js';
import type { AuditedBy } from './accounts.js';
import type { Actor } from './audit.js';
import type { Account } from '../accounts/account.js';
import type { StoredMail } from '../mail/mail.js';
import type { SignupCredit } from '../people/sign-up.js';

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

/** A person with what the rules need beside them, read in one look. */
export interface PersonRecord {
  readonly person: Person;
  /** `null` for someone who was invited and has set none yet. */
  readonly passwordHash: string | null;
  /** `null` as long as the person has no account. */
  readonly account: AccountAccess | null;
  /** When someone who has not verified the address is removed; `null` once it is. */
  readonly discardAt: Instant | null;
}

export interface NewPerson {
  /** Its `accountId` is decided by the store. */
  readonly person: Person;
  readonly passwordHash: string | null;
  /** Created in the same transaction, unless an account with the address exists. */
  readonly account: Account;
}

/** A token of which only the hash is stored. */
export interface StoredToken {
  readonly hash: TokenHash;
  readonly personId: PersonId;
  readonly purpose: TokenPurpose;
  /** The address that `confirm-change` and `change-email` are about; `null` for the other purposes. */
  readonly newEmail: string | null;
  readonly expiresAt: Instant;
}

/** What the verification of an address brings about beside it. */
export interface AddressVerified {
  /** Created in the same transaction, unless an account with the address exists. */
  readonly account: Account;
  /** Booked in the same transaction where that verifies the account too, unless the person is an operator or the address was credited before. */
  readonly signupCredit?: SignupCredit | null;
}

/** What redeeming a token does, in the transaction that takes the token away. */
export type TokenEffect =
  /** Takes effect if the password is still the one that was proved. */
  | ({ readonly kind: 'verify-email'; readonly provenHash: string } & AddressVerified)
  /**
   * Sets the password, verifies the address, and removes every session and token from before, and every factor but an operator's. Someone who had not verified the address gets the
   * name, unless it is `null`, and so does the account that was made with them.
   */
  | ({ readonly kind: 'set-password'; readonly passwordHash: string; readonly name: string | null } & AddressVerified)
  | { readonly kind: 'change-email' }
  /** Removes a person who never verified the address, as `discardUnverified` does. */
  | { readonly kind: 'disown' }
  | { readonly kind: 'none' };

export interface TokenRedemption {
  readonly hash: TokenHash;
  readonly purpose: TokenPurpose;
  readonly effect: TokenEffect;
  readonly at: Instant;
  /** The client's, for the audit trail. */
  readonly address?: string | undefined;
}

export interface PasswordChange {
  readonly id: PersonId;
  /** The hash that the current password was checked against; another one in its place refuses the change. */
  readonly provenHash: string;
  readonly passwordHash: string;
  /** Every other session ends. */
  readonly keep: SessionId;
}

/** `owns-account`: the person is erased by the deletion of their account. */
export type ErasePersonOutcome = 'erased' | 'owns-account' | 'last-operator' | 'no-such-person';

/** What a person and their account are called; what is left out stays as it is. */
export interface PersonNames {
  readonly name?: string;
  /** Has no effect for a person without an account. */
  readonly accountName?: string;
}

export type SetRoleOutcome = 'changed' | 'unchanged' | 'last-operator' | 'no-such-person';

/**
 * People as a store keeps them; every write enters the audit trail in the same transaction, by ids only. Throws when the store is away: a person
 * who cannot be read is never a missing one.
 */
export interface PersonRecords {
  find(id: PersonId): Promise<PersonRecord | null>;
  /** The address is folded. */
  findByEmail(email: string): Promise<PersonRecord | null>;
  /** Oldest first. */
  listByRole(role: PersonRole): Promise<readonly Person[]>;
  /** Of simultaneous registrations of one address exactly one creates the person. */
  register(registration: NewPerson, by: AuditedBy): Promise<{ readonly outcome: 'created' | 'existing'; readonly id: PersonId }>;
  /**
   * An operator or an issuer vouches for the address: it is verified, and the person gets the account with it, or the one given. Sessions, factors, tokens and
   * password from before are removed, and the name becomes that of the given account, since a stranger may have set them. `false`, and no effect, when there is no such person or the address is verified.
   */
  vouch(id: PersonId, account: Account, by: AuditedBy): Promise<boolean>;
  /**
   * An operator invites someone who has not verified the address once more: password, sessions, factors, tokens and name from before go, and the days until
   * the person is removed start again. `false`, and no effect, when there is no such person or the address is verified.
   */
  reinvite(id: PersonId, name: string, by: AuditedBy): Promise<boolean>;
  /** Replaces the person's token for the same purpose. Audited where another one than the person asked for it. `false` when there is no such person. */
  putToken(token: StoredToken, at: Instant, by?: AuditedBy): Promise<boolean>;
  /** Leaves the token as it is; `null` when it is unknown, used or expired. */
  findToken(hash: TokenHash, purpose: TokenPurpose, at: Instant): Promise<StoredToken | null>;
  /** Takes the token away and has its effect, once. `null`, and no effect, when the token is not live or the effect is refused. */
  redeem(redemption: TokenRedemption): Promise<Person | null>;
  changePassword(change: PasswordChange, by: AuditedBy): Promise<boolean>;
  /** The same password under stronger parameters; no effect when it has changed meanwhile. Not audited. */
  rehash(id: PersonId, provenHash: string, passwordHash: string): Promise<void>;
  /** The person as they are then; `null` when there is none. */
  rename(id: PersonId, names: PersonNames, by: AuditedBy): Promise<Person | null>;
  /** The last operator stays one. */
  setRole(id: PersonId, role: PersonRole, by: AuditedBy): Promise<SetRoleOutcome>;
  /** Removes every second factor, recovery code, count of wrong proofs and session of a person, and stores the notice. `false`, and no effect, where they have no factor. */
  removeFactors(id: PersonId, notice: StoredMail, by: AuditedBy): Promise<boolean>;
  /**
   * Removes some of the people who are past their date: `UNVERIFIED_KEPT_MILLISECONDS` after they came, without having verified their address. The account that
   * was made with them goes too, unless something is booked on it, it has a key, or operators have verified, suspended or blocked it. Resolves with how many
   * people were removed; `limit` and more may be left when it is `limit`.
   */
  discardUnverified(limit: number, by: AuditedBy): Promise<number>;
  /** Removes a person who has no account yet. The last operator stays. */
  erase(id: PersonId, by: AuditedBy): Promise<ErasePersonOutcome>;
}
