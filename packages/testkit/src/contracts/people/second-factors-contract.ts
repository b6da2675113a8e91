import { afterEach, describe, expect, it } from '../test-runner.js';
import { type Instant, later, type PersonId, SYSTEM_ACTOR } from '@tollgate/core';
import { FactorNotices, type FactorRecords, type FactorState, MAIL_RANKS, NO_ATTEMPTS } from '@tollgate/identity';
import { totpCodeAt, wrongTotpCode } from '../../devices/totp-codes.js';
import { Gate } from '../../scripted-upstream/gate.js';
import { STORE_NOON } from '../store-subject.js';
import { aBrowser, ALICE_EMAIL, ALICE_PASSWORD, aPassword, cookieOf, FactorDriver, type MakePeople, NEXT_PASSWORD, PeopleDriver, type PeopleStore } from './people-subject.js';
import { failuresContract } from './failures-contract.js';
import { machineLinksContract } from './machine-links-contract.js';
import { wrongProofsContract } from './wrong-proofs-contract.js';

const STEP = 30_000;
const MINUTE = 60_000;

function after(milliseconds: number): Instant {
  return later(STORE_NOON, milliseconds);
}

/** Holds back the first reads of factors until each store has read, so that all gateways decide before the first one writes. */
function readingBeforeWrites(stores: readonly PeopleStore[]): readonly PeopleStore[] {
  let waiting = stores.length;
  const gate = new Gate();
  return stores.map((store) => {
    const find = async (id: PersonId): Promise<FactorState> => {
      const found = await store.factors.find(id);
      waiting -= 1;
      if (waiting === 0) gate.open();
      await gate.opened;
      return found;
    };
    return { ...store, factors: Object.assign(Object.create(store.factors) as FactorRecords, { find }) };
  });
}

export function secondFactorsContract(name: string, make: MakePeople): void {
  describe(`SecondFactors contract: ${name}`, () => {
    const factor = new FactorDriver(make);
    afterEach(() => factor.people.subject.close?.());

    describe('enrolment', () => {
      it('enrols an app once its code is proved, and upgrades the session with a new token', async () => {
        const { store, factors } = await factor.start();
        const cookie = await factor.people.cookie();
        const begun = await factors.beginTotp(aBrowser(cookie), STORE_NOON);
        expect(begun).toMatchObject({ outcome: 'begun', uri: expect.stringMatching(/^otpauth:\/\/totp\/Tollgate:alice/) });
        factor.secret = 'secret' in begun ? begun.secret : '';
        expect(await factor.confirm(cookie, wrongTotpCode(factor.secret, STORE_NOON))).toEqual({ outcome: 'refused' });
        expect(await factor.people.sessions.current(aBrowser(cookie), STORE_NOON)).toMatchObject({ reach: 'full', person: { factors: [] } });
        const outcome = await factor.confirm(cookie, factor.codeAt(STORE_NOON));
        expect(outcome).toMatchObject({ outcome: 'enrolled', signedIn: { reach: 'full', session: { assurance: 'two-factor' }, person: { factors: ['totp'] } } });
        expect(new Set('recoveryCodes' in outcome ? outcome.recoveryCodes : []).size).toBe(10);
        expect([await factor.people.who(cookie), await factor.people.who(cookieOf(outcome))]).toEqual([null, ALICE_EMAIL]);
        expect(await factor.people.sessions.current(aBrowser(cookieOf(outcome)), STORE_NOON)).toEqual('signedIn' in outcome ? outcome.signedIn : null);
        expect(await factors.overview(factor.alice.id)).toEqual({ totpSince: STORE_NOON, recoveryCodesLeft: 10 });
        expect(await store.mail.claim({ at: STORE_NOON, leaseExpiresAt: after(1), most: 9, ranks: MAIL_RANKS })).toMatchObject([{ to: ALICE_EMAIL, subject: 'An authenticator app was added' }]);
        expect(await factors.beginTotp(aBrowser(cookieOf(outcome)), STORE_NOON)).toEqual({ outcome: 'already-enrolled' });
        expect(await store.auditTrail.verifyAuditTrail()).toMatchObject({ entries: 4, fault: null });
      });

      it('accepts only the latest secret, and only for 15 minutes', async () => {
        await factor.start();
        const cookie = await factor.people.cookie();
        const [older, newer] = [await factor.begin(cookie), await factor.begin(cookie, after(MINUTE))];
        expect((await factor.confirm(cookie, totpCodeAt(older, after(MINUTE)), after(MINUTE))).outcome).toBe('refused');
        await factor.people.sessions.prove(aBrowser(cookie), { kind: 'password', password: ALICE_PASSWORD }, after(9 * MINUTE)).then((proven) => {
          factor.provenCookie = cookieOf(proven);
        });
        expect(await factor.confirm(factor.provenCookie, totpCodeAt(newer, after(16 * MINUTE)), after(16 * MINUTE))).toEqual({ outcome: 'nothing-begun' });
        expect((await factor.confirm(factor.provenCookie, totpCodeAt(newer, after(16 * MINUTE - 1)), after(16 * MINUTE - 1))).outcome).toBe('enrolled');
      });

      it('accepts one of two concurrent first codes, and does not count the other one as a failure', async () => {
        const { store } = await factor.start();
        const attempts = [{ cookie: await factor.people.cookie(), at: STORE_NOON }, { cookie: await factor.people.cookie(), at: after(STEP) }];
        factor.secret = await factor.begin(attempts[0]?.cookie ?? '');
        const gateways = readingBeforeWrites([store, factor.people.subject.other]).map((each) => new PeopleDriver(factor.people.subject, {}, each));
        const outcomes = await Promise.all(gateways.map(({ factors }, place) => {
          const { cookie, at } = attempts[place] ?? { cookie: '', at: STORE_NOON };
          return factors.confirmTotp(aBrowser(cookie), factor.codeAt(at), STORE_NOON);
        }));
        expect(outcomes.map(({ outcome }) => outcome).toSorted()).toEqual(['enrolled', 'nothing-begun']);
        expect((await store.factors.find(factor.alice.id)).attempts.unknown.wrongInARow).toBe(0);
        const winner = outcomes.find((outcome) => outcome.outcome === 'enrolled');
        if (winner === undefined || !('recoveryCodes' in winner)) throw new Error('no app was enrolled');
        expect((await factor.recover(cookieOf(winner), winner.recoveryCodes[0])).outcome).toBe('proven');
      });

      it('requires, like every other change of factors, a session that proved its factors within the last ten minutes', async () => {
        const { factors } = await factor.enrol();
        const half = await factor.people.cookie();
        const acts = (cookie: string, at: Instant) => Promise.all([
          factors.beginTotp(aBrowser(cookie), at), factor.confirm(cookie, '123456', at), factors.renewRecoveryCodes(aBrowser(cookie), at), factors.removeTotp(aBrowser(cookie), at),
        ]).then((outcomes) => new Set(outcomes.map(({ outcome }) => outcome)));
        expect(await acts(half, STORE_NOON)).toEqual(new Set(['second-factor-required']));
        expect(await acts(factor.provenCookie, after(10 * MINUTE))).toEqual(new Set(['fresh-proof-required']));
        expect(await acts('', STORE_NOON)).toEqual(new Set(['not-signed-in']));
        expect(await factors.renewRecoveryCodes(aBrowser(factor.provenCookie), after(10 * MINUTE - 1))).toMatchObject({ outcome: 'renewed' });
      });

      it('is unavailable on a gateway without a secret, as is every check of a code', async () => {
        await factor.enrol();
        const without = factor.people.with({ codes: null });
        const half = await factor.people.cookie();
        expect(await factor.prove(half, factor.codeAt(after(STEP)), after(STEP), { on: without })).toEqual({ outcome: 'unavailable' });
        expect(await factor.recover(half, '', without)).toEqual({ outcome: 'unavailable' });
        expect(await without.factors.renewRecoveryCodes(aBrowser(factor.provenCookie), STORE_NOON)).toEqual({ outcome: 'unavailable' });
        expect(await factor.prove(half, factor.codeAt(after(STEP)), after(STEP), { on: factor.people.with({ codes: factor.people.subject.rotated.after }) })).toEqual({ outcome: 'unavailable' });
        expect(await without.factors.removeTotp(aBrowser(factor.provenCookie), STORE_NOON)).toEqual({ outcome: 'removed' });
        expect(await without.factors.beginTotp(aBrowser(factor.provenCookie), STORE_NOON)).toEqual({ outcome: 'unavailable' });
      });
    });

    describe('a code from an authenticator app', () => {
      it('upgrades a session, unlike a password, whatever the way of signing in and the policy', async () => {
        await factor.enrol();
        for (const [index, secondFactor] of (['none', 'operators', 'everybody'] as const).entries()) {
          const { sessions } = factor.people.with({ secondFactor });
          const ways = [await factor.people.signIn(), await sessions.signIn(aBrowser(), { kind: 'link', token: await factor.people.token(factor.alice.id, 'sign-in') }, STORE_NOON)];
          for (const [number, way] of ways.entries()) {
            const at = after((1 + 2 * index + number) * STEP);
            expect(await factor.reach(cookieOf(way), at)).toBe('prove-factor');
            const byPassword = await sessions.prove(aBrowser(cookieOf(way)), { kind: 'password', password: ALICE_PASSWORD }, at);
            expect(byPassword).toMatchObject({ outcome: 'proven', signedIn: { reach: 'prove-factor', session: { assurance: 'one-factor' } } });
            expect(await factor.prove(cookieOf(byPassword), factor.codeAt(at), at)).toMatchObject({ outcome: 'proven', signedIn: { reach: 'full', session: { provenAt: at } } });
          }
        }
      });

      it('gives the session a new token, and invalidates the former one, which may be planted', async () => {
        await factor.enrol();
        const planted = await factor.people.cookie();
        const outcome = await factor.prove(planted, factor.codeAt(after(STEP)), after(STEP));
        expect([await factor.people.who(planted), await factor.people.who(cookieOf(outcome))]).toEqual([null, ALICE_EMAIL]);
        expect('setCookie' in outcome && outcome.setCookie).toMatch(/; Max-Age=2591970; HttpOnly; SameSite=Lax; Secure$/);
        expect(await factor.people.sessions.current(aBrowser(cookieOf(outcome)), after(STEP))).toEqual('signedIn' in outcome ? outcome.signedIn : null);
      });

      it('is accepted once: not again, not after its use in the enrolment, and not if a later code was accepted', async () => {
        await factor.enrol();
        const [first, second] = [await factor.people.cookie(), await factor.people.cookie()];
        expect((await factor.prove(first, factor.codeAt(STORE_NOON), STORE_NOON)).outcome).toBe('refused');
        expect((await factor.prove(first, factor.codeAt(after(STEP)), STORE_NOON)).outcome).toBe('proven');
        for (const at of [STORE_NOON, after(STEP), after(2 * STEP)]) expect((await factor.prove(second, factor.codeAt(after(STEP)), at)).outcome).toBe('refused');
        expect((await factor.prove(second, factor.codeAt(after(2 * STEP)), after(STEP))).outcome).toBe('proven');
      });

      it('is accepted in one of several concurrent sessions on two gateways', async () => {
        await factor.enrol();
        const other = factor.people.other();
        const cookies = [await factor.people.cookie(), await factor.people.cookie(), await factor.people.cookie(), await factor.people.cookie()];
        const outcomes = await Promise.all(cookies.map((cookie, number) => factor.prove(cookie, factor.codeAt(after(STEP)), after(STEP), { on: number % 2 === 0 ? factor.people : other })));
        expect(outcomes.map(({ outcome }) => outcome).toSorted()).toEqual(['proven', 'refused', 'refused', 'refused']);
      });

      it('upgrades a session once under concurrent proofs', async () => {
        await factor.enrol();
        const half = await factor.people.cookie();
        const other = factor.people.other();
        const outcomes = await Promise.all([
          factor.prove(half, factor.codeAt(after(STEP)), STORE_NOON), factor.recover(half, factor.recoveryCodes[0], other), other.sessions.prove(aBrowser(half), { kind: 'password', password: ALICE_PASSWORD }, STORE_NOON),
        ]);
        expect(outcomes.map(({ outcome }) => outcome).toSorted()).toEqual(['not-signed-in', 'not-signed-in', 'proven']);
      });

      it('is refused if no app is enrolled, and before the enrolment is confirmed', async () => {
        await factor.start();
        const cookie = await factor.people.cookie();
        expect(await factor.prove(cookie, '123456', STORE_NOON)).toEqual({ outcome: 'refused' });
        factor.secret = await factor.begin(cookie);
        expect(await factor.prove(cookie, factor.codeAt(STORE_NOON), STORE_NOON)).toEqual({ outcome: 'refused' });
        expect(await factor.prove('', factor.codeAt(STORE_NOON), STORE_NOON)).toEqual({ outcome: 'not-signed-in' });
      });
    });

    describe('a recovery code', () => {
      it('upgrades a session once, in any notation, and its use is reported by mail', async () => {
        const { factors, store } = await factor.enrol();
        const code = factor.recoveryCodes[3] ?? '';
        expect(await factor.recover(await factor.people.cookie(), ` ${code.toUpperCase().replace('-', '')}`)).toMatchObject({ outcome: 'proven', signedIn: { reach: 'full' } });
        expect(await factor.recover(await factor.people.cookie(), code)).toEqual({ outcome: 'refused' });
        expect((await factor.recover(await factor.people.cookie(), factor.recoveryCodes[4])).outcome).toBe('proven');
        expect(await factors.overview(factor.alice.id)).toMatchObject({ recoveryCodesLeft: 8 });
        expect(await store.mail.status(STORE_NOON)).toMatchObject({ waiting: 3 });
        expect(await store.auditTrail.verifyAuditTrail()).toMatchObject({ entries: 6, fault: null });
      });

      it('is accepted in one of several concurrent sessions on two gateways', async () => {
        await factor.enrol();
        const other = factor.people.other();
        const cookies = [await factor.people.cookie(), await factor.people.cookie(), await factor.people.cookie(), await factor.people.cookie()];
        const outcomes = await Promise.all(cookies.map((cookie, number) => factor.recover(cookie, factor.recoveryCodes[0], number % 2 === 0 ? factor.people : other)));
        expect(outcomes.map(({ outcome }) => outcome).toSorted()).toEqual(['proven', 'refused', 'refused', 'refused']);
      });

      it('is invalid once new ones are issued', async () => {
        await factor.enrol();
        const renewed = await factor.people.factors.renewRecoveryCodes(aBrowser(factor.provenCookie), STORE_NOON);
        const codes = 'recoveryCodes' in renewed ? renewed.recoveryCodes : [];
        expect(codes.filter((code) => factor.recoveryCodes.includes(code))).toEqual([]);
        const half = await factor.people.cookie();
        expect([(await factor.recover(half)).outcome, (await factor.recover(half, codes[9])).outcome]).toEqual(['refused', 'proven']);
      });
    });

    describe('the removal of an app', () => {
      it('deletes the recovery codes, and reduces a session that proved the app to one factor', async () => {
        const { factors } = await factor.enrol({ secondFactor: 'everybody' });
        expect(await factors.removeTotp(aBrowser(factor.provenCookie), STORE_NOON)).toEqual({ outcome: 'removed' });
        expect(await factors.removeTotp(aBrowser(factor.provenCookie), STORE_NOON)).toEqual({ outcome: 'not-enrolled' });
        expect(await factors.renewRecoveryCodes(aBrowser(factor.provenCookie), STORE_NOON)).toEqual({ outcome: 'not-enrolled' });
        expect(await factor.reach(factor.provenCookie, STORE_NOON)).toBe('enrol-factor');
        expect(await factors.overview(factor.alice.id)).toEqual({ totpSince: null, recoveryCodesLeft: 0 });
        factor.secret = await factor.begin(factor.provenCookie);
        expect((await factor.confirm(factor.provenCookie, factor.codeAt(STORE_NOON))).outcome).toBe('enrolled');
        expect(await factor.recover(await factor.people.cookie())).toEqual({ outcome: 'refused' });
      });

      it.each(['by a reset', 'with its person'])('%s deletes the app, its codes and the lock', async (how) => {
        const { directory, store } = await factor.enrol();
        await factor.tryWrongCodes(factor.provenCookie, 10, STORE_NOON);
        const token = await factor.people.token(factor.alice.id, 'reset-password');
        await (how === 'by a reset'
          ? directory.redeem({ purpose: 'reset-password', token, password: aPassword(NEXT_PASSWORD) }, STORE_NOON)
          : factor.people.deleteAccountOf(factor.alice.id));
        expect(await store.factors.find(factor.alice.id)).toEqual({ totp: null, recoveryCodesLeft: 0, attempts: { known: NO_ATTEMPTS, unknown: NO_ATTEMPTS } });
        expect((await factor.people.directory.find(factor.alice.id))?.factors ?? []).toEqual([]);
      });
    });

    it('an operator’s factors and count of wrong proofs survive a reset by mail, and are removed only on the server', async () => {
      const { directory, store } = await factor.enrol();
      const { id } = factor.alice;
      const by = { actor: SYSTEM_ACTOR, at: STORE_NOON };
      await directory.setRole(id, 'operator', by);
      await factor.tryWrongCodes(factor.provenCookie, 3, STORE_NOON);
      const token = await factor.people.token(id, 'reset-password');
      await directory.redeem({ purpose: 'reset-password', token, password: aPassword(NEXT_PASSWORD) }, STORE_NOON);
      expect(await store.factors.find(id)).toMatchObject({ totp: { confirmedAt: STORE_NOON }, recoveryCodesLeft: 10, attempts: { unknown: { wrongInARow: 3 } } });
      expect(await factor.people.who(factor.provenCookie)).toBeNull();
      const notices = new FactorNotices({ ids: factor.people.subject.ids, site: () => ({ baseUrl: 'https://api.example.test', product: 'Tollgate' }), onStored: () => undefined });
      const notice = notices.of(factor.alice, 'factors-removed', STORE_NOON);
      expect(await store.people.removeFactors(id, notice, by)).toBe(true);
      expect(await store.people.removeFactors(id, notice, by)).toBe(false);
      expect(await store.factors.find(id)).toEqual({ totp: null, recoveryCodesLeft: 0, attempts: { known: NO_ATTEMPTS, unknown: NO_ATTEMPTS } });
    });

    it('the secret of an app is encrypted under the new key when a code is verified during a rotation', async () => {
      await factor.enrol();
      const { during, after: rotated } = factor.people.subject.rotated;
      const proven = await factor.prove(await factor.people.cookie(), factor.codeAt(after(STEP)), after(STEP), { on: factor.people.with({ codes: during }) });
      expect(proven.outcome).toBe('proven');
      const on = factor.people.with({ codes: rotated });
      expect((await factor.prove(await factor.people.cookie(), factor.codeAt(after(2 * STEP)), after(2 * STEP), { on })).outcome).toBe('proven');
      expect((await factor.recover(await factor.people.cookie(), factor.recoveryCodes[0], on)).outcome).toBe('proven');
      expect((await factor.prove(await factor.people.cookie(), factor.codeAt(after(3 * STEP)), after(3 * STEP))).outcome).toBe('unavailable');
    });

    wrongProofsContract(factor);
    failuresContract(factor);
    machineLinksContract(factor);
  });
}
