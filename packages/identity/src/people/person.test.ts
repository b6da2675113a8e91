import { describe, expect, it } from '@jest/globals';
import { instant, later, type PersonId, type SessionId } from '@tollgate/core';
import {
  admitsPerson, type Assurance, type Factor, isFreshlyProven, isSessionAlive, isUseWorthNoting, LOOPBACK_COOKIE, maySignIn, permitsRegistration, type Person,
  type PersonRole, readPassword, type SecondFactorPolicy, SECURE_COOKIE, type Session, sessionCookie, sessionReach, sessionTokensIn,
} from '@tollgate/identity';

const NOON = instant(Date.UTC(2026, 10, 18, 12));
const SECOND = 1_000;
const HOUR = 3_600_000;
const DAY = 86_400_000;
const TOKEN = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMN-_9';

function aPerson(differences: Partial<Person> = {}): Person {
  return {
    id: 'person_1' as PersonId, accountId: null, email: 'alice@example.test', emailVerified: true, name: 'Alice', role: 'owner', factors: [], language: null, createdAt: NOON,
    ...differences,
  };
}

function aSession(differences: Partial<Session> = {}): Session {
  return {
    id: 'session_1' as SessionId, personId: 'person_1' as PersonId, signedInBy: 'password', assurance: 'one-factor', createdAt: NOON, provenAt: NOON, lastUsedAt: NOON, machineId: null,
    address: '::1', userAgent: null, ...differences,
  };
}

describe('a password', () => {
  it.each([
    ['seven characters', '1234567', 'too-short'], ['eight characters', '12345678', 'read'], ['128 characters', 'x'.repeat(128), 'read'],
    ['129 characters', 'x'.repeat(129), 'too-long'], ['128 characters of two units each', '🔑'.repeat(128), 'read'], ['eight characters of two units each', '🔑'.repeat(8), 'read'],
    ['seven characters of two units each', '🔑'.repeat(7), 'too-short'], ['a million characters', 'x'.repeat(1_000_000), 'too-long'],
    ['100 characters that normalize to more than 128', '\ufdfa'.repeat(100), 'too-long'],
  ])('of %s has the outcome %s', (_what, typed, outcome) => {
    expect(readPassword(typed).outcome).toBe(outcome);
  });

  it('is the same with composed and with decomposed characters', () => {
    expect(readPassword('pa\u0308sswo\u0308rter')).toEqual(readPassword('p\u00e4ssw\u00f6rter'));
  });
});

describe('a session', () => {
  it.each<readonly [role: PersonRole, createdAgo: number, usedAgo: number, alive: boolean]>([
    ['owner', 0, 0, true],
    ['owner', 7 * DAY, 7 * DAY - SECOND, true],
    ['owner', 7 * DAY, 7 * DAY, false],
    ['owner', 30 * DAY - SECOND, 0, true],
    ['owner', 30 * DAY, 0, false],
    ['operator', 12 * HOUR - SECOND, 0, true],
    ['operator', 12 * HOUR, 0, false],
  ])('of an %s, begun %d ms ago and used %d ms ago, is alive: %s', (role, createdAgo, usedAgo, alive) => {
    expect(isSessionAlive(aSession({ createdAt: later(NOON, -createdAgo), lastUsedAt: later(NOON, -usedAgo) }), role, NOON)).toBe(alive);
  });

  it('counts as freshly proved for ten minutes', () => {
    expect([0, 10 * 60 * SECOND - 1, 10 * 60 * SECOND].map((ago) => isFreshlyProven(aSession(), later(NOON, ago)))).toEqual([true, true, false]);
  });

  it('stores its last use at most once a minute', () => {
    expect([59 * SECOND, 60 * SECOND].map((used) => isUseWorthNoting(aSession(), later(NOON, used)))).toEqual([false, true]);
  });
});

describe('the reach of a session', () => {
  it.each<readonly [policy: SecondFactorPolicy, role: PersonRole, factors: readonly Factor[], assurance: Assurance, reach: string]>([
    ['none', 'owner', [], 'one-factor', 'full'],
    ['none', 'operator', [], 'one-factor', 'full'],
    ['none', 'owner', ['totp'], 'one-factor', 'prove-factor'],
    ['none', 'owner', ['passkey'], 'two-factor', 'full'],
    ['operators', 'owner', [], 'one-factor', 'full'],
    ['operators', 'operator', [], 'one-factor', 'operator-link'],
    ['operators', 'operator', [], 'factor-removed', 'enrol-factor'],
    ['everybody', 'operator', [], 'one-factor', 'operator-link'],
    ['operators', 'operator', ['totp'], 'one-factor', 'prove-factor'],
    ['operators', 'operator', ['totp'], 'two-factor', 'full'],
    ['everybody', 'owner', [], 'one-factor', 'enrol-factor'],
    ['everybody', 'owner', [], 'two-factor', 'full'],
    ['everybody', 'operator', ['totp', 'passkey'], 'one-factor', 'prove-factor'],
  ])('with factors required of %s, for an %s with the factors %j and the assurance %s, is %s', (policy, role, factors, assurance, reach) => {
    expect(sessionReach(policy, aPerson({ role, factors }), aSession({ assurance }))).toBe(reach);
  });

  it.each([['password', 'operator-link'], ['issuer', 'operator-link'], ['link', 'enrol-factor']] as const)(
    'for an operator without a required factor who signed in by %s is %s', (signedInBy, reach) => {
      expect(sessionReach('operators', aPerson({ role: 'operator', factors: [] }), aSession({ signedInBy }))).toBe(reach);
    });
});

it.each([
  ['active', false, true, true], ['suspended', false, true, true], ['pending-deletion', false, true, true], ['deleted', false, true, false], ['active', true, true, false],
  ['active', false, false, false],
] as const)('the owner of an account that is %s, blocked %s, with a verified address %s, may sign in: %s', (status, blocked, emailVerified, expected) => {
  expect(maySignIn(aPerson({ emailVerified }), { status, blocked })).toBe(expected);
});

it('a person without an account may not sign in', () => {
  expect(maySignIn(aPerson(), null)).toBe(false);
});

it.each([
  ['open', true, true], ['invitation', false, true], ['closed', false, false],
] as const)('sign-up %s admits strangers: %s, invited people: %s', (policy, strangers, invited) => {
  expect([permitsRegistration(policy, 'sign-up'), permitsRegistration(policy, 'invitation')]).toEqual([strangers, invited]);
});

it.each([
  ['open', true, true], ['invitation', false, true], ['closed', false, false],
] as const)('sign-up %s admits unverified people who signed up: %s, and those who were invited: %s', (policy, signedUp, invited) => {
  const admits = (emailVerified: boolean, passwordHash: string | null): boolean => admitsPerson(policy, { person: aPerson({ emailVerified }), passwordHash });
  expect([admits(false, 'hash'), admits(false, null), admits(true, 'hash'), admits(true, null)]).toEqual([signedUp, invited, true, true]);
});

describe('the session cookie', () => {
  it('is read as it was written', () => {
    for (const form of [SECURE_COOKIE, LOOPBACK_COOKIE]) {
      const header = sessionCookie(form, TOKEN, 60);
      expect(sessionTokensIn(header.slice(0, header.indexOf(';')), form)).toEqual([TOKEN]);
      expect(header.includes('; Secure')).toBe(form.secure);
    }
  });

  it.each([
    ['among others', `a=b;  tollgate_session=${TOKEN} ; c=d`, TOKEN], ['absent', 'a=b', null], ['no header', null, null], ['under a name that only ends like its own', `x-tollgate_session=${TOKEN}`, null],
    ['twice', `tollgate_session=${TOKEN}; tollgate_session=${TOKEN}`, TOKEN], ['beside an invalid one of the same name', `tollgate_session=abc; tollgate_session=${TOKEN}`, TOKEN], ['too short', 'tollgate_session=abc', null],
    ['with an invalid character', `tollgate_session=${TOKEN.slice(1)}%`, null], ['in a header that is too long', `tollgate_session=${TOKEN}; a=${'x'.repeat(20_000)}`, null],
  ])('is read only if it is valid: %s', (_what, header, token) => {
    expect(sessionTokensIn(header, LOOPBACK_COOKIE)).toEqual(token === null ? [] : [token]);
  });

  it('is found among several cookies of its name, of which the first four are read', () => {
    const tokens = Array.from({ length: 9 }, (_, index) => `${index}${TOKEN.slice(1)}`);
    expect(sessionTokensIn(tokens.map((token) => `tollgate_session=${token}`).join('; '), LOOPBACK_COOKIE)).toEqual(tokens.slice(0, 4));
  });
});
