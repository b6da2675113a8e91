import {
  type AccountErasure, type AccountId, type AccountRepository, type AuditTrail, type BookingObservers, type Instant, type KeyDirectory, type KeyRepository, later, type Ledger,
  PAY_AS_YOU_GO, type PersonId, SYSTEM_ACTOR,
} from '@tollgate/core';
import {
  type AddressHashes, type BrowserRequest, type ConfirmTotpOutcome, type DeviceSigner, type FactorCodes, FactorNotices, type FactorRecords,
  type IdentityIdGenerator, type IssuerRecords, KnownDevices, type MachineRecords, type MailOutbox, type PasskeyCeremonies, type PasskeyRecords, type Password,
  type PasswordHasher, type Person, PersonDirectory, type PersonRecords, type ProveOutcome, readPassword, type SecondFactorPolicy,
  SecondFactors, type SecretTokens, SECURE_COOKIE, SECURE_DEVICE_COOKIE, type SessionRecords, Sessions, type SignedChallenges,
  type SignInOutcome, type SignupCredits, type SignUpPolicy,
} from '@tollgate/identity';
import { changeStanding, STORE_NOON } from '../store-subject.js';
import { totpCodeAt, wrongTotpCode } from '../../devices/totp-codes.js';

/** The stores of people and of what belongs to them, as one gateway opens them. */
export interface PeopleStore {
  readonly people: PersonRecords;
  readonly sessions: SessionRecords;
  readonly factors: FactorRecords;
  readonly accounts: AccountRepository;
  readonly erasure: AccountErasure;
  readonly keys: KeyRepository & KeyDirectory;
  readonly ledger: Ledger;
  readonly bookings: BookingObservers;
  readonly auditTrail: AuditTrail;
  readonly mail: MailOutbox;
  readonly passkeys: PasskeyRecords;
  readonly issuers: IssuerRecords;
  readonly machines: MachineRecords;
}

export interface PeopleSubject {
  readonly store: PeopleStore;
  /** The same store, opened by a second gateway. */
  readonly other: PeopleStore;
  readonly hasher: PasswordHasher;
  readonly tokens: SecretTokens;
  readonly ids: IdentityIdGenerator;
  readonly signer: DeviceSigner;
  /** Verifies the passkeys of `RELYING_PARTY`. */
  readonly ceremonies: PasskeyCeremonies;
  readonly challenges: SignedChallenges;
  readonly codes: FactorCodes;
  /** Address hashes before, during and after a rotation of the installation's secret. */
  readonly addressHashes: { readonly before: AddressHashes; readonly during: AddressHashes; readonly after: AddressHashes };
  /** Factor codes during and after a rotation of the installation's secret. */
  readonly rotated: { readonly during: FactorCodes; readonly after: FactorCodes };
  close?(): Promise<void>;
}

export type MakePeople = () => PeopleSubject | Promise<PeopleSubject>;

export interface PeopleDifferences {
  readonly signUp?: SignUpPolicy;
  readonly secondFactor?: SecondFactorPolicy;
  /** `null` for a gateway without a secret. */
  readonly codes?: FactorCodes | null;
  /** No credit unless given. */
  readonly signupCredits?: SignupCredits;
}

export type StartPeople = (differences?: PeopleDifferences) => Promise<PeopleDriver>;

export const RELYING_PARTY = { id: 'tollgate.test', origin: 'https://tollgate.test', name: 'Tollgate' };
export const ALICE_EMAIL = 'alice@example.test';
export const ALICE_PASSWORD = 'correct horse battery';
export const NEXT_PASSWORD = 'staple of another kind';
const HOUR = 3_600_000;

export function aPassword(typed: string): Password {
  const read = readPassword(typed);
  if (read.outcome !== 'read') throw new Error(read.outcome);
  return read.password;
}

export function aBrowser(cookie: string | null = null): BrowserRequest {
  return { cookie, userAgent: 'Contract/1.0', address: '203.0.113.7' };
}

/** The `Cookie` header that a browser sends after the outcome's `Set-Cookie` header. */
export function cookieOf(outcome: SignInOutcome | ProveOutcome | ConfirmTotpOutcome): string {
  if (!('setCookie' in outcome) || outcome.outcome === 'ended' || outcome.outcome === 'unconfirmed') throw new Error(outcome.outcome);
  return outcome.setCookie.slice(0, outcome.setCookie.indexOf(';'));
}

/** Calls what the routes call. The time is noon unless a test gives another. */
export class PeopleDriver {
  readonly directory: PersonDirectory;
  readonly sessions: Sessions;
  readonly factors: SecondFactors;
  readonly devices: KnownDevices;
  readonly notices: FactorNotices;

  constructor(readonly subject: PeopleSubject, private readonly differences: PeopleDifferences = {}, readonly store = subject.store) {
    const { hasher, tokens, ids } = subject;
    const { signUp = 'open', secondFactor = 'none', codes = subject.codes, signupCredits = null } = differences;
    const notices = new FactorNotices({ ids, site: () => ({ baseUrl: 'https://api.example.test', product: 'Tollgate' }), onStored: () => undefined });
    const devices = new KnownDevices({ people: store.people, signer: subject.signer, cookie: SECURE_DEVICE_COOKIE });
    const proofs = { devices, people: store.people, factors: store.factors, hasher, tokens, codes, notices, secondFactor, cookie: SECURE_COOKIE };
    this.devices = devices;
    this.notices = notices;
    this.directory = new PersonDirectory({ records: store.people, devices, hasher, tokens, ids, signUp, planId: PAY_AS_YOU_GO, signupCredits });
    this.sessions = new Sessions({ ...proofs, sessions: store.sessions, ids });
    this.factors = new SecondFactors({ ...proofs, sessions: this.sessions, issuer: () => 'Tollgate' });
  }

  /** A driver for the other gateway. */
  other(): PeopleDriver {
    return new PeopleDriver(this.subject, this.differences, this.subject.other);
  }

  /** A driver for a gateway on the same store with other settings. */
  with(differences: PeopleDifferences): PeopleDriver {
    return new PeopleDriver(this.subject, { ...this.differences, ...differences });
  }

  async signUp(email = ALICE_EMAIL, password = ALICE_PASSWORD, address?: string): Promise<PersonId> {
    const registered = await this.directory.register({ email, name: 'Alice', password: aPassword(password), address, at: STORE_NOON });
    if (registered.outcome !== 'created' && registered.outcome !== 'existing') throw new Error(registered.outcome);
    return registered.id;
  }

  async token(id: PersonId, purpose: 'verify-email' | 'reset-password' | 'invitation' | 'sign-in' | 'confirm-sign-in', expiresAt: Instant = later(STORE_NOON, HOUR)): Promise<string> {
    const issued = await this.directory.issueToken({ personId: id, purpose, expiresAt, at: STORE_NOON });
    if (issued === null) throw new Error('there is no such person');
    return issued.token;
  }

  async changeOfEmail(id: PersonId, newEmail: string): Promise<string | null> {
    return (await this.directory.issueToken({ personId: id, purpose: 'change-email', newEmail, expiresAt: later(STORE_NOON, HOUR), at: STORE_NOON }))?.token ?? null;
  }

  /** Signs a person up and verifies the address. */
  async start(email = ALICE_EMAIL): Promise<Person> {
    const id = await this.signUp(email);
    const person = await this.directory.redeem({ purpose: 'verify-email', token: await this.token(id, 'verify-email'), password: ALICE_PASSWORD }, STORE_NOON);
    if (person === null) throw new Error('the token was refused');
    return person;
  }

  signIn(password = ALICE_PASSWORD, { email = ALICE_EMAIL, cookie = null as string | null, at = STORE_NOON } = {}): Promise<SignInOutcome> {
    return this.sessions.signIn(aBrowser(cookie), { kind: 'password', email, password }, at);
  }

  /** Signs in and returns the `Cookie` header. */
  async cookie(at: Instant = STORE_NOON): Promise<string> {
    return cookieOf(await this.signIn(ALICE_PASSWORD, { at }));
  }

  /** E-mail address of the signed-in person, or `null` without a valid session. */
  async who(cookie: string, at: Instant = STORE_NOON): Promise<string | null> {
    return (await this.sessions.current(aBrowser(cookie), at))?.person.email ?? null;
  }

  /** Deletes the person's account, which erases the person. */
  async deleteAccountOf(id: PersonId): Promise<void> {
    const accountId = await this.accountOf(id);
    const by = { actor: SYSTEM_ACTOR, at: STORE_NOON };
    const pending = { status: 'pending-deletion', deletion: { dueAt: STORE_NOON, returnsTo: 'active' } } as const;
    const account = accountId === null ? null : await this.store.accounts.findById(accountId);
    if (account === null) throw new Error('the person has no account');
    await changeStanding(this.store.accounts, account.id, pending, by);
    const { outcome } = await this.store.erasure.deleteAccount(account.id, { ...account, ...pending }, by);
    if (outcome !== 'deleted') throw new Error(outcome);
  }

  async accountOf(id: PersonId): Promise<AccountId | null> {
    return (await this.directory.find(id))?.accountId ?? null;
  }
}

/** The answers other than `null`. */
export function theOnly<T>(answers: readonly (T | null)[]): readonly T[] {
  return answers.filter((answer): answer is T => answer !== null);
}

interface ProofOptions {
  readonly on?: PeopleDriver;
  readonly kind?: 'totp' | 'recovery';
}

/** Tests second factors of Alice, who has an authenticator app. */
export class FactorDriver {
  /** The TOTP secret of Alice's app. */
  secret = '';
  recoveryCodes: readonly string[] = [];
  /** Cookie of the session that enrolled the app; it began at noon and has both factors. */
  provenCookie = '';
  #people: PeopleDriver | null = null;
  #alice: Person | null = null;

  constructor(private readonly make: MakePeople) {}

  get people(): PeopleDriver {
    if (this.#people === null) throw new Error('the test has not started');
    return this.#people;
  }

  get alice(): Person {
    if (this.#alice === null) throw new Error('the test has not started');
    return this.#alice;
  }

  /** Opens an empty store, and signs Alice up. */
  async start(differences: PeopleDifferences = {}): Promise<PeopleDriver> {
    this.#people = new PeopleDriver(await this.make(), differences);
    this.#alice = await this.people.start();
    return this.people;
  }

  /** Starts, and enrols the app. This uses up the code of noon. */
  async enrol(differences: PeopleDifferences = {}): Promise<PeopleDriver> {
    await this.start(differences);
    const cookie = await this.people.cookie();
    this.secret = await this.begin(cookie);
    const outcome = await this.confirm(cookie, this.codeAt(STORE_NOON));
    if (outcome.outcome !== 'enrolled') throw new Error(outcome.outcome);
    this.recoveryCodes = outcome.recoveryCodes;
    this.provenCookie = cookieOf(outcome);
    return this.people;
  }

  /** Begins an enrolment. Returns the secret for the app. */
  async begin(cookie: string, at = STORE_NOON): Promise<string> {
    const begun = await this.people.factors.beginTotp(aBrowser(cookie), at);
    if (begun.outcome !== 'begun') throw new Error(begun.outcome);
    return begun.secret;
  }

  confirm(cookie: string, code: string, at = STORE_NOON): Promise<ConfirmTotpOutcome> {
    return this.people.factors.confirmTotp(aBrowser(cookie), code, at);
  }

  codeAt(at: Instant): string {
    return totpCodeAt(this.secret, at);
  }

  prove(cookie: string, code: string, at: Instant, { on = this.people, kind = 'totp' }: ProofOptions = {}): Promise<ProveOutcome> {
    return on.sessions.prove(aBrowser(cookie), { kind, code }, at);
  }

  recover(cookie: string, code = this.recoveryCodes[0] ?? '', on = this.people): Promise<ProveOutcome> {
    return this.prove(cookie, code, STORE_NOON, { on, kind: 'recovery' });
  }

  /** Submits wrong codes one after the other. Returns the outcomes. */
  async tryWrongCodes(cookie: string, count: number, at: Instant): Promise<readonly string[]> {
    const outcomes: string[] = [];
    for (let attempt = 0; attempt < count; attempt += 1) outcomes.push((await this.prove(cookie, wrongTotpCode(this.secret, at, attempt), at)).outcome);
    return outcomes;
  }

  /** What the session of the cookie may access. */
  async reach(cookie: string, at: Instant): Promise<string | undefined> {
    return (await this.people.sessions.current(aBrowser(cookie), at))?.reach;
  }
}
