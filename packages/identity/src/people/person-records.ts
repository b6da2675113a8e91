import type { Account, AuditedBy, Instant, PersonId, SessionId, TokenHash } from '@tollgate/core';
import type { StoredMail } from '../mail/mail.js';
import type { AccountAccess, Person, PersonRole, TokenPurpose } from './person.js';
import type { SignupCredit } from './signup-credits.js';

/** A person with related data, from one read. */
export interface PersonRecord {
  readonly person: Person;
  /** `null` for an invited person who has not set one. */
  readonly passwordHash: string | null;
  /** `null` while the person has no account. */
  readonly account: AccountAccess | null;
  /** When the unverified person is removed; `null` once verified. */
  readonly discardAt: Instant | null;
}

export interface NewPerson {
  /** The store assigns `accountId`. */
  readonly person: Person;
  readonly passwordHash: string | null;
  /** Created in the same transaction unless an account with the address exists. */
  readonly account: Account;
}

/** Only the hash of the token is stored. */
export interface StoredToken {
  readonly hash: TokenHash;
  readonly personId: PersonId;
  readonly purpose: TokenPurpose;
  /** The new address of `confirm-change` and `change-email`; `null` for other purposes. */
  readonly newEmail: string | null;
  readonly expiresAt: Instant;
}

/** Additional effects of verifying an address. */
export interface AddressVerified {
  /** Created in the same transaction unless an account with the address exists. */
  readonly account: Account;
  /**
   * Booked in the same transaction if the account becomes verified, unless the person is an operator or the mailbox was credited
   * before.
   */
  readonly signupCredit?: SignupCredit | null;
}

/** Applied in the transaction that consumes the token. */
export type TokenEffect =
  /** Requires that the password still has this hash. */
  | ({ readonly kind: 'verify-email'; readonly provenHash: string } & AddressVerified)
  /**
   * Sets the password, verifies the address, and removes all sessions, tokens and factors (an operator's factors stay). If the
   * address was unverified and `name` is not `null`, it replaces the names of the person and of the account created with them.
   */
  | ({ readonly kind: 'set-password'; readonly passwordHash: string; readonly name: string | null } & AddressVerified)
  | { readonly kind: 'change-email' }
  /** Removes an unverified person, as `discardUnverified` does. */
  | { readonly kind: 'disown' }
  | { readonly kind: 'none' };

export interface TokenRedemption {
  readonly hash: TokenHash;
  readonly purpose: TokenPurpose;
  readonly effect: TokenEffect;
  readonly at: Instant;
  /** The client's address, for the audit trail. */
  readonly address?: string | undefined;
}

export interface PasswordChange {
  readonly id: PersonId;
  /** The hash that the current password was verified against; the change is refused if it differs. */
  readonly provenHash: string;
  readonly passwordHash: string;
  /** Every other session ends. */
  readonly keep: SessionId;
}

/** `owns-account`: deleting the account erases the person. */
export type ErasePersonOutcome = 'erased' | 'owns-account' | 'last-operator' | 'no-such-person';

/** Omitted names stay unchanged. */
export interface PersonNames {
  readonly name?: string;
  /** Ignored for a person without an account. */
  readonly accountName?: string;
}

export type SetRoleOutcome = 'changed' | 'unchanged' | 'last-operator' | 'no-such-person';

/**
 * Every write is audited in the same transaction, by ids only. Throws if the store is unavailable, so that an unreadable person
 * never counts as missing.
 */
export interface PersonRecords {
  find(id: PersonId): Promise<PersonRecord | null>;
  /** `email` must be folded. */
  findByEmail(email: string): Promise<PersonRecord | null>;
  /** Oldest first. */
  listByRole(role: PersonRole): Promise<readonly Person[]>;
  /** Of concurrent registrations of one address, exactly one creates the person. */
  register(registration: NewPerson, by: AuditedBy): Promise<{ readonly outcome: 'created' | 'existing'; readonly id: PersonId }>;
  /**
   * Verifies the address on the word of an operator or an issuer, and links the person to the account with it, or to `account`.
   * Removes sessions, factors, tokens and password and resets the name, because a stranger may have set them. False, and no
   * effect, if the person does not exist or is verified.
   */
  vouch(id: PersonId, account: Account, by: AuditedBy): Promise<boolean>;
  /**
   * Repeats the invitation of an unverified person: removes password, sessions, factors and tokens, sets the name and restarts
   * the time until removal. False, and no effect, if the person does not exist or is verified.
   */
  reinvite(id: PersonId, name: string, by: AuditedBy): Promise<boolean>;
  /** Replaces the person's token for the same purpose. Audited if someone else requested it. False if the person does not exist. */
  putToken(token: StoredToken, at: Instant, by?: AuditedBy): Promise<boolean>;
  /** Does not consume the token; `null` if it is unknown, used or expired. */
  findToken(hash: TokenHash, purpose: TokenPurpose, at: Instant): Promise<StoredToken | null>;
  /** Consumes the token and applies its effect, once. `null`, and no effect, if the token is invalid or the effect is refused. */
  redeem(redemption: TokenRedemption): Promise<Person | null>;
  changePassword(change: PasswordChange, by: AuditedBy): Promise<boolean>;
  /** Stores the same password with stronger parameters; no effect if it has changed. Not audited. */
  rehash(id: PersonId, provenHash: string, passwordHash: string): Promise<void>;
  /** Returns the changed person; `null` if there is none. */
  rename(id: PersonId, names: PersonNames, by: AuditedBy): Promise<Person | null>;
  /** The last operator cannot be demoted. */
  setRole(id: PersonId, role: PersonRole, by: AuditedBy): Promise<SetRoleOutcome>;
  /**
   * Removes all factors, recovery codes, failure counts and sessions, and stores the notice. False, and no effect, if the person
   * has no factor.
   */
  removeFactors(id: PersonId, notice: StoredMail, by: AuditedBy): Promise<boolean>;
  /**
   * Removes people who did not verify their address within `UNVERIFIED_KEPT_MILLISECONDS`, with the accounts created with them,
   * unless an account has ledger entries or keys, or operators verified, suspended or blocked it. Returns the number removed; if
   * it equals `limit`, more may be left.
   */
  discardUnverified(limit: number, by: AuditedBy): Promise<number>;
  /** Erases a person without an account. The last operator cannot be erased. */
  erase(id: PersonId, by: AuditedBy): Promise<ErasePersonOutcome>;
}
