import { beforeEach, describe, expect, it } from '@jest/globals';
import { Argon2Hasher, HmacDeviceSigner, InstallationSecret, RandomIds } from '@tollgate/adapters-node';
import { storeInMemory } from '@tollgate/adapters-sqlite/testing';
import { type Account, type AccountId, instant, later, PAY_AS_YOU_GO, type PersonId, SYSTEM_ACTOR } from '@tollgate/core';
import {
  DEVICE_KNOWN_MILLISECONDS, KnownDevices, LOOPBACK_DEVICE_COOKIE, MAX_PEOPLE_PER_DEVICE, type Person, type PersonRecord, readPassword, SECURE_DEVICE_COOKIE, strangerAt,
} from '@tollgate/identity';
import type { SqlStore } from '@tollgate/sql-common';

const ANN = 'person_ann' as PersonId;
const NOON = instant(Date.UTC(2026, 10, 28, 12));
const BY = { actor: SYSTEM_ACTOR, at: NOON };
const [OLD, NEW] = [new Uint8Array(32).fill(1), new Uint8Array(32).fill(2)];

let store: SqlStore;
let devices: KnownDevices;

function devicesUnder(current: Uint8Array, previous: Uint8Array | null): KnownDevices {
  return new KnownDevices({ people: store.people, signer: new HmacDeviceSigner(new InstallationSecret(current, previous).keysFor('device')), cookie: SECURE_DEVICE_COOKIE });
}

function addPerson(name: string): Promise<PersonId> {
  return register(name, `person_${name}` as PersonId, `hash of ${name}`);
}

async function register(name: string, id: PersonId, passwordHash: string | null): Promise<PersonId> {
  const email = `${name}@example.test`;
  const person: Person = { id, accountId: null, email, emailVerified: false, name, role: 'owner', factors: [], language: null, createdAt: NOON };
  const account: Account = { id: `acct_${name}` as AccountId, email, name, planId: PAY_AS_YOU_GO, priceList: null, status: 'active', emailVerified: false, blocked: false, deletion: null, createdAt: NOON, externalId: null, metadata: {} };
  return (await store.people.register({ person, passwordHash, account }, BY)).id;
}

async function recordOf(name: string): Promise<PersonRecord> {
  const record = await store.people.findByEmail(`${name}@example.test`);
  if (record === null) throw new Error(`there is no ${name}`);
  return record;
}

/** The `Cookie` header after this person's sign-in. */
async function signedIn(name: string, before: string | null = null, at = NOON): Promise<string> {
  return (await devices.remember({ cookie: before }, `person_${name}` as PersonId, at))?.split(';')[0] ?? '';
}

async function knows(cookie: string, name: string, at = NOON): Promise<boolean> {
  return devices.knows({ cookie }, await recordOf(name), at);
}

beforeEach(async () => {
  store = await storeInMemory();
  devices = devicesUnder(OLD, null);
  for (const name of ['ann', 'bob', 'c', 'd', 'e', 'f']) await addPerson(name);
});

describe('the mark of a known browser', () => {
  it('is an HttpOnly cookie for 180 days that identifies no one', async () => {
    const header = await devices.remember({ cookie: null }, ANN, NOON);
    expect(header).toMatch(/^__Host-tollgate_device=[0-9a-z]+\.[A-Za-z0-9_-]{22}; Path=\/; Max-Age=15552000; HttpOnly; SameSite=Lax; Secure$/);
    expect(header).not.toContain('ann');
  });

  it('recognizes only the person who signed in, for 180 days', async () => {
    const cookie = await signedIn('ann');
    const until = later(NOON, DEVICE_KNOWN_MILLISECONDS);
    expect([await knows(cookie, 'ann'), await knows(cookie, 'bob'), await knows(cookie, 'ann', later(until, -1)), await knows(cookie, 'ann', until)]).toEqual([true, false, true, false]);
    expect(await devices.ownerWith({ cookie }, 'ann@example.test', NOON)).toBe('person_ann');
    expect(await devices.ownerWith({ cookie }, 'bob@example.test', NOON)).toBeNull();
    expect(await devices.ownerWith({ cookie }, 'stranger@example.test', NOON)).toBeNull();
  });

  it('takes as many signature checks of equal length for an address without an account as for one with an account', async () => {
    const ids = new RandomIds();
    const password = readPassword('correct horse');
    if (password.outcome !== 'read') throw new Error(password.outcome);
    const passwordHash = await new Argon2Hasher().hash(password.password, strangerAt('203.0.113.7'));
    await register('with-password', ids.personId(), passwordHash);
    await register('without-password', ids.personId(), null);
    const signer = new HmacDeviceSigner(new InstallationSecret(OLD, null).keysFor('device'));
    const verified: number[] = [];
    const counted = { sign: (content: string) => signer.sign(content), verify: (content: string, signature: string) => verified.push(content.length) > 0 && signer.verify(content, signature) };
    const counting = new KnownDevices({ people: store.people, signer: counted, cookie: SECURE_DEVICE_COOKIE });
    const cookie = await signedIn('bob', await signedIn('c'));
    for (const name of ['with-password', 'without-password', 'stranger']) expect(await counting.ownerWith({ cookie }, `${name}@example.test`, NOON)).toBeNull();
    expect([verified.length, new Set(verified).size]).toEqual([6, 1]);
  });

  it('is kept beside those of other people in one cookie: one per person, five at most', async () => {
    let cookie = await signedIn('ann');
    cookie = await signedIn('bob', cookie);
    cookie = await signedIn('bob', cookie, later(NOON, 1000));
    expect([cookie.split('~').length, await knows(cookie, 'ann'), await knows(cookie, 'bob')]).toEqual([2, true, true]);
    for (const name of ['c', 'd', 'e', 'f']) cookie = await signedIn(name, cookie);
    expect([cookie.split('~').length, await knows(cookie, 'ann'), await knows(cookie, 'bob'), await knows(cookie, 'f')]).toEqual([MAX_PEOPLE_PER_DEVICE, false, true, true]);
  });

  it('is invalid after a change of password', async () => {
    const cookie = await signedIn('ann');
    await store.people.rehash(ANN, 'hash of ann', 'hash of another password');
    expect(await knows(cookie, 'ann')).toBe(false);
    expect(await knows(await signedIn('ann', cookie), 'ann')).toBe(true);
  });

  it('is invalid if it is changed, has another time, or was made under another secret', async () => {
    const cookie = await signedIn('ann');
    const [, made = '', signature = ''] = /=([0-9a-z]+)\.(.+)$/.exec(cookie) ?? [];
    const name = '__Host-tollgate_device';
    const forged = [`${name}=${(Number.parseInt(made, 36) + 1).toString(36)}.${signature}`, `${name}=${made}.${signature.slice(0, -2)}AA`, `${name}=${made}`, `${name}=`, `tollgate_device=${made}.${signature}`];
    expect(await Promise.all(forged.map((text) => knows(text, 'ann')))).toEqual(forged.map(() => false));
    devices = devicesUnder(NEW, OLD);
    expect(await knows(cookie, 'ann')).toBe(true);
    devices = devicesUnder(NEW, null);
    expect(await knows(cookie, 'ann')).toBe(false);
  });

  it('is not set without a secret, and is read from another cookie over plain HTTP', async () => {
    const without = new KnownDevices({ people: store.people, signer: null, cookie: LOOPBACK_DEVICE_COOKIE });
    expect(await without.remember({ cookie: null }, ANN, NOON)).toBeNull();
    expect(without.isMarked({ cookie: await signedIn('ann') })).toBe(false);
  });
});
