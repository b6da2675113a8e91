import type { Account, AccountId, AuditedBy, Instant, MachineId, PersonId, SessionId, TokenHash } from '@tollgate/core';
import type { MailLanguage } from '../mail/mail-language.js';
import type { MailPace, MailStoring } from '../mail/mail-outbox.js';
import type { StoredMail } from '../mail/mail.js';
import type { MailId } from '../tokens/identity-id-generator.js';
import type { Consent } from './consents.js';
import type { AccountAccess, Person, PersonRole, TokenPurpose } from './person.js';
import type { SignupCredit } from './signup-credits.js';

/** A person with what sign-in depends on, in one read. */
export interface PersonRecord {
  readonly person: Person;
  /** `null` if an invited person has not set a password. */
  readonly passwordHash: string | null;
  /** `null` if the person owns no account. */
  readonly account: AccountAccess | null;
  /** When an unverified person is removed; `null` once verified. */
  readonly discardAt: Instant | null;
}

export interface NewPerson {
  /** The store assigns `accountId`. */
  readonly person: Person;
  readonly passwordHash: string | null;
  /** Created in the same transaction for an address without an account. */
  readonly account: Account;
}

/** A message that an operator has made again for a person. */
export interface MailRepetition {
  readonly of: MailId;
  readonly personId: PersonId;
  /** Token of the link in the message; replaces the earlier one. `null` for a message without a link. */
  readonly token: StoredToken | null;
  readonly pace: MailPace;
  readonly by: AuditedBy;
}

/** A token of which only the hash is stored. */
export interface StoredToken {
  readonly hash: TokenHash;
  readonly personId: PersonId;
  readonly purpose: TokenPurpose;
  /** For `confirm-change` and `change-email`; `null` otherwise. */
  readonly newEmail: string | null;
  readonly expiresAt: Instant;
  /** For `machine-sign-in`, the machine that issued it; `null` otherwise. */
  readonly machineId: MachineId | null;
}

/** A link that signs the owner of an account in. Only the hash of its token is stored. */
export interface MachineLink {
  readonly accountId: AccountId;
  readonly hash: TokenHash;
  readonly machineId: MachineId;
  readonly expiresAt: Instant;
}

/**
 * Why a machine gets no link that signs in the account's person. `no-person`: the account has no person. `unverified`: its person has not verified
 * the address.
 */
export type MachineLinkRefusal = 'no-person' | 'operator' | 'unverified' | 'blocked' | 'deleted';

/** Additional effects of verifying an address. */
export interface AddressVerified {
  /** Created in the same transaction for an address without an account. */
  readonly account: Account;
  /**
   * Booked in the same transaction if the account becomes verified; not for an operator or a mailbox that was credited before, nor beyond the maximum
   * of a network.
   */
  readonly signupCredit?: SignupCredit | null;
}

/** Effect in the transaction that consumes the token. */
export type TokenEffect =
  /** Only if the password still has this hash. */
  | ({ readonly kind: 'verify-email'; readonly provenHash: string } & AddressVerified)
  /**
   * Sets the password, verifies the address, removes all sessions, tokens, links to issuers and factors (not an operator's factors). If the address
   * was unverified, a `name` replaces the names of the person and of the account created with the person.
   */
  | ({ readonly kind: 'set-password'; readonly passwordHash: string; readonly name: string | null } & AddressVerified)
  | { readonly kind: 'change-email' }
  /** Removes the unverified person, as `discardUnverified` does. */
  | { readonly kind: 'disown' }
  | { readonly kind: 'none' };

export interface TokenRedemption {
  readonly hash: TokenHash;
  readonly purpose: TokenPurpose;
  readonly effect: TokenEffect;
  readonly at: Instant;
  /** Address of the client, for the audit log. */
  readonly address?: string | undefined;
}

export interface PasswordChange {
  readonly id: PersonId;
  /** The verified hash of the current password; refused if it has changed. */
  readonly provenHash: string;
  readonly passwordHash: string;
  /** The session that continues; all others end. */
  readonly keep: SessionId;
}

/** `owns-account`: the account's deletion erases the person. */
export type ErasePersonOutcome = 'erased' | 'owns-account' | 'last-operator' | 'no-such-person';

/** Absent names do not change. */
export interface PersonNames {
  readonly name?: string;
  /** Ignored if the person owns no account. */
  readonly accountName?: string;
}

/** A change of address by an operator, who vouches for the new address. */
export interface AddressReplacement {
  readonly accountId: AccountId;
  /** The account's address when the change was decided. */
  readonly from: string;
  /** Folded. */
  readonly to: string;
  /** Messages stored with the change. */
  readonly notices: readonly StoredMail[];
}

/**
 * `operator`: only the owner, an operator, may change the address. `changed-meanwhile`: the account has another address than `from`, or is deleted.
 */
export type AddressReplacementOutcome = 'changed' | 'email-taken' | 'operator' | 'changed-meanwhile';

export type SetRoleOutcome = 'changed' | 'unchanged' | 'last-operator' | 'no-such-person';

/**
 * Stored people. Every write is audited in the same transaction, unless stated otherwise; names and addresses are personal texts of the entries.
 * Throws if the store is unavailable: an unreadable person never counts as missing.
 */
export interface PersonRecords {
  find(id: PersonId): Promise<PersonRecord | null>;
  /** `email` must be folded. */
  findByEmail(email: string): Promise<PersonRecord | null>;
  /** People with this role, oldest first. */
  listByRole(role: PersonRole): Promise<readonly Person[]>;
  /** Exactly one of concurrent calls for an address creates the person. */
  register(registration: NewPerson, by: AuditedBy): Promise<{ readonly outcome: 'created' | 'existing'; readonly id: PersonId }>;
  /**
   * An operator or issuer verifies the address. Links the person to the account with this address, or to `account` if there is none. Removes
   * sessions, factors, tokens, links to issuers and password and resets the name, because a stranger may have set them. False, without effect, if the
   * person does not exist or is verified.
   */
  vouch(id: PersonId, account: Account, by: AuditedBy): Promise<boolean>;
  /**
   * Invites an unverified person again: removes password, sessions, factors, tokens and links to issuers, sets the name, restarts the time until
   * removal. False, without effect, if the person does not exist or is verified.
   */
  reinvite(id: PersonId, name: string, by: AuditedBy): Promise<boolean>;
  /** Replaces the person's token for the purpose. Audited if `by` is present. False if the person does not exist. */
  putToken(token: StoredToken, at: Instant, by?: AuditedBy): Promise<boolean>;
  /** Like `MailOutbox.storeWithin`; if the outcome is `stored`, stores the token and audits the act in the same transaction. */
  mailAgain(mail: StoredMail, repetition: MailRepetition): Promise<MailStoring | 'too-many' | 'no-person'>;
  /** Stores a link, which replaces an unused one of the same person. A refusal has no effect. */
  putMachineLink(link: MachineLink, by: AuditedBy): Promise<'issued' | MachineLinkRefusal>;
  /** Does not consume the token; `null` if it is unknown, used or expired. */
  findToken(hash: TokenHash, purpose: TokenPurpose, at: Instant): Promise<StoredToken | null>;
  /** Consumes the token and applies its effect, once. `null`, without effect, if the token is invalid or the effect is refused. */
  redeem(redemption: TokenRedemption): Promise<Person | null>;
  /** Also removes the tokens. False, without effect, if the password has changed. */
  changePassword(change: PasswordChange, by: AuditedBy): Promise<boolean>;
  /** Stores a stronger hash of the same password; no effect if the password has changed. Not audited. */
  rehash(id: PersonId, provenHash: string, passwordHash: string): Promise<void>;
  /** `null` if there is no such person. */
  rename(id: PersonId, names: PersonNames, by: AuditedBy): Promise<Person | null>;
  /** Not audited. No effect for an unknown person. */
  setLanguage(id: PersonId, language: MailLanguage): Promise<void>;
  /** Refused for the last operator. */
  setRole(id: PersonId, role: PersonRole, by: AuditedBy): Promise<SetRoleOutcome>;
  /**
   * Changes the address of the account and its person together. Ends the sessions of the person and removes the tokens; password, factors and links
   * to issuers stay. A refusal has no effect.
   */
  replaceAddress(replacement: AddressReplacement, by: AuditedBy): Promise<AddressReplacementOutcome>;
  /** Also removes recovery codes, failure counts and sessions; stores the notice. False, without effect, if the person has no factor. */
  removeFactors(id: PersonId, notice: StoredMail, by: AuditedBy): Promise<boolean>;
  /**
   * Removes people who did not verify their address within `UNVERIFIED_KEPT_MILLISECONDS`, with the accounts created with them, unless an
   * account has ledger entries or keys, or operators verified, suspended or blocked it. Returns the number removed; if it equals `limit`,
   * more may be left. If a person cannot be removed, removes the others before it throws the first failure; the next call tries that person last.
   */
  discardUnverified(limit: number, by: AuditedBy): Promise<number>;
  /** Oldest first; none for an unknown person. */
  consents(id: PersonId): Promise<readonly Consent[]>;
  /** Versions that the person agreed to before stay as they are. No effect for an unknown person. */
  agree(id: PersonId, versions: readonly Pick<Consent, 'document' | 'version'>[], by: AuditedBy): Promise<void>;
  /** Erases a person without an account. Refused for the last operator. */
  erase(id: PersonId, by: AuditedBy): Promise<ErasePersonOutcome>;
}
