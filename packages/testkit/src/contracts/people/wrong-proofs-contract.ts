import { describe, expect, it } from '../test-runner.js';
import { type CodeHash, type Instant, later, type SessionId } from '@tollgate/core';
import { ownAct, type ProofSpend } from '@tollgate/identity';
import { wrongTotpCode } from '../../devices/totp-codes.js';
import { STORE_NOON } from '../store-subject.js';
import { aBrowser, ALICE_EMAIL, ALICE_PASSWORD, cookieOf, type FactorDriver, NEXT_PASSWORD } from './people-subject.js';

const STEP = 30_000;
const MINUTE = 60_000;

function after(milliseconds: number): Instant {
  return later(STORE_NOON, milliseconds);
}

export function wrongProofsContract(factor: FactorDriver): void {
  describe('wrong codes', () => {
    it('end a session that has not yet proved its factor, at the fifth wrong code', async () => {
      await factor.enrol();
      const half = await factor.people.cookie();
      expect(await factor.tryWrongCodes(half, 4, STORE_NOON)).toEqual(['refused', 'refused', 'refused', 'refused']);
      expect(await factor.recover(half, 'no code')).toEqual({ outcome: 'ended', setCookie: factor.people.sessions.forgetCookie() });
      expect((await factor.recover(half)).outcome).toBe('not-signed-in');
      expect(await factor.people.who(factor.provenCookie)).toBe(ALICE_EMAIL);
    });

    it('lock all proofs for 15 minutes after ten in a row, in all sessions and on all gateways', async () => {
      await factor.enrol();
      const other = factor.people.other();
      await factor.tryWrongCodes(await factor.people.cookie(), 5, STORE_NOON);
      const half = await factor.people.cookie();
      await factor.tryWrongCodes(half, 4, STORE_NOON);
      const until = after(15 * MINUTE);
      expect(await other.sessions.prove(aBrowser(factor.provenCookie), { kind: 'password', password: NEXT_PASSWORD }, STORE_NOON)).toEqual({ outcome: 'locked', until });
      const just = after(15 * MINUTE - 1);
      expect(await factor.prove(half, factor.codeAt(just), just, { on: other })).toEqual({ outcome: 'locked', until });
      expect(await factor.recover(half)).toEqual({ outcome: 'locked', until });
      expect(await factor.people.sessions.prove(aBrowser(factor.provenCookie), { kind: 'password', password: ALICE_PASSWORD }, STORE_NOON)).toEqual({ outcome: 'locked', until });
      expect(await factor.reach(half, until)).toBe('prove-factor');
      expect(await factor.prove(half, factor.codeAt(until), until)).toMatchObject({ outcome: 'proven' });
    });

    it('continue to count after a right password in a session that has not yet proved its factor', async () => {
      await factor.enrol();
      for (let session = 0; session < 2; session += 1) {
        let half = await factor.people.cookie();
        await factor.tryWrongCodes(half, 4, STORE_NOON);
        half = cookieOf(await factor.people.sessions.prove(aBrowser(half), { kind: 'password', password: ALICE_PASSWORD }, STORE_NOON));
        expect(await factor.tryWrongCodes(half, 1, STORE_NOON)).toEqual(['ended']);
      }
      expect(await factor.tryWrongCodes(factor.provenCookie, 1, STORE_NOON)).toEqual(['locked']);
    });

    it('are all counted in a fully proved session, under concurrency on two gateways', async () => {
      await factor.enrol();
      const other = factor.people.other();
      const outcomes = await Promise.all(Array.from({ length: 24 }, (_, number) => (
        factor.prove(factor.provenCookie, wrongTotpCode(factor.secret, STORE_NOON, number), STORE_NOON, { on: number % 2 === 0 ? factor.people : other }))));
      expect(outcomes.filter(({ outcome }) => outcome === 'refused')).toHaveLength(9);
      expect(outcomes.filter(({ outcome }) => outcome === 'locked')).toHaveLength(15);
      expect(await factor.people.who(factor.provenCookie)).toBe(ALICE_EMAIL);
    });

    it('are counted from zero after a right code, and after a lock', async () => {
      await factor.enrol();
      await factor.tryWrongCodes(factor.provenCookie, 9, STORE_NOON);
      factor.provenCookie = cookieOf(await factor.prove(factor.provenCookie, factor.codeAt(after(STEP)), after(STEP)));
      expect(new Set(await factor.tryWrongCodes(factor.provenCookie, 9, after(STEP)))).toEqual(new Set(['refused']));
      expect(await factor.tryWrongCodes(factor.provenCookie, 1, after(STEP))).toEqual(['locked']);
      const unlocked = after(STEP + 15 * MINUTE);
      expect(new Set(await factor.tryWrongCodes(factor.provenCookie, 9, unlocked))).toEqual(new Set(['refused']));
      expect((await factor.prove(factor.provenCookie, factor.codeAt(unlocked), unlocked)).outcome).toBe('proven');
    });

    it('cause a lock that the store itself enforces; the store also refuses to enrol a replaced secret', async () => {
      const { store, notices, subject: { tokens } } = await factor.start();
      const cookie = await factor.people.cookie();
      await factor.begin(cookie);
      const { totp } = await store.factors.find(factor.alice.id);
      await factor.begin(cookie);
      const [session] = await factor.people.sessions.list(factor.alice, STORE_NOON);
      const submit = (spend: ProofSpend | null) => store.factors.prove({
        personId: factor.alice.id, sessionId: session?.id ?? 'none' as SessionId, tokenHash: tokens.hash(cookie.slice(cookie.indexOf('=') + 1)), nextTokenHash: tokens.issue().hash,
        spend, wrongEndsSession: false, notice: null, browser: 'unknown', isConfirmed: false, warnings: notices.warningsFor(factor.alice, STORE_NOON),
      }, ownAct(factor.alice.id, STORE_NOON));
      expect(await submit({ kind: 'enrolment', sealed: totp?.sealed ?? '', step: 1, codeHashes: ['0' as CodeHash] })).toEqual({ outcome: 'refused' });
      // The refused enrolment does not count as a wrong proof.
      expect((await store.factors.find(factor.alice.id)).attempts.unknown.wrongInARow).toBe(0);
      for (let attempt = 0; attempt < 10; attempt += 1) await submit(null);
      const provenHash = (await store.people.find(factor.alice.id))?.passwordHash ?? '';
      expect(await submit({ kind: 'password', provenHash })).toEqual({ outcome: 'locked', until: after(15 * MINUTE) });
    });

    it('are also counted during an enrolment', async () => {
      const { sessions } = await factor.start();
      const cookie = await factor.people.cookie();
      factor.secret = await factor.begin(cookie);
      for (let attempt = 0; attempt < 9; attempt += 1) await factor.confirm(cookie, wrongTotpCode(factor.secret, STORE_NOON, attempt));
      expect((await factor.confirm(cookie, wrongTotpCode(factor.secret, STORE_NOON))).outcome).toBe('locked');
      expect((await factor.confirm(cookie, factor.codeAt(STORE_NOON))).outcome).toBe('locked');
      expect((await sessions.current(aBrowser(cookie), STORE_NOON))?.person.factors).toEqual([]);
    });
  });

  describe('a proof by the password', () => {
    it('renews the time of the session’s proof, and does not raise its assurance', async () => {
      const { sessions, factors } = await factor.start({ secondFactor: 'everybody' });
      const at = after(60 * MINUTE);
      const cookie = await factor.people.cookie();
      expect((await factors.beginTotp(aBrowser(cookie), at)).outcome).toBe('fresh-proof-required');
      for (const password of [NEXT_PASSWORD, 'short']) expect((await sessions.prove(aBrowser(cookie), { kind: 'password', password }, at)).outcome).toBe('refused');
      const proven = await sessions.prove(aBrowser(cookie), { kind: 'password', password: ALICE_PASSWORD }, at);
      expect(proven).toMatchObject({ signedIn: { reach: 'enrol-factor', session: { assurance: 'one-factor', provenAt: at, createdAt: STORE_NOON } } });
      expect((await factors.beginTotp(aBrowser(cookieOf(proven)), at)).outcome).toBe('begun');
    });
  });
}
