import { afterEach, describe, expect, it } from '@jest/globals';
import { SequentialIds } from '@tollgate/adapters-memory';
import { AesSealer, Argon2Hasher, factorCodes, HmacAddressHashes, HmacChallenges, HmacDeviceSigner, InstallationSecret, RandomSecretTokens } from '@tollgate/adapters-node';
import { AuthenticatorCodes, WebAuthnCeremonies } from '@tollgate/adapters-sign-in';
import {
  type ApiKey, type ApiKeyId, type KeyHash, later, type PasskeyId, type PersonId, type ProcessId, type SessionId, SYSTEM_ACTOR, toGatewayError,
  type TokenHash,
} from '@tollgate/core';
import type { MailId } from '@tollgate/identity';
import {
  aBrowser, ALICE_EMAIL, ALICE_PASSWORD, anApiKey, aPassword, type MachinesSubject, NEXT_PASSWORD, type PaymentsSubject, PeopleDriver, type PeopleSubject, RELYING_PARTY, STORE_ALICE, STORE_NOON, type VouchersSubject, type WebhooksSubject,
} from '@tollgate/testkit';
import type { SqlStore } from '../store/sql-store.js';

/** Parameters of password hashing that are quick and not secure. */
const WEAK = { memory: 8, passes: 1, parallelism: 1 };

/** Process of the store under test. It owns none of the contracts' reservations. */
export const STORE_PROCESS = 'process_store' as ProcessId;

/** Process of the second gateway. */
export const OTHER_PROCESS = 'process_other' as ProcessId;

const [OLD, NEW] = [new Uint8Array(32).fill(1), new Uint8Array(32).fill(2)];
const codesUnder = (current: Uint8Array, previous: Uint8Array | null) => factorCodes(new InstallationSecret(current, previous), new AuthenticatorCodes());
const hashesUnder = (current: Uint8Array, previous: Uint8Array | null) => new HmacAddressHashes(new InstallationSecret(current, previous).keysFor('signup-credit'));

/** People of one gateway, or of two gateways that share a database. */
export function peopleOver(store: SqlStore, other: SqlStore = store, remove: () => void = () => undefined): PeopleSubject {
  const close = async (): Promise<void> => {
    if (other !== store) await other.close();
    await store.close();
    remove();
  };
  const challenges = new HmacChallenges(new InstallationSecret(new Uint8Array(32).fill(1), null).keysFor('challenge'));
  return {
    store, other, hasher: new Argon2Hasher(WEAK), tokens: new RandomSecretTokens(), ids: new SequentialIds(), signer: new HmacDeviceSigner(new InstallationSecret(new Uint8Array(32).fill(1), null).keysFor('device')), ceremonies: new WebAuthnCeremonies(RELYING_PARTY),
    challenges, codes: codesUnder(OLD, null),
    addressHashes: { before: hashesUnder(OLD, null), during: hashesUnder(NEW, OLD), after: hashesUnder(NEW, null) },
    rotated: { during: codesUnder(NEW, OLD), after: codesUnder(NEW, null) }, close,
  };
}

export function machinesOver(store: SqlStore, other: SqlStore, remove: () => void = () => undefined): MachinesSubject {
  const close = async (): Promise<void> => {
    await other.close();
    await store.close();
    remove();
  };
  return { store, other, tokens: new RandomSecretTokens(), ids: new SequentialIds(), close };
}

export function vouchersOver(store: SqlStore, other: SqlStore, remove: () => void = () => undefined): VouchersSubject {
  return { ...machinesOver(store, other, remove), store, other, ids: new SequentialIds() };
}

export function paymentsOver(store: SqlStore, other: SqlStore, remove: () => void = () => undefined): PaymentsSubject {
  return { ...machinesOver(store, other, remove), store, other };
}

export function webhooksOver(store: SqlStore, other: SqlStore, remove: () => void = () => undefined): WebhooksSubject {
  return { ...machinesOver(store, other, remove), store, other, sealer: new AesSealer(new InstallationSecret(OLD, null).keysFor('webhook')) };
}

const CROWD = 100;
const QUOTA = 5;

function numberedKey(number: number): ApiKey {
  return anApiKey({ id: `key_${number}` as ApiKeyId, hash: String(number).padStart(64, '0') as KeyHash, createdAt: later(STORE_NOON, number) });
}

function oneOf(stores: readonly SqlStore[], number: number): SqlStore {
  const store = stores[number % stores.length];
  if (store === undefined) throw new Error('there is no store');
  return store;
}

/** Number of times that each outcome occurs in 100 concurrent creations, with room for one key. */
export async function createAtOnce(stores: readonly SqlStore[]): Promise<Readonly<Record<string, number>>> {
  const create = (number: number) => oneOf(stores, number).keys.create({ key: numberedKey(number), maximumActive: QUOTA, maximumPerHour: CROWD, actor: SYSTEM_ACTOR });
  for (let number = 1; number < QUOTA; number += 1) await create(number);
  return countsOf(await Promise.all(Array.from({ length: CROWD }, (_, number) => create(QUOTA + number))));
}

/** Number of times that each outcome occurs in 100 concurrent rotations of one key. */
export async function rotateAtOnce(stores: readonly SqlStore[]): Promise<Readonly<Record<string, number>>> {
  await oneOf(stores, 0).keys.create({ key: numberedKey(0), maximumActive: QUOTA, maximumPerHour: CROWD, actor: SYSTEM_ACTOR });
  return countsOf(await Promise.all(Array.from({ length: CROWD }, (_, number) => oneOf(stores, number).keys.rotate({
    accountId: STORE_ALICE, revokedId: numberedKey(0).id, replacement: numberedKey(number + 1), maximumPerHour: CROWD, actor: SYSTEM_ACTOR,
  }))));
}

function countsOf(outcomes: readonly string[]): Readonly<Record<string, number>> {
  return Object.fromEntries([...new Set(outcomes)].map((outcome) => [outcome, outcomes.filter((other) => other === outcome).length]));
}

export interface FactorSubject {
  readonly subject: PeopleSubject;
  /** Runs a statement outside the two gateways. */
  readonly run: (statement: string) => Promise<void>;
}

export function personFactorsContract(database: string, make: () => Promise<FactorSubject>): void {
  describe(`second factors in ${database}`, () => {
    let close: () => Promise<void> | undefined = () => undefined;
    afterEach(() => close());

    it('are required for every way of signing in once confirmed, and are removed by a password reset by mail', async () => {
      const { subject, run } = await make();
      close = () => subject.close?.();
      const driver = new PeopleDriver(subject);
      const { id } = await driver.start();
      const enrol = (name: string, kind: string, confirmedAt: number | null): Promise<void> => run(
        `insert into person_factors (id, person_id, kind, secret, created_at, confirmed_at) values ('${name}', '${id}', '${kind}', '-', 1, ${confirmedAt})`,
      );
      const cookie = await driver.cookie();
      const current = () => driver.sessions.current(aBrowser(cookie), STORE_NOON);
      await enrol('factor_1', 'totp', null);
      expect(await current()).toMatchObject({ reach: 'full', person: { factors: [] } });
      await enrol('factor_2', 'passkey', 1);
      await run("update person_factors set confirmed_at = 1 where id = 'factor_1'");
      expect(await current()).toMatchObject({ reach: 'prove-factor', person: { factors: ['totp', 'passkey'] } });
      const link = await driver.sessions.signIn(aBrowser(), { kind: 'link', token: await driver.token(id, 'sign-in') }, STORE_NOON);
      expect(link).toMatchObject({ signedIn: { reach: 'prove-factor' } });
      await expect(enrol('factor_3', 'totp', null)).rejects.toThrow(/unique/i);
      const token = await driver.token(id, 'reset-password');
      expect(await driver.directory.redeem({ purpose: 'reset-password', token, password: aPassword(NEXT_PASSWORD) }, STORE_NOON)).toMatchObject({ factors: [] });
      expect(await driver.signIn(NEXT_PASSWORD)).toMatchObject({ signedIn: { reach: 'full' } });
    });
  });
}

const BY = { actor: SYSTEM_ACTOR, at: STORE_NOON };
const MINUTE = 60_000;
const PASSKEY = { id: 'passkey_1' as PasskeyId, name: 'Key', backedUp: false, createdAt: STORE_NOON, lastUsedAt: null };
const CREDENTIAL = { credentialId: 'AA', publicKey: 'AA', counter: 0, transports: [] };
const NOTICE = {
  id: 'mail_1' as MailId, kind: 'test' as const, to: ALICE_EMAIL, accountId: null, rank: 'verified' as const, subject: 'x', text: 'x', html: 'x', reference: 'x', storedAt: STORE_NOON, expiresAt: later(STORE_NOON, MINUTE),
};
const SESSION = { sessionId: 'session_1' as SessionId, tokenHash: 'a'.repeat(64) as TokenHash, nextTokenHash: 'b'.repeat(64) as TokenHash, notice: NOTICE };
const CHALLENGE = { hash: 'f'.repeat(64) as TokenHash, expiresAt: later(STORE_NOON, MINUTE) };

interface Prepared {
  readonly driver: PeopleDriver;
  readonly id: PersonId;
  readonly cookie: string;
  readonly token: string;
}

async function prepare(driver: PeopleDriver): Promise<Prepared> {
  const { id } = await driver.start();
  return { driver, id, cookie: await driver.cookie(), token: await driver.token(id, 'reset-password') };
}

function everyMethod({ driver: { directory, factors, sessions, store: { passkeys, issuers } }, id, cookie, token }: Prepared): Readonly<Record<string, () => Promise<unknown>>> {
  const [password, next] = [aPassword(ALICE_PASSWORD), aPassword(NEXT_PASSWORD)];
  const [at, expiresAt, person] = [later(STORE_NOON, MINUTE), later(STORE_NOON, 2 * MINUTE), { id, role: 'owner' as const }];
  return {
    find: () => directory.find(id),
    findByEmail: () => directory.findByEmail(ALICE_EMAIL),
    register: () => directory.register({ email: 'bob@example.test', name: 'Bob', password, at }),
    invite: () => directory.invite({ email: 'bob@example.test', name: 'Bob', by: SYSTEM_ACTOR, at }),
    issueToken: () => directory.issueToken({ personId: id, purpose: 'sign-in', expiresAt, at }),
    redeem: () => directory.redeem({ purpose: 'reset-password', token, password: next }, STORE_NOON),
    disown: () => directory.disown(token, STORE_NOON),
    provesPassword: () => directory.provesPassword(id, ALICE_PASSWORD),
    changePassword: () => directory.changePassword({ id, current: ALICE_PASSWORD, next, keep: 'session_1' as SessionId, at }),
    listOperators: () => directory.listOperators(),
    setRole: () => directory.setRole(id, 'operator', BY),
    erase: () => directory.erase(id, BY),
    current: () => sessions.current(aBrowser(cookie), at),
    signIn: () => sessions.signIn(aBrowser(), { kind: 'password', email: ALICE_EMAIL, password: ALICE_PASSWORD }, at),
    signInByLink: () => sessions.signIn(aBrowser(), { kind: 'link', token }, at),
    list: () => sessions.list({ ...person, accountId: null, email: ALICE_EMAIL, emailVerified: true, name: '', factors: [], language: null, createdAt: STORE_NOON }, at),
    end: () => sessions.end(id, 'all'),
    addPasskey: () => passkeys.add({ passkey: { ...PASSKEY, personId: id }, credential: CREDENTIAL, challenge: CHALLENGE, ...SESSION }, BY),
    listPasskeys: () => passkeys.list(id),
    findByCredential: () => passkeys.findByCredential(CREDENTIAL.credentialId),
    usePasskey: () => passkeys.use({ id: PASSKEY.id, counter: 1, backedUp: false, challenge: CHALLENGE, at }),
    renamePasskey: () => passkeys.rename(id, PASSKEY.id, 'Key'),
    removePasskey: () => passkeys.remove({ personId: id, id: PASSKEY.id, evenIfLast: true, notice: NOTICE }, BY),
    admit: () => issuers.admit({ subject: { issuer: 'https://issuer.test', subject: '1' }, newcomer: null, signUp: 'open', challenge: CHALLENGE, at }),
    prove: () => sessions.prove(aBrowser(cookie), { kind: 'totp', code: '123456' }, at),
    overview: () => factors.overview(id),
    beginTotp: () => factors.beginTotp(aBrowser(cookie), at),
    confirmTotp: () => factors.confirmTotp(aBrowser(cookie), '123456', at),
    renewRecoveryCodes: () => factors.renewRecoveryCodes(aBrowser(cookie), at),
    removeTotp: () => factors.removeTotp(aBrowser(cookie), at),
  };
}

/** Calls the methods. Returns, by method, the error code that clients would receive, or `answered`. */
async function tell(methods: Readonly<Record<string, () => Promise<unknown>>>): Promise<Readonly<Record<string, string>>> {
  const told = Object.entries(methods).map(async ([name, run]) => (
    [name, await run().then(() => 'answered', (thrown: unknown) => toGatewayError(thrown).code)] as const));
  return Object.fromEntries(await Promise.all(told));
}

function all(methods: Readonly<Record<string, unknown>>, code: string): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.keys(methods).map((name) => [name, code]));
}

/** A store whose database can be made unavailable. */
export interface RemovableStore {
  readonly subject: PeopleSubject;
  readonly takeAway: () => Promise<void>;
  /** Makes the database available again; `null` if it is lost. */
  readonly giveBack: (() => Promise<void>) | null;
}

/** While the store is unavailable, no method signs a person out or reports a sign-out. */
export function storeAwayContract(name: string, make: () => Promise<RemovableStore>): void {
  describe(`people while their store is unavailable: ${name}`, () => {
    let close: () => Promise<void> | undefined = () => undefined;
    afterEach(() => close());

    it('get service_unavailable from every method, and are still signed in once the store is back', async () => {
      const { subject, takeAway, giveBack } = await make();
      close = () => subject.close?.();
      const prepared = await prepare(new PeopleDriver(subject));
      const methods = everyMethod(prepared);
      await takeAway();
      expect(await tell(methods)).toEqual(all(methods, 'service_unavailable'));
      if (giveBack === null) return;
      await giveBack();
      expect(await prepared.driver.who(prepared.cookie)).toBe(ALICE_EMAIL);
    });
  });
}
