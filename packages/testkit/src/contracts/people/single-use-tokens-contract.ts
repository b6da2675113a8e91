import { describe, expect, it } from '../test-runner.js';
import { type AccountId, type Instant, later, type PersonId, type SessionId, type StandingFacts, SYSTEM_ACTOR } from '@tollgate/core';
import { UNVERIFIED_KEPT_MILLISECONDS } from '@tollgate/identity';
import { anAccount } from '../../builders/builders.js';
import {
  ALICE_EMAIL, ALICE_PASSWORD, aPassword, NEXT_PASSWORD, type PeopleDifferences, type PeopleDriver, type StartPeople, theOnly,
} from './people-subject.js';
import { changeStanding, STORE_ALICE, STORE_NOON } from '../store-subject.js';

const BY = { actor: SYSTEM_ACTOR, at: STORE_NOON };
const SECOND = 1_000;
const SEVERAL = 6;
const NOBODY = 'person_nobody' as PersonId;

/** Tests the tokens in mailed links with which people verify an address, or set a new password or address. */
export function singleUseTokensContract(startPeople: StartPeople): void {
  let driver: PeopleDriver;
  const start = async (differences: PeopleDifferences = {}): Promise<PeopleDriver> => {
    driver = await startPeople(differences);
    return driver;
  };

  describe('single-use tokens', () => {
    const redeem = ({ directory }: PeopleDriver, token: string) =>
      directory.redeem({ purpose: 'reset-password', token, password: aPassword(NEXT_PASSWORD) }, STORE_NOON);

    it('take effect once although they are redeemed repeatedly', async () => {
      await start();
      const token = await driver.token(await driver.signUp(), 'reset-password');
      expect(await driver.directory.isTokenLive(token, 'reset-password', STORE_NOON)).toBe(true);
      expect(await driver.directory.isTokenLive(token, 'verify-email', STORE_NOON)).toBe(false);
      expect(await redeem(driver, token)).not.toBeNull();
      expect(await driver.directory.isTokenLive(token, 'reset-password', STORE_NOON)).toBe(false);
      expect(await redeem(driver, token)).toBeNull();
    });

    it('take effect once although several gateways redeem them concurrently', async () => {
      await start();
      const other = driver.other();
      const token = await driver.token(await driver.signUp(), 'reset-password');
      const answers = await Promise.all(Array.from({ length: SEVERAL }, (_, number) => redeem(number % 2 === 0 ? driver : other, token)));
      expect(theOnly(answers)).toHaveLength(1);
    });

    it.each(['verify-email', 'reset-password', 'invitation', 'sign-in'] as const)('for %s are valid for no other purpose', async (purpose) => {
      const { directory, sessions } = await start();
      const id = await driver.signUp();
      const token = await driver.token(id, purpose);
      const password = aPassword(ALICE_PASSWORD);
      const answers = [
        purpose === 'verify-email' ? null : await directory.redeem({ purpose: 'verify-email', token, password }, STORE_NOON),
        purpose === 'reset-password' ? null : await directory.redeem({ purpose: 'reset-password', token, password }, STORE_NOON),
        purpose === 'invitation' ? null : await directory.redeem({ purpose: 'invitation', token, password }, STORE_NOON),
        await directory.redeem({ purpose: 'change-email', token }, STORE_NOON),
      ];
      expect(answers).toEqual([null, null, null, null]);
      const link = await sessions.signIn({ cookie: null, userAgent: null, address: '::1' }, { kind: 'link', token }, STORE_NOON);
      expect(link.outcome).toBe('refused');
    });

    it('are valid until their expiry', async () => {
      const { directory } = await start();
      const token = await driver.token(await driver.signUp(), 'verify-email', later(STORE_NOON, SECOND));
      const redemption = { purpose: 'verify-email', token, password: ALICE_PASSWORD } as const;
      expect(await directory.redeem(redemption, later(STORE_NOON, SECOND))).toBeNull();
      expect(await directory.redeem(redemption, later(STORE_NOON, SECOND - 1))).not.toBeNull();
    });

    it('replace the earlier token of the same purpose and no other', async () => {
      const { directory } = await start();
      const id = await driver.signUp();
      const older = await driver.token(id, 'reset-password');
      const verification = await driver.token(id, 'verify-email');
      const newer = await driver.token(id, 'reset-password');
      expect(await redeem(driver, older)).toBeNull();
      expect(await directory.redeem({ purpose: 'verify-email', token: verification, password: ALICE_PASSWORD }, STORE_NOON)).not.toBeNull();
      expect(await redeem(driver, newer)).not.toBeNull();
    });

    it('are not issued to an unknown person', async () => {
      const { directory } = await start();
      expect(await directory.issueToken({ personId: NOBODY, purpose: 'reset-password', expiresAt: later(STORE_NOON, SECOND), at: STORE_NOON })).toBeNull();
    });
  });

  it('issues an unverified person links that expire at the person’s deadline, and none after the deadline', async () => {
    const { directory } = await start();
    await directory.invite({ email: ALICE_EMAIL, name: 'Alice', by: SYSTEM_ACTOR, at: STORE_NOON });
    const personId = (await directory.findByEmail(ALICE_EMAIL))?.id ?? NOBODY;
    const due = later(STORE_NOON, UNVERIFIED_KEPT_MILLISECONDS);
    const issue = (at: Instant) => directory.issueToken({ personId, purpose: 'invitation', expiresAt: later(at, UNVERIFIED_KEPT_MILLISECONDS), at });
    expect((await issue(STORE_NOON))?.expiresAt).toBe(due);
    expect((await issue(later(due, -1)))?.expiresAt).toBe(due);
    expect(await issue(due)).toBeNull();
  });

  describe('passwords', () => {
    it('that are reset by mail end all earlier sessions and links', async () => {
      const { directory } = await start();
      const { id } = await driver.start();
      const cookies = [await driver.cookie(), await driver.cookie()];
      const link = await driver.token(id, 'sign-in');
      const token = await driver.token(id, 'reset-password');
      await directory.redeem({ purpose: 'reset-password', token, password: aPassword(NEXT_PASSWORD) }, STORE_NOON);
      expect(await Promise.all(cookies.map((cookie) => driver.who(cookie)))).toEqual([null, null]);
      expect((await driver.sessions.signIn({ cookie: null, userAgent: null, address: '::1' }, { kind: 'link', token: link }, STORE_NOON)).outcome).toBe('refused');
      expect([(await driver.signIn()).outcome, (await driver.signIn(NEXT_PASSWORD)).outcome]).toEqual(['refused', 'signed-in']);
    });

    it('are changed only with the current password, and a change ends every other session', async () => {
      const { directory, sessions } = await start();
      const { id } = await driver.start();
      const [other, kept] = [await driver.cookie(), await driver.cookie()];
      const reset = await driver.token(id, 'reset-password');
      const keep = (await sessions.current({ cookie: kept, userAgent: null, address: '::1' }, STORE_NOON))?.session.id ?? 'none' as SessionId;
      const next = aPassword(NEXT_PASSWORD);
      expect(await directory.changePassword({ id, current: NEXT_PASSWORD, next, keep, at: STORE_NOON })).toBe('wrong-password');
      expect([await driver.who(other), await driver.who(kept)]).toEqual([ALICE_EMAIL, ALICE_EMAIL]);
      expect(await directory.changePassword({ id, current: ALICE_PASSWORD, next, keep, at: STORE_NOON })).toBe('changed');
      expect([await driver.who(other), await driver.who(kept)]).toEqual([null, ALICE_EMAIL]);
      expect(await directory.redeem({ purpose: 'reset-password', token: reset, password: next }, STORE_NOON)).toBeNull();
      expect([await directory.provesPassword(id, ALICE_PASSWORD), await directory.provesPassword(id, NEXT_PASSWORD)]).toEqual([false, true]);
    });

    it('are changed once by two concurrent changes', async () => {
      const { directory } = await start();
      const { id } = await driver.start();
      const outcomes = await Promise.all(['one of two passwords', 'two of two passwords'].map((next) => (
        directory.changePassword({ id, current: ALICE_PASSWORD, next: aPassword(next), keep: 'session_none' as SessionId, at: STORE_NOON }))));
      expect(outcomes.toSorted()).toEqual(['changed', 'wrong-password']);
    });

    it('of invited people are set with the invitation, which verifies the address; the people cannot sign in before', async () => {
      const { directory } = await start({ signUp: 'invitation' });
      await directory.invite({ email: ALICE_EMAIL, name: 'Alice', by: SYSTEM_ACTOR, at: STORE_NOON });
      const id = (await directory.findByEmail(ALICE_EMAIL))?.id ?? NOBODY;
      expect((await driver.signIn()).outcome).toBe('refused');
      expect([await directory.hasPassword(id), await directory.hasPassword(NOBODY)]).toEqual([false, false]);
      const token = await driver.token(id, 'invitation');
      expect(await directory.redeem({ purpose: 'invitation', token, password: aPassword(ALICE_PASSWORD) }, STORE_NOON)).toMatchObject({ emailVerified: true });
      expect(await directory.hasPassword(id)).toBe(true);
      expect((await driver.signIn()).outcome).toBe('signed-in');
    });

    it('of invited people cannot be set by any link after sign-up was closed', async () => {
      const { directory } = await start({ signUp: 'invitation' });
      await directory.invite({ email: ALICE_EMAIL, name: 'Alice', by: SYSTEM_ACTOR, at: STORE_NOON });
      const id = (await directory.findByEmail(ALICE_EMAIL))?.id ?? NOBODY;
      const closed = driver.with({ signUp: 'closed' }).directory;
      for (const purpose of ['invitation', 'reset-password'] as const) {
        const token = await driver.token(id, purpose);
        await expect(closed.redeem({ purpose, token, password: aPassword(ALICE_PASSWORD) }, STORE_NOON)).rejects.toMatchObject({ code: 'sign_up_closed' });
      }
      expect(await directory.find(id)).toMatchObject({ emailVerified: false });
    });
  });

  it('a reset replaces the password of a sign-up that was never verified', async () => {
    const { directory } = await start();
    await directory.invite({ email: ALICE_EMAIL, name: 'Alice', by: SYSTEM_ACTOR, at: STORE_NOON });
    const id = await driver.signUp();
    const token = await driver.token(id, 'reset-password');
    await directory.redeem({ purpose: 'reset-password', token, password: aPassword(NEXT_PASSWORD) }, STORE_NOON);
    expect([(await driver.signIn()).outcome, (await driver.signIn(NEXT_PASSWORD)).outcome]).toEqual(['refused', 'signed-in']);
  });

  describe('a change of address', () => {
    it('changes the address of person and account together, once', async () => {
      const { directory, store } = await start();
      const { id, accountId } = await driver.start();
      const token = await driver.changeOfEmail(id, 'New@Example.test') ?? '';
      const answers = await Promise.all([1, 2].map(() => directory.redeem({ purpose: 'change-email', token }, STORE_NOON)));
      expect(theOnly(answers)).toEqual([expect.objectContaining({ email: 'new@example.test', emailVerified: true })]);
      expect(await store.accounts.findByEmail('new@example.test')).toMatchObject({ id: accountId });
      expect([await store.accounts.findByEmail(ALICE_EMAIL), await directory.findByEmail(ALICE_EMAIL)]).toEqual([null, null]);
    });

    it.each(['a person', 'an account'])('is refused when %s has taken the address', async (whose) => {
      const { directory, store } = await start();
      const { id } = await driver.start();
      const token = await driver.changeOfEmail(id, 'bob@example.test') ?? '';
      if (whose === 'a person') await driver.signUp('Bob@example.test');
      else await store.accounts.create(anAccount({ id: 'acct_bob' as AccountId, email: 'Bob@example.test' }), SYSTEM_ACTOR);
      expect(await directory.redeem({ purpose: 'change-email', token }, STORE_NOON)).toBeNull();
      expect(await directory.find(id)).toMatchObject({ email: ALICE_EMAIL });
    });

    it.each<Partial<StandingFacts>>([{ status: 'suspended' }, { blocked: true }])('is refused when the account has become %j', async (standing) => {
      const { directory, store } = await start();
      const { id, accountId } = await driver.start();
      const token = await driver.changeOfEmail(id, 'new@example.test') ?? '';
      await changeStanding(store.accounts, accountId ?? STORE_ALICE, standing, BY);
      expect(await directory.redeem({ purpose: 'change-email', token }, STORE_NOON)).toBeNull();
      expect(await directory.find(id)).toMatchObject({ email: ALICE_EMAIL });
    });

    it('invalidates links sent to the old address', async () => {
      const { directory } = await start();
      const { id } = await driver.start();
      const reset = await driver.token(id, 'reset-password');
      const token = await driver.changeOfEmail(id, 'new@example.test') ?? '';
      await directory.redeem({ purpose: 'change-email', token }, STORE_NOON);
      expect(await directory.redeem({ purpose: 'reset-password', token: reset, password: aPassword(NEXT_PASSWORD) }, STORE_NOON)).toBeNull();
    });

    it('is confirmed once by a link to the current address, which does not change the address yet', async () => {
      const { directory } = await start();
      const { id } = await driver.start();
      const { token } = await directory.issueToken({ personId: id, purpose: 'confirm-change', newEmail: 'New@Example.test', expiresAt: later(STORE_NOON, SECOND), at: STORE_NOON }) ?? { token: '' };
      expect(await directory.redeem({ purpose: 'change-email', token }, STORE_NOON)).toBeNull();
      expect(await directory.confirmChange(token, later(STORE_NOON, SECOND))).toBeNull();
      const answers = await Promise.all([driver, driver.other()].map((each) => each.directory.confirmChange(token, STORE_NOON)));
      expect(theOnly(answers)).toEqual([{ person: expect.objectContaining({ id, email: ALICE_EMAIL }), newEmail: 'new@example.test' }]);
      expect(await directory.find(id)).toMatchObject({ email: ALICE_EMAIL });
    });

    it('requires a well-formed address', async () => {
      await start();
      const { id } = await driver.start();
      expect(await driver.changeOfEmail(id, 'nowhere')).toBeNull();
    });
  });
}
