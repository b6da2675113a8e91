import { type Instant, type JsonObject, later, NO_AUDIT_FILTERS, type PasskeyId, type SessionId, SYSTEM_ACTOR } from '@tollgate/core';
import {
  type BrowserRequest, FactorNotices, FRESH_PROOF_MILLISECONDS, MAX_PASSKEYS, type NewPasskey, PASSKEY_CHALLENGE_MILLISECONDS, type PasskeyRecords, Passkeys, type Person,
  type RegisterPasskeyOutcome, type RemovePasskeyOutcome, type SecondFactorPolicy, SECURE_COOKIE, SessionStart, sessionTokensIn, type SignedIn, type SignInOutcome,
} from '@tollgate/identity';
import { afterEach, describe, expect, it } from '../test-runner.js';
import { type AuthenticatorDifferences, SoftwareAuthenticator } from '../../devices/software-authenticator.js';
import { STORE_NOON } from '../store-subject.js';
import {
  aBrowser, ALICE_EMAIL, aPassword, cookieOf, type MakePeople, NEXT_PASSWORD, PeopleDriver, type PeopleSubject, RELYING_PARTY,
} from './people-subject.js';

interface Registering {
  /** IP address of the client. */
  readonly address?: string | undefined;
  readonly name?: string;
  readonly differences?: AuthenticatorDifferences;
  readonly answer?: JsonObject;
  readonly at?: Instant;
}

function browserAt(cookie: string | null, address?: string): BrowserRequest {
  const browser = aBrowser(cookie);
  return { ...browser, address: address ?? browser.address };
}

function cookiePair(setCookie: string): string {
  return setCookie.slice(0, setCookie.indexOf(';'));
}

/** Calls the passkey functions as the routes do, and an authenticator as browsers do. The time is noon unless a test gives another. */
export class PasskeyDriver {
  readonly authenticator = new SoftwareAuthenticator(RELYING_PARTY);
  readonly passkeys: Passkeys;
  readonly people: PeopleDriver;
  readonly notices: FactorNotices;
  readonly #cookies = new Map<SessionId, string>();

  constructor(readonly subject: PeopleSubject, secondFactor: SecondFactorPolicy = 'none', readonly store = subject.store) {
    const { tokens, ids, ceremonies, challenges } = subject;
    this.notices = new FactorNotices({ ids, site: () => ({ baseUrl: RELYING_PARTY.origin, product: 'Tollgate' }), onStored: () => undefined });
    this.people = new PeopleDriver(subject, { secondFactor }, store);
    const start = new SessionStart({ sessions: store.sessions, tokens, ids, secondFactor, cookie: SECURE_COOKIE });
    this.passkeys = new Passkeys({ people: store.people, records: store.passkeys, ceremonies, challenges, tokens, ids, start, notices: this.notices, cookie: SECURE_COOKIE });
  }

  /** A driver for another gateway on the same store. */
  other(): PasskeyDriver {
    return new PasskeyDriver(this.subject, 'none', this.subject.other);
  }

  /** Creates a verified person and signs in by password. */
  async start(email?: string): Promise<SignedIn> {
    const person = await this.people.start(email);
    return this.signedIn(person);
  }

  async signedIn({ email }: Pick<Person, 'email'>, at: Instant = STORE_NOON): Promise<SignedIn> {
    const cookie = cookieOf(await this.people.signIn(undefined, { email, at }));
    const signedIn = await this.people.sessions.current(aBrowser(cookie), at);
    if (signedIn === null) throw new Error('the session is not valid');
    this.#cookies.set(signedIn.session.id, cookie);
    return signedIn;
  }

  /** The fields of a new passkey that raise the assurance of the session. */
  raising(signedIn: SignedIn): Pick<NewPasskey, 'sessionId' | 'tokenHash' | 'nextTokenHash' | 'notice'> {
    const { session, person } = signedIn;
    return { sessionId: session.id, tokenHash: this.tokenHashOf(signedIn), nextTokenHash: this.subject.tokens.issue().hash, notice: this.notices.of(person, 'passkey-added', STORE_NOON) };
  }

  private tokenHashOf(signedIn: SignedIn): NewPasskey['tokenHash'] {
    return this.subject.tokens.hash(sessionTokensIn(this.cookieOf(signedIn), SECURE_COOKIE)[0] ?? '');
  }

  remove(signedIn: SignedIn, id: PasskeyId, { at = STORE_NOON, address }: Pick<Registering, 'at' | 'address'> = {}): Promise<RemovePasskeyOutcome> {
    return this.passkeys.remove({ request: browserAt(this.cookieOf(signedIn), address), signedIn, at }, id);
  }

  /** The current session cookie of the person. */
  cookieOf({ session }: SignedIn): string {
    return this.#cookies.get(session.id) ?? '';
  }

  /** Registers a passkey. Without `answer`, the authenticator answers new options. */
  async register(signedIn: SignedIn, { name = 'Laptop', differences = {}, answer, at = STORE_NOON, address }: Registering = {}): Promise<RegisterPasskeyOutcome> {
    const given = answer ?? this.authenticator.create(await this.options(signedIn), differences);
    const cookie = this.#cookies.get(signedIn.session.id) ?? null;
    const outcome = await this.passkeys.register({ request: browserAt(cookie, address), signedIn: { ...signedIn, tokenHash: this.tokenHashOf(signedIn) }, at }, { name, answer: given });
    if (outcome.outcome === 'added') this.#cookies.set(signedIn.session.id, cookiePair(outcome.setCookie));
    return outcome;
  }

  async options(signedIn: SignedIn): Promise<JsonObject> {
    const options = await this.passkeys.registrationOptions(signedIn, STORE_NOON);
    if (options === null) throw new Error('the session has yet to prove a factor');
    return options;
  }

  /** Requests new options for a sign-in, and returns the authenticator's answer to them. */
  async assertion(differences: AuthenticatorDifferences = {}, authenticator = this.authenticator): Promise<JsonObject> {
    return authenticator.get(await this.passkeys.signInOptions(STORE_NOON), differences);
  }

  signIn(answer: unknown, at: Instant = STORE_NOON): Promise<SignInOutcome> {
    return this.passkeys.signIn(aBrowser(), answer, at);
  }
}

const BY = { actor: SYSTEM_ACTOR, at: STORE_NOON };
/** The first instant at which a proof given at noon is no longer fresh. */
const STALE: Instant = later(STORE_NOON, FRESH_PROOF_MILLISECONDS);
const EXPIRED: Instant = later(STORE_NOON, PASSKEY_CHALLENGE_MILLISECONDS);

export function passkeysContract(name: string, make: MakePeople): void {
  describe(`Passkeys contract: ${name}: a passkey`, () => {
    let driver: PasskeyDriver;
    let alice: SignedIn;
    const start = async (secondFactor: SecondFactorPolicy = 'none'): Promise<PasskeyDriver> => {
      driver = new PasskeyDriver(await make(), secondFactor);
      alice = await driver.start();
      return driver;
    };
    /** Opens a store and registers a passkey for Alice. */
    const startWith = async (secondFactor?: SecondFactorPolicy): Promise<PasskeyId> => {
      await start(secondFactor);
      const registered = await driver.register(alice);
      if (registered.outcome !== 'added') throw new Error(registered.outcome);
      return registered.passkey.id;
    };
    afterEach(() => driver.subject.close?.());

    it('starts a two-factor session without an address, also on a gateway that did not register it', async () => {
      const id = await startWith('everybody');
      expect(await driver.options(alice)).toMatchObject({
        rp: { id: 'tollgate.test' }, user: { name: ALICE_EMAIL }, attestation: 'none', authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
        excludeCredentials: [{ transports: ['internal'] }],
      });
      const options = await driver.passkeys.signInOptions(STORE_NOON);
      expect(options).toMatchObject({ rpId: 'tollgate.test', userVerification: 'required' });
      expect(options['allowCredentials']).toBeUndefined();
      const outcome = await driver.other().signIn(driver.authenticator.get(options));
      expect(outcome).toMatchObject({ signedIn: { reach: 'full', session: { signedInBy: 'passkey', assurance: 'two-factor' }, person: { email: ALICE_EMAIL, factors: ['passkey'] } } });
      expect(await driver.people.who(cookieOf(outcome))).toBe(ALICE_EMAIL);
      const unproven = await driver.signedIn(alice.person);
      expect(unproven.reach).toBe('prove-factor');
      expect(await driver.passkeys.registrationOptions(unproven, STORE_NOON)).toBeNull();
      expect(await driver.register(unproven, { answer: driver.authenticator.create(await driver.options(alice)) })).toEqual({ outcome: 'second-factor-required' });
      expect(await driver.passkeys.list(alice.person.id)).toEqual([
        { id, personId: alice.person.id, name: 'Laptop', backedUp: false, createdAt: STORE_NOON, lastUsedAt: STORE_NOON },
      ]);
    });

    it('is accepted once per challenge, before the challenge expires and only for the purpose of the challenge', async () => {
      await startWith();
      const other = driver.other();
      const answer = await driver.assertion({ counts: 0 });
      const outcomes = await Promise.all([driver, other, driver, other].map((each) => each.signIn(answer)));
      expect(outcomes.map(({ outcome }) => outcome).toSorted()).toEqual(['refused', 'refused', 'refused', 'signed-in']);
      const [late, inTime] = [await driver.assertion(), await driver.assertion()];
      expect((await driver.signIn(late, EXPIRED)).outcome).toBe('refused');
      expect((await driver.signIn(inTime, later(EXPIRED, -1))).outcome).toBe('signed-in');
      const options = await driver.options(alice);
      expect((await driver.signIn(driver.authenticator.get(options))).outcome).toBe('refused');
      const forged = { ...options, challenge: 'A'.repeat(75) };
      expect((await driver.signIn(driver.authenticator.get(forged))).outcome).toBe('refused');
    });

    it('is registered once, only in time and only in the session that requested the registration', async () => {
      await start('everybody');
      const created = async (): Promise<JsonObject> => driver.authenticator.create(await driver.options(alice));
      const answer = await created();
      expect(await driver.register(await driver.signedIn(alice.person), { answer })).toEqual({ outcome: 'refused' });
      expect(await driver.register(alice, { answer, at: EXPIRED })).toEqual({ outcome: 'refused' });
      expect(await driver.register(alice, { answer: driver.authenticator.create(await driver.passkeys.signInOptions(STORE_NOON).then((options) => ({ ...options, user: { id: '' } }))) })).toEqual({ outcome: 'refused' });
      const before = driver.cookieOf(alice);
      expect(await driver.register(alice, { answer })).toMatchObject({ outcome: 'added', signedIn: { reach: 'full', session: { assurance: 'two-factor' } } });
      expect([await driver.people.who(before), await driver.people.who(driver.cookieOf(alice))]).toEqual([null, ALICE_EMAIL]);
      expect(await driver.people.sessions.current(aBrowser(driver.cookieOf(alice)), STORE_NOON)).toMatchObject({ reach: 'full', session: { assurance: 'two-factor' } });
      expect(await driver.register(alice, { answer })).toEqual({ outcome: 'refused' });
      const afterEnd = await created();
      await driver.people.sessions.end(alice.person.id, 'all');
      expect(await driver.register(alice, { answer: afterEnd })).toEqual({ outcome: 'refused' });
    });

    it('is refused if its credential belongs to another person', async () => {
      await startWith();
      const bob = await driver.start('bob@example.test');
      const options = await driver.options(bob);
      const known = (await driver.store.passkeys.list(alice.person.id)).map(({ credential }) => credential);
      const answer = new SoftwareAuthenticator(RELYING_PARTY).create(options);
      const [credential] = known;
      if (credential === undefined) throw new Error('Alice has no passkey');
      const verified = { passkey: { id: 'passkey_bob' as PasskeyId, personId: bob.person.id, name: 'Copy', backedUp: false, createdAt: STORE_NOON, lastUsedAt: null }, credential };
      const challenge = { hash: driver.subject.tokens.issue().hash, expiresAt: EXPIRED };
      expect(await driver.store.passkeys.add({ ...verified, challenge, ...driver.raising(bob) }, BY)).toBe('known');
      expect((await driver.register(bob, { answer })).outcome).toBe('added');
    });

    it('is refused if its counter does not increase, as with a copied authenticator, unless the counter is always zero', async () => {
      const id = await startWith();
      const copy = driver.authenticator.copy();
      expect((await driver.signIn(await driver.assertion({ counts: 2 }))).outcome).toBe('signed-in');
      const challenge = { hash: driver.subject.tokens.issue().hash, expiresAt: EXPIRED };
      expect(await driver.store.passkeys.use({ id, counter: 2, backedUp: false, challenge, at: STORE_NOON })).toBe(false);
      expect((await driver.signIn(await driver.assertion({}, copy))).outcome).toBe('refused');
      expect((await driver.signIn(await driver.assertion({}, copy))).outcome).toBe('refused');
      expect((await driver.signIn(await driver.assertion({}, copy))).outcome).toBe('signed-in');
      const still = new PasskeyDriver(driver.subject);
      await still.register(await still.start('bob@example.test'));
      const again = [await still.signIn(await still.assertion({ counts: 0 })), await still.signIn(await still.assertion({ counts: 0 }))];
      expect(again.map(({ outcome }) => outcome)).toEqual(['signed-in', 'signed-in']);
    });

    it('does not sign in the owner of a blocked account, and is deleted by a reset and by erasure', async () => {
      await startWith();
      const { people } = driver;
      const account = await driver.store.accounts.findByEmail(ALICE_EMAIL);
      if (account === null) throw new Error('Alice has no account');
      await driver.store.accounts.moveStanding(account.id, { from: account, to: { ...account, blocked: true }, action: 'account.blocked' }, BY);
      expect((await driver.signIn(await driver.assertion())).outcome).toBe('refused');
      await driver.store.accounts.moveStanding(account.id, { from: { ...account, blocked: true }, to: { ...account, status: 'suspended' }, action: 'account.suspended' }, BY);
      expect((await driver.signIn(await driver.assertion())).outcome).toBe('signed-in');
      const [first, second] = [await driver.assertion(), await driver.assertion()];
      const token = await people.token(alice.person.id, 'reset-password');
      await people.directory.redeem({ purpose: 'reset-password', token, password: aPassword(NEXT_PASSWORD) }, STORE_NOON);
      expect((await driver.signIn(first)).outcome).toBe('refused');
      const bob = await driver.start('bob@example.test');
      await driver.register(bob);
      await people.deleteAccountOf(bob.person.id);
      expect((await driver.signIn(await driver.assertion())).outcome).toBe('refused');
      expect((await driver.signIn(second)).outcome).toBe('refused');
    });

    it('starts no session if it is removed while its answer is checked', async () => {
      const id = await startWith();
      const { subject, store: { passkeys } } = driver;
      const removing: PasskeyRecords = {
        add: (...added) => passkeys.add(...added), list: (person) => passkeys.list(person), findByCredential: (credential) => passkeys.findByCredential(credential),
        rename: (...renamed) => passkeys.rename(...renamed), remove: (...removed) => passkeys.remove(...removed),
        use: async (use) => {
          const used = await passkeys.use(use);
          await passkeys.remove({ personId: alice.person.id, id, evenIfLast: true, notice: driver.notices.of(alice.person, 'passkey-removed', STORE_NOON) }, BY);
          return used;
        },
      };
      const slow = new PasskeyDriver({ ...subject, store: { ...subject.store, passkeys: removing } });
      expect(await slow.signIn(await driver.assertion())).toEqual({ outcome: 'refused' });
    });

    it('is renamed and removed only by its person; the removal of the last factor needs a fresh proof', async () => {
      const id = await startWith();
      const second = await driver.register(alice, { name: 'Phone' });
      const bob = await driver.start('bob@example.test');
      const { passkeys, store: { auditTrail } } = driver;
      const { entries } = await auditTrail.verifyAuditTrail();
      expect(await passkeys.rename(bob.person.id, id, 'Mine')).toBe('no-such-passkey');
      expect(await passkeys.rename(alice.person.id, id, 'Key\u0000')).toBe('malformed');
      expect(await passkeys.rename(alice.person.id, id, 'Key')).toBe('renamed');
      expect((await passkeys.list(alice.person.id)).map(({ name: called }) => called)).toEqual(['Key', 'Phone']);
      expect(await driver.remove(bob, id)).toBe('no-such-passkey');
      expect(await driver.remove(alice, id, { at: STALE })).toBe('removed');
      const last = 'passkey' in second ? second.passkey.id : id;
      expect(await driver.remove(alice, last, { at: STALE })).toBe('last-factor');
      expect(await driver.remove(alice, last)).toBe('removed');
      expect(await driver.people.sessions.current(aBrowser(driver.cookieOf(alice)), STORE_NOON)).toMatchObject({ person: { factors: [] }, session: { assurance: 'factor-removed' } });
      const mails = await driver.store.mail.list({ limit: 9, after: null });
      expect(new Set(mails.map(({ to, state }) => `${to} ${state}`))).toEqual(new Set([`${ALICE_EMAIL} waiting`]));
      expect(mails.map(({ subject }) => subject ?? '').toSorted()).toEqual(['A passkey was added', 'A passkey was added', 'A passkey was removed', 'A passkey was removed']);
      expect(await auditTrail.verifyAuditTrail()).toEqual({ entries: entries + 2, firstBrokenEntry: null, fault: null });
    });

    it('is audited, when added and removed, with the address of the request, not of an earlier use of the session', async () => {
      const id = await startWith();
      expect(await driver.register(alice, { address: '198.51.100.8' })).toMatchObject({ outcome: 'added' });
      expect(await driver.remove(alice, id, { address: '198.51.100.9' })).toBe('removed');
      const { records = [] } = await driver.store.auditTrail.list({ ...NO_AUDIT_FILTERS, accountId: alice.person.accountId, limit: 2, cursor: null }) ?? {};
      expect(records.map(({ action, origin: { address } }) => [action, address])).toEqual([['person.passkey-removed', '198.51.100.9'], ['person.passkey-added', '198.51.100.8']]);
    });

    it(`is one of at most ${MAX_PASSKEYS} passkeys of a person, and has a name of one line`, async () => {
      await start();
      for (let number = 0; number < MAX_PASSKEYS; number += 1) expect((await driver.register(alice)).outcome).toBe('added');
      expect(await driver.register(alice)).toEqual({ outcome: 'too-many' });
      for (const unusable of ['', ' ', 'x'.repeat(201), 'a\nb']) expect(await driver.register(alice, { name: unusable })).toEqual({ outcome: 'malformed' });
    });

  });
}
