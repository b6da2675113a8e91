import { beforeEach, describe, expect, it } from '@jest/globals';
import type { PasskeyId } from '@tollgate/core';
import type { SignedIn } from '@tollgate/identity';
import { aBrowser, type AuthenticatorDifferences, type Cbor, encodeCbor, PasskeyDriver, STORE_NOON } from '@tollgate/testkit';
import { isWithoutCertificates } from './passkey-ceremonies.js';
import { relyingPartyOf, type RelyingPartyOutcome } from './web-authn-ceremonies.js';
import { peopleInMemory } from './test-support/people.js';

let driver: PasskeyDriver;
let alice: SignedIn;

beforeEach(async () => {
  driver = new PasskeyDriver(await peopleInMemory());
  alice = await driver.start();
});

/** Registers a passkey for Alice, and returns its id. */
async function startWith(): Promise<PasskeyId> {
  const registered = await driver.register(alice);
  if (registered.outcome !== 'added') throw new Error(registered.outcome);
  return registered.passkey.id;
}

describe('a passkey', () => {
  it.each<readonly [what: string, differences: AuthenticatorDifferences]>([
    ['without user verification', { verifiesUser: false }], ['for another origin', { origin: 'https://tollgate.test.example' }],
    ['for another relying party', { rpId: 'example' }], ['inside a frame of another site', { crossOrigin: true }],
    ['with a statement of an unknown form', { attestation: { format: 'tollgate', statement: new Map() } }],
  ])('is not registered %s', async (_what, differences) => {
    expect(await driver.register(alice, { differences })).toEqual({ outcome: 'refused' });
    expect(await driver.passkeys.list(alice.person.id)).toEqual([]);
  });

  it.each<readonly [what: string, differences: AuthenticatorDifferences]>([
    ['without user verification', { verifiesUser: false }], ['for another origin', { origin: 'http://tollgate.test' }], ['for another relying party', { rpId: 'example' }],
    ['inside a frame of another site', { crossOrigin: true }], ['naming another person', { userHandle: Buffer.from('person_2').toString('base64url') }],
    ['naming no person', { userHandle: '' }],
  ])('does not sign in %s', async (_what, differences) => {
    await startWith();
    expect(await driver.signIn(await driver.assertion(differences))).toEqual({ outcome: 'refused' });
  });

  it.each<readonly [what: string, answer: unknown]>([
    ['a missing answer', null], ['a text', 'x'], ['an empty object', {}], ['an answer without response', { id: 'AA', rawId: 'AA', type: 'public-key' }],
    ['data that is no JSON', { id: 'AA', rawId: 'AA', type: 'public-key', response: { clientDataJSON: 'AAAA' } }],
    ['an id of a megabyte', { id: 'A'.repeat(1_000_000), rawId: 'A'.repeat(1_000_000), type: 'public-key', response: { clientDataJSON: 'e30' } }],
  ])('is not read from %s', async (_what, answer) => {
    expect(await driver.passkeys.signIn(aBrowser(), answer, STORE_NOON)).toEqual({ outcome: 'refused' });
    expect(await driver.passkeys.register({ request: aBrowser(driver.cookieOf(alice)), signedIn: alice, at: STORE_NOON }, { name: 'x', answer })).toEqual({ outcome: 'refused' });
  });
});

it.each<readonly [what: string, format: string, statement: readonly (readonly [string, Cbor])[], taken: boolean]>([
  ['none', 'none', [], true], ['signed by the new key', 'packed', [['alg', -7], ['sig', new Uint8Array(8)]], true],
  ['with certificates', 'packed', [['alg', -7], ['sig', new Uint8Array(8)], ['x5c', new Map()]], false], ['of a chip', 'tpm', [], false],
  ['of a phone', 'android-safetynet', [], false],
])('an attestation is accepted only without certificates: %s', (_what, format, statement, taken) => {
  const attestation = encodeCbor(new Map<string, Cbor>([['fmt', format], ['attStmt', new Map(statement)], ['authData', new Uint8Array(37)]]));
  expect(isWithoutCertificates(attestation.toString('base64url'))).toBe(taken);
});

it.each<readonly [address: string, outcome: RelyingPartyOutcome['outcome'], id: string | null]>([
  ['https://gateway.example', 'available', 'gateway.example'], ['http://localhost:3000', 'available', 'localhost'],
  ['http://tollgate.localhost:3000', 'available', 'tollgate.localhost'], ['http://127.0.0.1:3000', 'ip-address', null], ['http://[::1]:3000', 'ip-address', null],
  ['https://203.0.113.7', 'ip-address', null], ['http://gateway.example', 'insecure-address', null],
])('the availability of passkeys at %s is %s', (address, outcome, id) => {
  expect(relyingPartyOf(new URL(`${address}/dashboard`))).toEqual(id === null ? { outcome } : { outcome, relyingParty: { id, origin: address, name: 'Tollgate' } });
});
