import { type AuditedBy, foldEmail, GATEWAY_ORIGIN, type Instant, isDisplayName, isMailAddress, type PersonId, type PlanId } from '@tollgate/core';
import { strangerAt, type TurnHolder } from '../attempts/fair-turns.js';
import type { MailLanguage } from '../mail/mail-language.js';
import type { PasswordHasher } from '../passwords/password-hasher.js';
import { readPassword } from '../passwords/password.js';
import type { IdentityIdGenerator } from '../tokens/identity-id-generator.js';
import type { SecretTokens } from '../tokens/secret-tokens.js';
import type { KnownDevices } from './known-devices.js';
import { PersonLinks } from './person-links.js';
import type {
  ChangePasswordCommand, ConfirmedChange, InviteCommand, IssuedToken, IssueTokenCommand, Redemption, RegisterCommand, RegisterOutcome,
  RenameOutcome,
} from './person-commands.js';
import { mailboxOf, type Newcomer, PersonDrafts } from './person-drafts.js';
import type { ErasePersonOutcome, PersonNames, PersonRecords, SetRoleOutcome, TokenEffect } from './person-records.js';
import { ownAct, type Person, type PersonRole, type TokenPurpose } from './person.js';
import { admitsPerson, permitsRegistration, type Registration, signUpClosed, type SignUpPolicy } from './sign-up-policy.js';
import type { SignupCredits } from './signup-credits.js';

export interface PersonDirectoryParts {
  readonly records: PersonRecords;
  readonly hasher: PasswordHasher;
  readonly devices: KnownDevices;
  readonly tokens: SecretTokens;
  readonly ids: IdentityIdGenerator;
  readonly signUp: SignUpPolicy;
  /** Plan of new accounts. */
  readonly planId: PlanId;
  /** `null` if there are no sign-up credits. */
  readonly signupCredits?: SignupCredits | null;
}

/** People and their links. Every write is audited in the same transaction. Throws if the store is unavailable. */
export class PersonDirectory {
  private readonly drafts: PersonDrafts;
  private readonly links: PersonLinks;

  constructor(private readonly parts: PersonDirectoryParts) {
    this.drafts = new PersonDrafts(parts.ids, parts.planId, parts.signupCredits);
    this.links = new PersonLinks(parts);
  }

  async find(id: PersonId): Promise<Person | null> {
    return (await this.parts.records.find(id))?.person ?? null;
  }

  async findByEmail(email: string): Promise<Person | null> {
    return (await this.parts.records.findByEmail(foldEmail(email)))?.person ?? null;
  }

  /** Creates person and account, or only the person if an account has the address. Takes the same time if a person already has the address. */
  async register({ password, onHashed, address, ...newcomer }: RegisterCommand): Promise<RegisterOutcome> {
    const refusal = this.refusal(newcomer, 'sign-up');
    if (refusal !== null) return refusal;
    const passwordHash = await this.parts.hasher.hash(password, strangerAt(address));
    onHashed?.();
    const person = this.drafts.person(newcomer);
    return this.parts.records.register({ person, passwordHash, account: this.drafts.accountFor(person, newcomer.at) }, ownAct(person.id, newcomer.at, address));
  }

  /**
   * Like `register`, but the password is set later, through the invitation. Removes credentials that someone else prepared under an unverified
   * address.
   */
  async invite({ by, ...newcomer }: InviteCommand): Promise<RegisterOutcome> {
    const refusal = this.refusal(newcomer, 'invitation');
    if (refusal !== null) return refusal;
    const person = this.drafts.person(newcomer);
    const audited = { actor: by, at: newcomer.at };
    const registered = await this.parts.records.register({ person, passwordHash: null, account: this.drafts.accountFor(person, newcomer.at) }, audited);
    if (registered.outcome === 'existing') await this.parts.records.reinvite(registered.id, newcomer.name, audited);
    return registered;
  }

  issueToken(command: IssueTokenCommand): Promise<IssuedToken | null> {
    return this.links.issueToken(command);
  }

  /** Does not consume the token; `null` if it is invalid. */
  async ownerOf(token: string, purpose: TokenPurpose, at: Instant): Promise<Person | null> {
    const stored = await this.parts.records.findToken(this.parts.tokens.hash(token), purpose, at);
    return stored === null ? null : this.find(stored.personId);
  }

  /** Does not consume the token. */
  async isTokenLive(token: string, purpose: TokenPurpose, at: Instant): Promise<boolean> {
    return await this.parts.records.findToken(this.parts.tokens.hash(token), purpose, at) !== null;
  }

  /**
   * Exactly one of concurrent calls takes effect; `null` for a used, expired or unknown token or a wrong password, and for a `change-email` whose new
   * address is taken or whose account is not active. Throws `sign_up_closed` if `SIGN_UP` does not admit the person, except for `change-email`.
   */
  async redeem(redemption: Redemption, at: Instant): Promise<Person | null> {
    const { token, purpose, address } = redemption;
    const hash = this.parts.tokens.hash(token);
    // Checked before any password is hashed, so that an invalid token costs one read.
    const stored = await this.parts.records.findToken(hash, purpose, at);
    if (stored === null) return null;
    const effect = await this.effectOf(redemption, stored.personId, at);
    return effect === null ? null : this.parts.records.redeem({ hash, purpose, effect, at, address });
  }

  /** Consumes a `confirm-change` token; the change is not applied yet. Exactly one of concurrent calls returns it; `null` for an invalid token. */
  async confirmChange(token: string, at: Instant): Promise<ConfirmedChange | null> {
    const hash = this.parts.tokens.hash(token);
    const stored = await this.parts.records.findToken(hash, 'confirm-change', at);
    if (stored === null || stored.newEmail === null) return null;
    const person = await this.parts.records.redeem({ hash, purpose: 'confirm-change', effect: { kind: 'none' }, at });
    return person === null ? null : { person, newEmail: stored.newEmail };
  }

  /** "This was not me": deletes the person while the address is unverified. False if the token is invalid. */
  async disown(token: string, at: Instant, address?: string): Promise<boolean> {
    const hash = this.parts.tokens.hash(token);
    return await this.parts.records.redeem({ hash, purpose: 'verify-email', effect: { kind: 'disown' }, at, address }) !== null;
  }

  hasPassword(id: PersonId): Promise<boolean> {
    return this.links.hasPassword(id);
  }

  /** True if this is the person's password, for acts that need a recent proof. */
  async provesPassword(id: PersonId, password: string): Promise<boolean> {
    return await this.provenHash(id, password, { kind: 'known', person: id }) !== null;
  }

  /** Ends every other session and removes all tokens of links. */
  async changePassword({ id, current, next, keep, at, origin = GATEWAY_ORIGIN }: ChangePasswordCommand): Promise<'changed' | 'wrong-password'> {
    const holder: TurnHolder = { kind: 'known', person: id };
    const provenHash = await this.provenHash(id, current, holder);
    if (provenHash === null) return 'wrong-password';
    const passwordHash = await this.parts.hasher.hash(next, holder);
    const changed = await this.parts.records.changePassword({ id, provenHash, passwordHash, keep }, { actor: { kind: 'owner', id, origin }, at });
    return changed ? 'changed' : 'wrong-password';
  }

  /** Names must be valid display names. */
  async rename(id: PersonId, names: PersonNames, by: AuditedBy): Promise<RenameOutcome> {
    if (![names.name, names.accountName].every((name) => name === undefined || isDisplayName(name))) return { outcome: 'name-malformed' };
    const person = await this.parts.records.rename(id, names, by);
    return person === null ? { outcome: 'no-such-person' } : { outcome: 'renamed', person };
  }

  setLanguage(id: PersonId, language: MailLanguage): Promise<void> {
    return this.parts.records.setLanguage(id, language);
  }

  listOperators(): Promise<readonly Person[]> {
    return this.parts.records.listByRole('operator');
  }

  setRole(id: PersonId, role: PersonRole, by: AuditedBy): Promise<SetRoleOutcome> {
    return this.parts.records.setRole(id, role, by);
  }

  /** Erases a person without an account, with factors, sessions and tokens. For a person with an account, the account's deletion does this. */
  erase(id: PersonId, by: AuditedBy): Promise<ErasePersonOutcome> {
    return this.parts.records.erase(id, by);
  }

  private refusal({ email, name }: Newcomer, registration: Registration): RegisterOutcome | null {
    if (!permitsRegistration(this.parts.signUp, registration)) return { outcome: 'closed' };
    if (!isMailAddress(email)) return { outcome: 'email-malformed' };
    return isDisplayName(name) ? null : { outcome: 'name-malformed' };
  }

  private async effectOf(redemption: Redemption, id: PersonId, at: Instant): Promise<TokenEffect | null> {
    if (redemption.purpose === 'change-email') return { kind: 'change-email' };
    const record = await this.parts.records.find(id);
    if (record === null) return null;
    if (!admitsPerson(this.parts.signUp, record)) throw signUpClosed();
    const { cookie = null, address } = redemption;
    const holder: TurnHolder = this.parts.devices.knows({ cookie }, record, at) ? { kind: 'known', person: id } : strangerAt(address);
    const account = this.drafts.accountFor(record.person, at);
    const signupCredit = this.drafts.creditFor(record.person, redemption.address);
    if (redemption.purpose === 'verify-email') {
      const provenHash = await this.provenHash(id, redemption.password, holder);
      return provenHash === null ? null : { kind: 'verify-email', provenHash, account, signupCredit };
    }
    // A stranger may have signed up with the address and chosen the name; an invited person's name is the operator's choice.
    const name = record.passwordHash === null ? null : mailboxOf(record.person.email);
    return { kind: 'set-password', passwordHash: await this.parts.hasher.hash(redemption.password, holder), account, signupCredit, name };
  }

  /** The stored hash if the password is right; otherwise `null`. */
  private async provenHash(id: PersonId, typed: string, holder: TurnHolder): Promise<string | null> {
    const read = readPassword(typed);
    const stored = (await this.parts.records.find(id))?.passwordHash ?? null;
    if (read.outcome !== 'read') return null;
    return await this.parts.hasher.verify(read.password, stored, holder) === 'wrong' ? null : stored;
  }
}
