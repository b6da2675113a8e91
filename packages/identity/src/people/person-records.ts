import type { Account, AuditedBy, Instant, PersonId, SessionId, TokenHash } from '@tollgate/core';
import type { StoredMail } from '../mail/mail.js';
import type { AccountAccess, Person, PersonRole, TokenPurpose } from './person.js';
import type { SignupCredit } from './signup-credits.js';

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
