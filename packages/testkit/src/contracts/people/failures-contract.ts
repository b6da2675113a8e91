import { describe, expect, it } from '../test-runner.js';
import { type BrowserStanding, MAX_FAILURES, type SignInOutcome } from '@tollgate/identity';
import { wrongTotpCode } from '../../devices/totp-codes.js';
import { STORE_NOON } from '../store-subject.js';
import { aBrowser, ALICE_EMAIL, ALICE_PASSWORD, aPassword, cookieOf, type FactorDriver, NEXT_PASSWORD } from './people-subject.js';

/** Tests consecutive wrong passwords and codes. Those from known browsers and those from unknown ones are counted separately. */
export function failuresContract(factor: FactorDriver): void {
  /** Records failures directly, without the costly hashing of passwords. */
  const fail = async (browser: BrowserStanding, count: number): Promise<void> => {
    const { store, notices } = factor.people;
    const other = factor.people.other().store;
    for (let number = 0; number < count; number += 1) {
      await (number % 2 === 0 ? store : other).factors.noteWrongPassword({ personId: factor.alice.id, browser, warnings: notices.warningsFor(factor.alice, STORE_NOON) });
    }
  };
  const failures = async (): Promise<readonly [known: number, unknown: number]> => {
    const { attempts } = await factor.people.store.factors.find(factor.alice.id);
    return [attempts.known.failures, attempts.unknown.failures];
  };
  const subjects = async (): Promise<readonly string[]> =>
    (await factor.people.store.mail.list({ limit: 50, after: null })).map(({ subject }) => subject ?? '').filter((subject) => subject !== 'An authenticator app was added');
  /** Makes Alice’s browser known. Returns its device cookie. */
  const mark = async (): Promise<string> => {
    const setCookie = await factor.people.devices.remember(aBrowser(), factor.alice.id, STORE_NOON);
    return setCookie?.slice(0, setCookie.indexOf(';')) ?? '';
  };
  const signIn = (cookie: string | null = null, password = ALICE_PASSWORD): Promise<SignInOutcome> => factor.people.signIn(password, { cookie });
  const follow = async (cookie: string | null = null): Promise<SignInOutcome> => {
    const token = await factor.people.token(factor.alice.id, 'confirm-sign-in');
    return factor.people.sessions.signIn(aBrowser(cookie), { kind: 'link', token }, STORE_NOON);
  };

  describe('consecutive failures', () => {
    it('include wrong passwords and wrong codes, and are counted separately for known browsers', async () => {
      await factor.enrol();
      const cookie = await mark();
      const half = await factor.people.cookie();
      await signIn(null, NEXT_PASSWORD);
      await signIn(cookie, NEXT_PASSWORD);
      await factor.tryWrongCodes(half, 2, STORE_NOON);
      expect(await failures()).toEqual([1, 3]);
    });

    it('are all counted under concurrency on two gateways, and cause one notice', async () => {
      await factor.start();
      const { store, notices } = factor.people;
      const other = factor.people.other().store;
      const note = (number: number) => (number % 2 === 0 ? store : other).factors.noteWrongPassword({
        personId: factor.alice.id, browser: 'unknown', warnings: notices.warningsFor(factor.alice, STORE_NOON),
      });
      for (let begun = 0; begun < MAX_FAILURES + 20; begun += 20) await Promise.all(Array.from({ length: 20 }, (_, number) => note(number)));
      expect(await failures()).toEqual([0, MAX_FAILURES + 20]);
      expect(await subjects()).toEqual(['Many failed sign-ins']);
    });

    it('require a mailed link in addition to the right password in an unknown browser, from the hundredth failure on', async () => {
      await factor.start();
      await fail('unknown', MAX_FAILURES - 1);
      expect((await signIn()).outcome).toBe('signed-in');
      expect(await failures()).toEqual([0, 0]);
      await fail('unknown', MAX_FAILURES);
      expect(await signIn()).toEqual({ outcome: 'unconfirmed', person: factor.alice });
      expect((await signIn(null, NEXT_PASSWORD)).outcome).toBe('refused');
      expect((await signIn(await mark())).outcome).toBe('signed-in');
      expect(await failures()).toEqual([0, MAX_FAILURES + 1]);
    });

    it('prevent a session even if the hundredth failure is recorded while the password is checked, except in known browsers', async () => {
      await factor.start();
      const { store, subject: { tokens, ids } } = factor.people;
      const hash = (await store.people.find(factor.alice.id))?.passwordHash ?? '';
      await fail('unknown', MAX_FAILURES);
      const begin = (browser: BrowserStanding) => store.sessions.begin({
        session: {
          id: ids.sessionId(), personId: factor.alice.id, signedInBy: 'password', assurance: 'one-factor', createdAt: STORE_NOON, provenAt: STORE_NOON, lastUsedAt: STORE_NOON, machineId: null,
          address: '203.0.113.7', userAgent: null,
        },
        tokenHash: tokens.issue().hash, provenBy: { kind: 'password', hash, browser }, replaces: [], forgets: null,
      });
      expect([await begin('unknown'), await begin('known')]).toEqual([false, true]);
    });

    it('in unknown browsers do not lock a known browser; failures in a known browser lock proofs, not sign-ins', async () => {
      await factor.enrol();
      const cookie = await mark();
      await factor.tryWrongCodes(factor.provenCookie, 10, STORE_NOON);
      const known = `${cookie}; ${factor.provenCookie}`;
      expect((await factor.people.sessions.prove(aBrowser(factor.provenCookie), { kind: 'password', password: ALICE_PASSWORD }, STORE_NOON)).outcome).toBe('locked');
      const proven = await factor.people.sessions.prove(aBrowser(known), { kind: 'password', password: ALICE_PASSWORD }, STORE_NOON);
      expect(proven.outcome).toBe('proven');
      const next = cookieOf(proven);
      for (let number = 0; number < 10; number += 1) await factor.prove(`${cookie}; ${next}`, wrongTotpCode(factor.secret, STORE_NOON, number), STORE_NOON);
      await fail('known', MAX_FAILURES);
      expect((await factor.prove(`${cookie}; ${next}`, '000000', STORE_NOON)).outcome).toBe('locked');
      expect((await signIn(cookie)).outcome).toBe('signed-in');
    });

    it('are reset by signing in with a mailed link, which works once and needs no further proof', async () => {
      await factor.start();
      await fail('unknown', MAX_FAILURES);
      const token = await factor.people.token(factor.alice.id, 'confirm-sign-in');
      const open = () => factor.people.sessions.signIn(aBrowser(), { kind: 'link', token }, STORE_NOON);
      const opened = await open();
      expect(opened).toMatchObject({ outcome: 'signed-in', signedIn: { reach: 'full', session: { signedInBy: 'confirmed', assurance: 'one-factor' } } });
      expect(await factor.people.who(cookieOf(opened))).toBe(ALICE_EMAIL);
      expect((await open()).outcome).toBe('refused');
      expect(await failures()).toEqual([0, 0]);
      expect((await signIn()).outcome).toBe('signed-in');
    });

    it('end sessions that have not proved the second factor, except in known browsers or after a mailed link', async () => {
      await factor.enrol();
      const half = await factor.people.cookie();
      const knownHalf = cookieOf(await signIn(await mark()));
      await fail('unknown', MAX_FAILURES);
      expect(await factor.recover(half)).toMatchObject({ outcome: 'unconfirmed', person: { email: ALICE_EMAIL } });
      expect(await factor.people.who(half)).toBeNull();
      const cookie = cookieOf(await follow());
      expect([await factor.reach(cookie, STORE_NOON), (await failures())[1]]).toEqual(['prove-factor', MAX_FAILURES]);
      expect(await factor.tryWrongCodes(cookie, 1, STORE_NOON)).toEqual(['refused']);
      expect((await factor.recover(`${await mark()}; ${knownHalf}`, factor.recoveryCodes[1])).outcome).toBe('proven');
      expect((await failures())[1]).toBe(MAX_FAILURES + 1);
      expect((await factor.recover(cookie)).outcome).toBe('proven');
      expect(await failures()).toEqual([0, 0]);
    });

    it('are reported at the first lock and at the hundredth failure, and again only after a right proof in a known browser', async () => {
      await factor.enrol();
      await factor.tryWrongCodes(factor.provenCookie, 10, STORE_NOON);
      expect(await subjects()).toEqual(['Wrong passwords or codes were entered']);
      await fail('unknown', MAX_FAILURES * 2);
      expect((await subjects()).toSorted()).toEqual(['Many failed sign-ins', 'Wrong passwords or codes were entered']);
      const cookie = await mark();
      const half = cookieOf(await signIn(cookie));
      expect((await factor.recover(`${cookie}; ${half}`)).outcome).toBe('proven');
      await fail('unknown', MAX_FAILURES);
      expect((await subjects()).filter((subject) => subject === 'Many failed sign-ins')).toHaveLength(2);
    });

    it('are not counted for an unverified address, and are erased with the person', async () => {
      await factor.start();
      await fail('unknown', 3);
      await fail('known', 3);
      const bob = await factor.people.signUp('bob@example.test');
      await factor.people.signIn(NEXT_PASSWORD, { email: 'bob@example.test' });
      expect((await factor.people.store.factors.find(bob)).attempts.unknown.failures).toBe(0);
      await factor.people.directory.redeem({ purpose: 'reset-password', token: await factor.people.token(factor.alice.id, 'reset-password'), password: aPassword(NEXT_PASSWORD) }, STORE_NOON);
      expect(await failures()).toEqual([0, 0]);
    });
  });
}
