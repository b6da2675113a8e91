import { afterEach, describe, expect, it } from '@jest/globals';
import {
  type CodeHash, type ConfirmTotpOutcome, type Instant, later, ownAct, type Person, type ProofSpend, type ProveOutcome, type SessionId,
} from '@tollgate/core';
import { totpCodeAt, wrongTotpCode } from '../../authenticators.js';
import {
  aBrowser, ALICE_EMAIL, ALICE_PASSWORD, aPassword, cookieOf, type MakePeople, NEXT_PASSWORD, type PeopleDifferences, PeopleDriver,
} from './people-subject.js';
import { STORE_NOON } from '../store-subject.js';

const STEP = 30_000;
const MINUTE = 60_000;

function after(milliseconds: number): Instant {
  return later(STORE_NOON, milliseconds);
}

/** What second factors, and proofs in sessions, guarantee, whatever keeps their records. */
export function secondFactorsContract(name: string, make: MakePeople): void {
  describe(`SecondFactors contract: ${name}`, () => {
    let driver: PeopleDriver;
    let alice: Person;
    let secret: string;
    let recoveryCodes: readonly string[];
    /** Of a session that has proved everything, at noon. */
    let full: string;

    const start = async (differences: PeopleDifferences = {}): Promise<PeopleDriver> => {
      driver = new PeopleDriver(await make(), differences);
      alice = await driver.start();
      return driver;
    };
    const begin = async (cookie: string, at = STORE_NOON): Promise<string> => {
      const begun = await driver.factors.beginTotp(aBrowser(cookie), at);
      if (begun.outcome !== 'begun') throw new Error(begun.outcome);
      return begun.secret;
    };
    const confirm = (cookie: string, code: string, at = STORE_NOON): Promise<ConfirmTotpOutcome> => driver.factors.confirmTotp(aBrowser(cookie), code, at);
    /** With an app whose code at noon is spent by its enrolment. */
    const enrolled = async (differences: PeopleDifferences = {}): Promise<PeopleDriver> => {
      await start(differences);
      const cookie = await driver.cookie();
      secret = await begin(cookie);
      const outcome = await confirm(cookie, totpCodeAt(secret, STORE_NOON));
      if (outcome.outcome !== 'enrolled') throw new Error(outcome.outcome);
      ({ recoveryCodes } = outcome);
      full = cookieOf(outcome);
      return driver;
    };
    const codeAt = (at: Instant): string => totpCodeAt(secret, at);
    const prove = (cookie: string, code: string, at: Instant, { on = driver, kind = 'totp' }: { on?: PeopleDriver; kind?: 'totp' | 'recovery' } = {}): Promise<ProveOutcome> => (
      on.sessions.prove(aBrowser(cookie), { kind, code }, at));
    const recover = (cookie: string, code = recoveryCodes[0] ?? '', on = driver): Promise<ProveOutcome> => prove(cookie, code, STORE_NOON, { on, kind: 'recovery' });
    const reach = async (cookie: string, at: Instant): Promise<string | undefined> => (await driver.sessions.current(aBrowser(cookie), at))?.reach;
    /** Tries wrong codes one after the other. */
    const wrong = async (cookie: string, count: number, at: Instant): Promise<readonly string[]> => {
      const outcomes: string[] = [];
      for (let attempt = 0; attempt < count; attempt += 1) outcomes.push((await prove(cookie, wrongTotpCode(secret, at, attempt), at)).outcome);
      return outcomes;
    };
    afterEach(() => driver.subject.close?.());

    describe('enrolment', () => {
      it('makes an app a factor once a code of it is proved, and raises the session with a new token', async () => {
        const { store, factors } = await start();
        const cookie = await driver.cookie();
        const begun = await factors.beginTotp(aBrowser(cookie), STORE_NOON);
        expect(begun).toMatchObject({ outcome: 'begun', uri: expect.stringMatching(/^otpauth:\/\/totp\/Tollgate:alice/) });
        secret = 'secret' in begun ? begun.secret : '';
        expect(await confirm(cookie, wrongTotpCode(secret, STORE_NOON))).toEqual({ outcome: 'refused' });
        expect(await driver.sessions.current(aBrowser(cookie), STORE_NOON)).toMatchObject({ reach: 'full', person: { factors: [] } });
        const outcome = await confirm(cookie, codeAt(STORE_NOON));
        expect(outcome).toMatchObject({ outcome: 'enrolled', signedIn: { reach: 'full', session: { assurance: 'two-factor' }, person: { factors: ['totp'] } } });
        expect(new Set('recoveryCodes' in outcome ? outcome.recoveryCodes : []).size).toBe(10);
        expect([await driver.who(cookie), await driver.who(cookieOf(outcome))]).toEqual([null, ALICE_EMAIL]);
        expect(await driver.sessions.current(aBrowser(cookieOf(outcome)), STORE_NOON)).toEqual('signedIn' in outcome ? outcome.signedIn : null);
        expect(await factors.overview(alice.id)).toEqual({ totpSince: STORE_NOON, recoveryCodesLeft: 10 });
        expect(await store.mail.claim({ at: STORE_NOON, leaseExpiresAt: after(1), most: 9 })).toMatchObject([{ to: ALICE_EMAIL, subject: 'An authenticator app was added' }]);
        expect(await factors.beginTotp(aBrowser(cookieOf(outcome)), STORE_NOON)).toEqual({ outcome: 'already-enrolled' });
        expect(await store.auditTrail.verifyAuditTrail()).toMatchObject({ entries: 4, fault: null });
      });

      it('takes the newest secret only, for a quarter of an hour', async () => {
        await start();
        const cookie = await driver.cookie();
        const [older, newer] = [await begin(cookie), await begin(cookie, after(MINUTE))];
        expect((await confirm(cookie, totpCodeAt(older, after(MINUTE)), after(MINUTE))).outcome).toBe('refused');
        await driver.sessions.prove(aBrowser(cookie), { kind: 'password', password: ALICE_PASSWORD }, after(9 * MINUTE)).then((proven) => {
          full = cookieOf(proven);
        });
        expect(await confirm(full, totpCodeAt(newer, after(16 * MINUTE)), after(16 * MINUTE))).toEqual({ outcome: 'nothing-begun' });
        expect((await confirm(full, totpCodeAt(newer, after(16 * MINUTE - 1)), after(16 * MINUTE - 1))).outcome).toBe('enrolled');
      });

      it('takes one of two first codes that come at once, and the other for no wrong one', async () => {
        const { store } = await start();
        const cookies = [await driver.cookie(), await driver.cookie()];
        secret = await begin(cookies[0] ?? '');
        const codes = [codeAt(STORE_NOON), codeAt(after(STEP))];
        const outcomes = await Promise.all(cookies.map((cookie, place) => (place === 0 ? driver : driver.other()).factors.confirmTotp(aBrowser(cookie), codes[place] ?? '', STORE_NOON)));
        expect(outcomes.map(({ outcome }) => outcome).toSorted()).toEqual(['enrolled', 'nothing-begun']);
        expect((await store.factors.find(alice.id)).attempts.wrongInARow).toBe(0);
        const winner = outcomes.find((outcome) => outcome.outcome === 'enrolled');
        if (winner === undefined || !('recoveryCodes' in winner)) throw new Error('no app was enrolled');
        expect((await recover(cookieOf(winner), winner.recoveryCodes[0])).outcome).toBe('proven');
      });

      it('and every other act wants a session that was proved within ten minutes, with its factor', async () => {
        const { factors } = await enrolled();
        const half = await driver.cookie();
        const acts = (cookie: string, at: Instant) => Promise.all([
          factors.beginTotp(aBrowser(cookie), at), confirm(cookie, '123456', at), factors.renewRecoveryCodes(aBrowser(cookie), at), factors.removeTotp(aBrowser(cookie), at),
        ]).then((outcomes) => new Set(outcomes.map(({ outcome }) => outcome)));
        expect(await acts(half, STORE_NOON)).toEqual(new Set(['second-factor-required']));
        expect(await acts(full, after(10 * MINUTE))).toEqual(new Set(['fresh-proof-required']));
        expect(await acts('', STORE_NOON)).toEqual(new Set(['not-signed-in']));
        expect(await factors.renewRecoveryCodes(aBrowser(full), after(10 * MINUTE - 1))).toMatchObject({ outcome: 'renewed' });
      });

      it('is refused by a gateway without a secret, which proves no codes either and takes none for wrong', async () => {
        await enrolled();
        const without = driver.with({ codes: null });
        const half = await driver.cookie();
        expect(await prove(half, codeAt(after(STEP)), after(STEP), { on: without })).toEqual({ outcome: 'unavailable' });
        expect(await recover(half, '', without)).toEqual({ outcome: 'unavailable' });
        expect(await without.factors.renewRecoveryCodes(aBrowser(full), STORE_NOON)).toEqual({ outcome: 'unavailable' });
        expect(await prove(half, codeAt(after(STEP)), after(STEP), { on: driver.with({ codes: driver.subject.rotated.after }) })).toEqual({ outcome: 'unavailable' });
        expect(await without.factors.removeTotp(aBrowser(full), STORE_NOON)).toEqual({ outcome: 'removed' });
        expect(await without.factors.beginTotp(aBrowser(full), STORE_NOON)).toEqual({ outcome: 'unavailable' });
      });
    });

    describe('a code of an app', () => {
      it('raises a session on every way in, under every policy, and nothing else does', async () => {
        await enrolled();
        for (const [index, secondFactor] of (['none', 'operators', 'everybody'] as const).entries()) {
          const { sessions } = driver.with({ secondFactor });
          const ways = [await driver.signIn(), await sessions.signIn(aBrowser(), { kind: 'link', token: await driver.token(alice.id, 'sign-in') }, STORE_NOON)];
          for (const [number, way] of ways.entries()) {
            const at = after((1 + 2 * index + number) * STEP);
            expect(await reach(cookieOf(way), at)).toBe('prove-factor');
            const byPassword = await sessions.prove(aBrowser(cookieOf(way)), { kind: 'password', password: ALICE_PASSWORD }, at);
            expect(byPassword).toMatchObject({ outcome: 'proven', signedIn: { reach: 'prove-factor', session: { assurance: 'one-factor' } } });
            expect(await prove(cookieOf(byPassword), codeAt(at), at)).toMatchObject({ outcome: 'proven', signedIn: { reach: 'full', session: { provenAt: at } } });
          }
        }
      });

      it('gives the session a new token, and leaves a planted one worthless', async () => {
        await enrolled();
        const planted = await driver.cookie();
        const outcome = await prove(planted, codeAt(after(STEP)), after(STEP));
        expect([await driver.who(planted), await driver.who(cookieOf(outcome))]).toEqual([null, ALICE_EMAIL]);
        expect('setCookie' in outcome && outcome.setCookie).toMatch(/; Max-Age=2591970; HttpOnly; SameSite=Lax; Secure$/);
        expect(await driver.sessions.current(aBrowser(cookieOf(outcome)), after(STEP))).toEqual('signedIn' in outcome ? outcome.signedIn : null);
      });

      it('is taken once ever: not after the enrolment, not again, and none of an earlier step', async () => {
        await enrolled();
        const [first, second] = [await driver.cookie(), await driver.cookie()];
        expect((await prove(first, codeAt(STORE_NOON), STORE_NOON)).outcome).toBe('refused');
        expect((await prove(first, codeAt(after(STEP)), STORE_NOON)).outcome).toBe('proven');
        for (const at of [STORE_NOON, after(STEP), after(2 * STEP)]) expect((await prove(second, codeAt(after(STEP)), at)).outcome).toBe('refused');
        expect((await prove(second, codeAt(after(2 * STEP)), after(STEP))).outcome).toBe('proven');
      });

      it('is taken by one of several sessions at once, on two gateways', async () => {
        await enrolled();
        const other = driver.other();
        const cookies = [await driver.cookie(), await driver.cookie(), await driver.cookie(), await driver.cookie()];
        const outcomes = await Promise.all(cookies.map((cookie, number) => prove(cookie, codeAt(after(STEP)), after(STEP), { on: number % 2 === 0 ? driver : other })));
        expect(outcomes.map(({ outcome }) => outcome).toSorted()).toEqual(['proven', 'refused', 'refused', 'refused']);
      });

      it('raises a session once, whatever else is proved in it at once', async () => {
        await enrolled();
        const half = await driver.cookie();
        const other = driver.other();
        const outcomes = await Promise.all([
          prove(half, codeAt(after(STEP)), STORE_NOON), recover(half, recoveryCodes[0], other), other.sessions.prove(aBrowser(half), { kind: 'password', password: ALICE_PASSWORD }, STORE_NOON),
        ]);
        expect(outcomes.map(({ outcome }) => outcome).toSorted()).toEqual(['not-signed-in', 'not-signed-in', 'proven']);
      });

      it('is none without an app, and none before the app is confirmed', async () => {
        await start();
        const cookie = await driver.cookie();
        expect(await prove(cookie, '123456', STORE_NOON)).toEqual({ outcome: 'refused' });
        secret = await begin(cookie);
        expect(await prove(cookie, codeAt(STORE_NOON), STORE_NOON)).toEqual({ outcome: 'refused' });
        expect(await prove('', codeAt(STORE_NOON), STORE_NOON)).toEqual({ outcome: 'not-signed-in' });
      });
    });

    describe('a recovery code', () => {
      it('raises a session once, in any writing, and is told of by mail', async () => {
        const { factors, store } = await enrolled();
        const code = recoveryCodes[3] ?? '';
        expect(await recover(await driver.cookie(), ` ${code.toUpperCase().replace('-', '')}`)).toMatchObject({ outcome: 'proven', signedIn: { reach: 'full' } });
        expect(await recover(await driver.cookie(), code)).toEqual({ outcome: 'refused' });
        expect((await recover(await driver.cookie(), recoveryCodes[4])).outcome).toBe('proven');
        expect(await factors.overview(alice.id)).toMatchObject({ recoveryCodesLeft: 8 });
        expect(await store.mail.status()).toMatchObject({ waiting: 3 });
        expect(await store.auditTrail.verifyAuditTrail()).toMatchObject({ entries: 6, fault: null });
      });

      it('is taken by one of several sessions at once, on two gateways', async () => {
        await enrolled();
        const other = driver.other();
        const cookies = [await driver.cookie(), await driver.cookie(), await driver.cookie(), await driver.cookie()];
        const outcomes = await Promise.all(cookies.map((cookie, number) => recover(cookie, recoveryCodes[0], number % 2 === 0 ? driver : other)));
        expect(outcomes.map(({ outcome }) => outcome).toSorted()).toEqual(['proven', 'refused', 'refused', 'refused']);
      });

      it('is worthless once there are new ones', async () => {
        await enrolled();
        const renewed = await driver.factors.renewRecoveryCodes(aBrowser(full), STORE_NOON);
        const codes = 'recoveryCodes' in renewed ? renewed.recoveryCodes : [];
        expect(codes.filter((code) => recoveryCodes.includes(code))).toEqual([]);
        const half = await driver.cookie();
        expect([(await recover(half)).outcome, (await recover(half, codes[9])).outcome]).toEqual(['refused', 'proven']);
      });
    });

    describe('wrong codes', () => {
      it('end a session that has yet to prove its factor: the fifth', async () => {
        await enrolled();
        const half = await driver.cookie();
        expect(await wrong(half, 4, STORE_NOON)).toEqual(['refused', 'refused', 'refused', 'refused']);
        expect(await recover(half, 'no code')).toEqual({ outcome: 'ended', setCookie: driver.sessions.forgetCookie() });
        expect((await recover(half)).outcome).toBe('not-signed-in');
        expect(await driver.who(full)).toBe(ALICE_EMAIL);
      });

      it('lock every proof for a quarter of an hour: the tenth in a row, over all sessions and gateways', async () => {
        await enrolled();
        const other = driver.other();
        await wrong(await driver.cookie(), 5, STORE_NOON);
        const half = await driver.cookie();
        await wrong(half, 4, STORE_NOON);
        const until = after(15 * MINUTE);
        expect(await other.sessions.prove(aBrowser(full), { kind: 'password', password: NEXT_PASSWORD }, STORE_NOON)).toEqual({ outcome: 'locked', until });
        const just = after(15 * MINUTE - 1);
        expect(await prove(half, codeAt(just), just, { on: other })).toEqual({ outcome: 'locked', until });
        expect(await recover(half)).toEqual({ outcome: 'locked', until });
        expect(await driver.sessions.prove(aBrowser(full), { kind: 'password', password: ALICE_PASSWORD }, STORE_NOON)).toEqual({ outcome: 'locked', until });
        expect(await reach(half, until)).toBe('prove-factor');
        expect(await prove(half, codeAt(until), until)).toMatchObject({ outcome: 'proven' });
      });

      it('go on counting when the password is proved between them, in a session that has yet to prove its factor', async () => {
        await enrolled();
        for (let session = 0; session < 2; session += 1) {
          let half = await driver.cookie();
          await wrong(half, 4, STORE_NOON);
          half = cookieOf(await driver.sessions.prove(aBrowser(half), { kind: 'password', password: ALICE_PASSWORD }, STORE_NOON));
          expect(await wrong(half, 1, STORE_NOON)).toEqual(['ended']);
        }
        expect(await wrong(full, 1, STORE_NOON)).toEqual(['locked']);
      });

      it('are counted all when they come at once on two gateways, in a session that has proved everything', async () => {
        await enrolled();
        const other = driver.other();
        const outcomes = await Promise.all(Array.from({ length: 24 }, (_, number) => (
          prove(full, wrongTotpCode(secret, STORE_NOON, number), STORE_NOON, { on: number % 2 === 0 ? driver : other }))));
        expect(outcomes.filter(({ outcome }) => outcome === 'refused')).toHaveLength(9);
        expect(outcomes.filter(({ outcome }) => outcome === 'locked')).toHaveLength(15);
        expect(await driver.who(full)).toBe(ALICE_EMAIL);
      });

      it('are forgotten at a right one, and after a lock', async () => {
        await enrolled();
        await wrong(full, 9, STORE_NOON);
        full = cookieOf(await prove(full, codeAt(after(STEP)), after(STEP)));
        expect(new Set(await wrong(full, 9, after(STEP)))).toEqual(new Set(['refused']));
        expect(await wrong(full, 1, after(STEP))).toEqual(['locked']);
        const unlocked = after(STEP + 15 * MINUTE);
        expect(new Set(await wrong(full, 9, unlocked))).toEqual(new Set(['refused']));
        expect((await prove(full, codeAt(unlocked), unlocked)).outcome).toBe('proven');
      });

      it('and right ones are judged by the store at last: none while proofs are locked, none of a secret that was replaced', async () => {
        const { store, subject: { tokens } } = await start();
        const cookie = await driver.cookie();
        await begin(cookie);
        const { totp } = await store.factors.find(alice.id);
        await begin(cookie);
        const [session] = await driver.sessions.list(alice, STORE_NOON);
        const submit = (spend: ProofSpend | null) => store.factors.prove({
          personId: alice.id, sessionId: session?.id ?? 'none' as SessionId, tokenHash: tokens.hash(cookie.slice(cookie.indexOf('=') + 1)), nextTokenHash: tokens.issue().hash,
          spend, wrongEndsSession: false, notice: null,
        }, ownAct(alice.id, STORE_NOON));
        expect(await submit({ kind: 'enrolment', sealed: totp?.sealed ?? '', step: 1, codeHashes: ['0' as CodeHash] })).toEqual({ outcome: 'refused' });
        // That was no guess.
        expect((await store.factors.find(alice.id)).attempts.wrongInARow).toBe(0);
        for (let attempt = 0; attempt < 10; attempt += 1) await submit(null);
        const provenHash = (await store.people.find(alice.id))?.passwordHash ?? '';
        expect(await submit({ kind: 'password', provenHash })).toEqual({ outcome: 'locked', until: after(15 * MINUTE) });
      });

      it('at an enrolment are counted too', async () => {
        const { sessions } = await start();
        const cookie = await driver.cookie();
        secret = await begin(cookie);
        for (let attempt = 0; attempt < 9; attempt += 1) await confirm(cookie, wrongTotpCode(secret, STORE_NOON, attempt));
        expect((await confirm(cookie, wrongTotpCode(secret, STORE_NOON))).outcome).toBe('locked');
        expect((await confirm(cookie, codeAt(STORE_NOON))).outcome).toBe('locked');
        expect((await sessions.current(aBrowser(cookie), STORE_NOON))?.person.factors).toEqual([]);
      });
    });

    describe('the password once more', () => {
      it('proves a session afresh, and raises none', async () => {
        const { sessions, factors } = await start({ secondFactor: 'everybody' });
        const at = after(60 * MINUTE);
        const cookie = await driver.cookie();
        expect((await factors.beginTotp(aBrowser(cookie), at)).outcome).toBe('fresh-proof-required');
        for (const password of [NEXT_PASSWORD, 'short']) expect((await sessions.prove(aBrowser(cookie), { kind: 'password', password }, at)).outcome).toBe('refused');
        const proven = await sessions.prove(aBrowser(cookie), { kind: 'password', password: ALICE_PASSWORD }, at);
        expect(proven).toMatchObject({ signedIn: { reach: 'enrol-factor', session: { assurance: 'one-factor', provenAt: at, createdAt: STORE_NOON } } });
        expect((await factors.beginTotp(aBrowser(cookieOf(proven)), at)).outcome).toBe('begun');
      });
    });

    describe('an app that is removed', () => {
      it('takes its recovery codes along, and leaves sessions worth one factor, which the policy may want more of', async () => {
        const { factors } = await enrolled({ secondFactor: 'everybody' });
        expect(await factors.removeTotp(aBrowser(full), STORE_NOON)).toEqual({ outcome: 'removed' });
        expect(await factors.removeTotp(aBrowser(full), STORE_NOON)).toEqual({ outcome: 'not-enrolled' });
        expect(await factors.renewRecoveryCodes(aBrowser(full), STORE_NOON)).toEqual({ outcome: 'not-enrolled' });
        expect(await reach(full, STORE_NOON)).toBe('enrol-factor');
        expect(await factors.overview(alice.id)).toEqual({ totpSince: null, recoveryCodesLeft: 0 });
        secret = await begin(full);
        expect((await confirm(full, codeAt(STORE_NOON))).outcome).toBe('enrolled');
        expect(await recover(await driver.cookie())).toEqual({ outcome: 'refused' });
      });

      it.each(['by a reset', 'with its person'])('%s, takes everything along, the lock included', async (how) => {
        const { directory, store } = await enrolled();
        await wrong(full, 10, STORE_NOON);
        const token = await driver.token(alice.id, 'reset-password');
        await (how === 'by a reset'
          ? directory.redeem({ purpose: 'reset-password', token, password: aPassword(NEXT_PASSWORD) }, STORE_NOON)
          : driver.deleteAccountOf(alice.id));
        expect(await store.factors.find(alice.id)).toEqual({ totp: null, recoveryCodesLeft: 0, attempts: { wrongInARow: 0, lockedUntil: null } });
        expect((await driver.directory.find(alice.id))?.factors ?? []).toEqual([]);
      });
    });

    it('a secret is encrypted again when a code is verified during a rotation, and its codes stay valid', async () => {
      await enrolled();
      const { during, after: rotated } = driver.subject.rotated;
      const proven = await prove(await driver.cookie(), codeAt(after(STEP)), after(STEP), { on: driver.with({ codes: during }) });
      expect(proven.outcome).toBe('proven');
      const on = driver.with({ codes: rotated });
      expect((await prove(await driver.cookie(), codeAt(after(2 * STEP)), after(2 * STEP), { on })).outcome).toBe('proven');
      expect((await recover(await driver.cookie(), recoveryCodes[0], on)).outcome).toBe('proven');
      expect((await prove(await driver.cookie(), codeAt(after(3 * STEP)), after(3 * STEP))).outcome).toBe('unavailable');
    });
  });
}
