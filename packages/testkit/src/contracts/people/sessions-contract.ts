import { afterEach, describe, expect, it } from '../test-runner.js';
import { type Instant, later, type SessionId, SYSTEM_ACTOR } from '@tollgate/core';
import { MAX_SESSIONS, type PasswordHasher, type Person } from '@tollgate/identity';
import {
  aBrowser, ALICE_EMAIL, ALICE_PASSWORD, aPassword, cookieOf, type MakePeople, NEXT_PASSWORD, type PeopleDifferences, PeopleDriver,
  theOnly,
} from './people-subject.js';
import { STORE_NOON } from '../store-subject.js';

const BY = { actor: SYSTEM_ACTOR, at: STORE_NOON };
const SECOND = 1_000;
const MINUTE = 60_000;
const HOUR = 3_600_000;
const DAY = 86_400_000;

function after(milliseconds: number): Instant {
  return later(STORE_NOON, milliseconds);
}

export function sessionsContract(name: string, make: MakePeople): void {
  describe(`Sessions contract: ${name}`, () => {
    let driver: PeopleDriver;
    let alice: Person;
    const start = async (differences: PeopleDifferences = {}): Promise<PeopleDriver> => {
      driver = new PeopleDriver(await make(), differences);
      alice = await driver.start();
      return driver;
    };
    const idOf = async (cookie: string): Promise<SessionId> => (await driver.sessions.current(aBrowser(cookie), STORE_NOON))?.session.id ?? 'none' as SessionId;
    afterEach(() => driver.subject.close?.());

    describe('sign-in', () => {
      it('starts a session that every gateway accepts', async () => {
        const { sessions } = await start();
        const outcome = await driver.signIn();
        expect(outcome).toMatchObject({ outcome: 'signed-in', signedIn: { person: alice, reach: 'full', session: { personId: alice.id, signedInBy: 'password', assurance: 'one-factor' } } });
        const cookie = cookieOf(outcome);
        expect(await sessions.current(aBrowser(cookie), STORE_NOON)).toEqual('signedIn' in outcome ? outcome.signedIn : null);
        expect(await driver.other().who(cookie)).toBe(ALICE_EMAIL);
      });

      it('sets a cookie that scripts, other hosts and other sites cannot use', async () => {
        await start();
        const outcome = await driver.signIn();
        expect('setCookie' in outcome && outcome.setCookie)
          .toMatch(/^__Host-tollgate_session=[A-Za-z0-9_-]{43}; Path=\/; Max-Age=2592000; HttpOnly; SameSite=Lax; Secure$/);
      });

      it('accepts the address in any letter case, and the password in any Unicode composition', async () => {
        await start();
        const id = await driver.signUp('zoe@example.test', 'pa\u0308sswo\u0308rter');
        await driver.directory.redeem({ purpose: 'verify-email', token: await driver.token(id, 'verify-email'), password: 'p\u00e4ssw\u00f6rter' }, STORE_NOON);
        expect((await driver.signIn('p\u00e4ssw\u00f6rter', { email: 'ZOE@Example.test' })).outcome).toBe('signed-in');
      });

      it.each([
        ['another password', NEXT_PASSWORD, ALICE_EMAIL], ['an unknown address', ALICE_PASSWORD, 'nobody@example.test'],
        ['a password that is too short', 'short', ALICE_EMAIL], ['a password that is too long', 'x'.repeat(5_000), ALICE_EMAIL],
      ])('refuses %s with the same outcome', async (_what, password, email) => {
        await start();
        expect(await driver.signIn(password, { email })).toEqual({ outcome: 'refused' });
      });

      it('reports that an address is unverified only if the password is right', async () => {
        await start();
        await driver.signUp('bob@example.test');
        expect(await driver.signIn(NEXT_PASSWORD, { email: 'bob@example.test' })).toEqual({ outcome: 'refused' });
        expect(await driver.signIn(ALICE_PASSWORD, { email: 'bob@example.test' })).toEqual({ outcome: 'not-verified' });
      });

      it.each([
        ['suspended', { status: 'suspended' }, 'signed-in', ALICE_EMAIL], ['pending deletion', { status: 'pending-deletion', deletion: { dueAt: STORE_NOON, returnsTo: 'active' } }, 'signed-in', ALICE_EMAIL],
        ['blocked', { blocked: true }, 'refused', null], ['deleted', { status: 'deleted' }, 'refused', null],
      ] as const)('is possible while the account is suspended or pending deletion, not if it is blocked or deleted: %s', async (_standing, change, outcome, who) => {
        const { store } = await start();
        const cookie = await driver.cookie();
        const account = await store.accounts.findByEmail(ALICE_EMAIL);
        if (account !== null) await store.accounts.moveStanding(account.id, { from: account, to: { ...account, ...change }, action: 'account.changed' }, BY);
        expect((await driver.signIn()).outcome).toBe(outcome);
        expect(await driver.who(cookie)).toBe(who);
      });

      it('issues a new token at each sign-in, never the browser’s, and ends the browser’s earlier session', async () => {
        await start();
        const planted = `__Host-tollgate_session=${'A'.repeat(43)}`;
        const first = cookieOf(await driver.signIn(ALICE_PASSWORD, { cookie: planted }));
        expect(await driver.who(planted)).toBeNull();
        const second = cookieOf(await driver.signIn(ALICE_PASSWORD, { cookie: first }));
        expect(second).not.toBe(first);
        expect([await driver.who(first), await driver.who(second)]).toEqual([null, ALICE_EMAIL]);
      });

      it('starts no session if a reset replaces the password while it is checked', async () => {
        const { subject, directory } = await start();
        const token = await driver.token(alice.id, 'reset-password');
        const { hasher } = subject;
        const slow: PasswordHasher = {
          checkRoom: (holder) => hasher.checkRoom(holder),
          hash: (password, holder) => hasher.hash(password, holder),
          verify: async (password, stored, holder) => {
            const verdict = await hasher.verify(password, stored, holder);
            await directory.redeem({ purpose: 'reset-password', token, password: aPassword(NEXT_PASSWORD) }, STORE_NOON);
            return verdict;
          },
        };
        expect(await new PeopleDriver({ ...subject, hasher: slow }).signIn()).toEqual({ outcome: 'refused' });
        expect(await driver.sessions.list(alice, STORE_NOON)).toEqual([]);
      });

      it('rehashes a password if the current parameters are stronger, also under concurrent sign-ins', async () => {
        const { subject, store } = await start();
        const before = (await store.people.find(alice.id))?.passwordHash;
        const { hasher } = subject;
        const stronger: PasswordHasher = {
          checkRoom: (holder) => hasher.checkRoom(holder),
          hash: (password, holder) => hasher.hash(password, holder),
          verify: async (password, stored, holder) => (await hasher.verify(password, stored, holder) === 'right' && stored === before ? 'outdated' : hasher.verify(password, stored, holder)),
        };
        const outcomes = await Promise.all([1, 2, 3].map(() => new PeopleDriver({ ...subject, hasher: stronger }).signIn()));
        expect(outcomes.map(({ outcome }) => outcome)).toEqual(['signed-in', 'signed-in', 'signed-in']);
        expect((await store.people.find(alice.id))?.passwordHash).not.toBe(before);
        expect((await driver.signIn()).outcome).toBe('signed-in');
      });

      it('with a link works once, even if several gateways receive it at the same time', async () => {
        const { sessions } = await start();
        const token = await driver.token(alice.id, 'sign-in');
        const other = driver.other();
        const outcomes = await Promise.all([sessions, other.sessions, sessions].map((each) => each.signIn(aBrowser(), { kind: 'link', token }, STORE_NOON)));
        expect(outcomes.map(({ outcome }) => outcome).toSorted()).toEqual(['refused', 'refused', 'signed-in']);
        expect(theOnly(outcomes.map((outcome) => ('signedIn' in outcome ? outcome.signedIn.session.signedInBy : null)))).toEqual(['link']);
        expect((await sessions.signIn(aBrowser(), { kind: 'link', token: 'made up' }, STORE_NOON)).outcome).toBe('refused');
      });

      it('limits the number of sessions of a person, and ends the least recently used one', async () => {
        const { sessions } = await start();
        const first = await driver.cookie();
        for (let number = 1; number <= MAX_SESSIONS; number += 1) await driver.cookie(after(number));
        expect(await sessions.list(alice, after(MINUTE))).toHaveLength(MAX_SESSIONS);
        expect(await driver.who(first, after(MINUTE))).toBeNull();
      });
    });

    describe('a second factor', () => {
      it.each([
        ['none', 'operator', 'full', 'full'], ['operators', 'operator', 'operator-link', 'enrol-factor'], ['operators', 'owner', 'full', 'full'],
        ['everybody', 'owner', 'enrol-factor', 'enrol-factor'],
      ] as const)('required of %s: an %s has the access %s after a password, and %s after a link', async (secondFactor, role, reach, linkReach) => {
        const { sessions, directory } = await start({ secondFactor });
        await directory.setRole(alice.id, role, BY);
        const [byPassword, byLink] = [
          await driver.signIn(), await sessions.signIn(aBrowser(), { kind: 'link', token: await driver.token(alice.id, 'sign-in') }, STORE_NOON),
        ];
        expect([byPassword, byLink]).toMatchObject([{ signedIn: { reach } }, { signedIn: { reach: linkReach } }]);
        expect(await sessions.current(aBrowser(cookieOf(byLink)), STORE_NOON)).toMatchObject({ reach: linkReach });
      });
    });

    describe('a session', () => {
      it('lasts seven days without use', async () => {
        await start();
        const cookie = await driver.cookie();
        expect(await driver.who(cookie, after(7 * DAY))).toBeNull();
        expect(await driver.who(cookie, after(7 * DAY - SECOND))).toBe(ALICE_EMAIL);
        expect(await driver.who(cookie, after(14 * DAY - MINUTE))).toBe(ALICE_EMAIL);
      });

      it('lasts at most thirty days, however often it is used', async () => {
        await start();
        const cookie = await driver.cookie();
        for (let day = 6; day < 30; day += 6) expect(await driver.who(cookie, after(day * DAY))).toBe(ALICE_EMAIL);
        expect(await driver.who(cookie, after(30 * DAY - SECOND))).toBe(ALICE_EMAIL);
        expect(await driver.who(cookie, after(30 * DAY))).toBeNull();
        expect(await driver.sessions.list(alice, after(30 * DAY))).toEqual([]);
      });

      it('lasts twelve hours for an operator, also if the person becomes one during the session', async () => {
        await start();
        const cookie = await driver.cookie();
        expect(await driver.who(cookie, after(13 * HOUR))).toBe(ALICE_EMAIL);
        await driver.directory.setRole(alice.id, 'operator', BY);
        expect(await driver.who(cookie, after(12 * HOUR))).toBeNull();
        expect(await driver.who(cookie, after(12 * HOUR - SECOND))).toBe(ALICE_EMAIL);
      });

      it('records its origin, and its last use to the minute', async () => {
        const { sessions } = await start();
        const cookie = await driver.cookie();
        const from = (address: string, at: Instant) => sessions.current({ ...aBrowser(cookie), address }, at);
        await from('198.51.100.1', after(MINUTE - SECOND));
        expect(await sessions.list(alice, after(MINUTE))).toMatchObject([{ lastUsedAt: STORE_NOON, address: '203.0.113.7', userAgent: 'Contract/1.0' }]);
        await from('198.51.100.2', after(MINUTE));
        expect(await sessions.list(alice, after(MINUTE))).toMatchObject([{ lastUsedAt: after(MINUTE), address: '198.51.100.2' }]);
      });
    });

    describe('sign-out', () => {
      it('ends one session at once on every gateway', async () => {
        const { sessions } = await start();
        const [here, there] = [await driver.cookie(), await driver.cookie()];
        expect(await sessions.end(alice.id, await idOf(here))).toBe(1);
        expect([await driver.who(here), await driver.other().who(here), await driver.who(there)]).toEqual([null, null, ALICE_EMAIL]);
        expect(sessions.forgetCookie()).toBe('__Host-tollgate_session=; Path=/; Max-Age=0; HttpOnly; SameSite=Lax; Secure');
      });

      it('ends all sessions of a person, or all except one', async () => {
        const { sessions } = await start();
        const bob = await driver.start('bob@example.test');
        const bobs = cookieOf(await driver.signIn(ALICE_PASSWORD, { email: bob.email }));
        const cookies = [await driver.cookie(), await driver.cookie(), await driver.cookie()] as const;
        expect(await sessions.end(alice.id, { allBut: await idOf(cookies[0]) })).toBe(2);
        expect(await Promise.all(cookies.map((cookie) => driver.who(cookie)))).toEqual([ALICE_EMAIL, null, null]);
        expect(await sessions.end(alice.id, await idOf(bobs))).toBe(0);
        expect(await driver.other().sessions.end(alice.id, 'all')).toBe(1);
        expect([await driver.who(cookies[0]), await driver.who(bobs)]).toEqual([null, bob.email]);
      });

      it('is audited once if another person ends the sessions', async () => {
        const { sessions } = await start();
        await driver.cookie();
        expect([await sessions.end(alice.id, 'all', BY), await sessions.end(alice.id, 'all', BY)]).toEqual([1, 0]);
        const trail = await driver.subject.store.auditTrail.list({
          accountId: alice.accountId, actorKind: null, actorId: null, action: 'person.sessions-ended', from: null, to: null, limit: 10, cursor: null,
        });
        expect(trail?.records.map(({ subject, details }) => [subject, details])).toEqual([[alice.id, { sessions: 1 }]]);
      });
    });

    it.each([
      ['none', null], ['another', 'session=x'], ['malformed', '__Host-tollgate_session=x'], ['unknown', `__Host-tollgate_session=${'A'.repeat(43)}`],
    ])('finds no session without a valid cookie: %s', async (_what, cookie) => {
      const { sessions } = await start();
      expect(await sessions.current(aBrowser(cookie), STORE_NOON)).toBeNull();
    });

    it('finds the valid one of several session cookies, because others may be planted', async () => {
      await start();
      const cookie = await driver.cookie();
      expect(await driver.who(`theme=dark; ${cookie}`)).toBe(ALICE_EMAIL);
      const planted = `${cookie.slice(0, cookie.indexOf('=') + 1)}${'x'.repeat(43)}`;
      expect([await driver.who(`${planted}; ${cookie}`), await driver.who(`${cookie}; ${planted}`), await driver.who(planted)]).toEqual([ALICE_EMAIL, ALICE_EMAIL, null]);
    });
  });
}
