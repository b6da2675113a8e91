import { type AccountId, type Actor, type Instant, later, type MachineId, PAY_AS_YOU_GO, type StandingFacts, SYSTEM_ACTOR } from '@tollgate/core';
import { isFreshlyProven, machineActor, Machines, Operators, type Person, SignInLinks, type SignInOutcome } from '@tollgate/identity';
import { changeStanding, STORE_NOON } from '../store-subject.js';
import { describe, expect, it } from '../test-runner.js';
import { aBrowser, ALICE_EMAIL, ALICE_PASSWORD, cookieOf, type FactorDriver, type PeopleDriver } from './people-subject.js';

const SECOND = 1_000;
const BY = { actor: SYSTEM_ACTOR, at: STORE_NOON };
const INVITED = { email: 'issued@example.test', name: 'Issued', planId: PAY_AS_YOU_GO, by: BY };

interface Shop {
  readonly id: MachineId;
  readonly actor: Actor;
  readonly machines: Machines;
}

/** Tests sign-in links that machines issue for owners. */
export function machineLinksContract(factor: FactorDriver): void {
  async function aShop({ subject, store }: PeopleDriver): Promise<Shop> {
    const machines = new Machines({ records: store.machines, tokens: subject.tokens, ids: subject.ids, allowsKeys: false });
    const created = await machines.create({ name: 'Shop', scopes: ['sign-in:write'], networks: [], expiresAt: null }, BY);
    if (created.outcome !== 'created') throw new Error(created.outcome);
    const { machine } = created.issued;
    return { id: machine.id, actor: machineActor(machine, '192.0.2.7'), machines };
  }

  function issue({ subject, store }: PeopleDriver, shop: Shop, accountId: AccountId | null, status: StandingFacts['status'] = 'active') {
    if (accountId === null) throw new Error('the person has no account');
    return new SignInLinks({ records: store.people, tokens: subject.tokens }).issue({ id: accountId, status }, shop.id, { actor: shop.actor, at: STORE_NOON });
  }

  async function link(driver: PeopleDriver, shop: Shop, { accountId }: Pick<Person, 'accountId'>): Promise<string> {
    const issued = await issue(driver, shop, accountId);
    if (issued.outcome !== 'issued') throw new Error(issued.outcome);
    return issued.token;
  }

  function open(driver: PeopleDriver, token: string, at: Instant = STORE_NOON): Promise<SignInOutcome> {
    return driver.sessions.signIn(aBrowser(), { kind: 'link', token }, at);
  }

  /** A person without a password. Issuers and operators create such people. */
  async function withoutPassword({ subject, store }: PeopleDriver): Promise<Person> {
    const operators = new Operators({ records: store.people, tokens: subject.tokens, ids: subject.ids });
    await operators.appoint({ ...INVITED, email: 'boss@example.test' });
    const { id } = await operators.appoint(INVITED);
    await operators.dismiss(id, BY);
    const person = (await store.people.find(id))?.person;
    if (person === undefined) throw new Error(id);
    return person;
  }

  describe('a sign-in link that a machine requests', () => {
    it('signs the owner in once, within a minute, and the session names the machine', async () => {
      const driver = await factor.start();
      const shop = await aShop(driver);
      const [replaced, token] = [await link(driver, shop, factor.alice), await link(driver, shop, factor.alice)];
      expect(await open(driver, replaced)).toEqual({ outcome: 'refused' });
      const answers = await Promise.all([open(driver, token, later(STORE_NOON, 60 * SECOND - 1)), open(driver.other(), token, STORE_NOON), open(driver, token, STORE_NOON)]);
      expect(answers.map(({ outcome }) => outcome).toSorted()).toEqual(['refused', 'refused', 'signed-in']);
      const signedIn = answers.find(({ outcome }) => outcome === 'signed-in');
      expect(signedIn).toMatchObject({ signedIn: { person: { email: ALICE_EMAIL }, reach: 'full', session: { signedInBy: 'machine', machineId: shop.id, assurance: 'one-factor' } } });
      expect(await driver.sessions.list(factor.alice, STORE_NOON)).toMatchObject([{ signedInBy: 'machine', machineId: shop.id }]);
      const late = await link(driver, shop, factor.alice);
      expect(await open(driver, late, later(STORE_NOON, 60 * SECOND))).toEqual({ outcome: 'refused' });
    });

    it('is audited as an act of the machine, and does not replace a link that an operator issued', async () => {
      const driver = await factor.start();
      const shop = await aShop(driver);
      const other = await driver.token(factor.alice.id, 'sign-in');
      const token = await link(driver, shop, factor.alice);
      const page = await driver.store.auditTrail.list({ accountId: factor.alice.accountId, actorKind: 'machine', actorId: null, action: null, from: null, to: null, limit: 10, cursor: null });
      expect(page?.records).toMatchObject([{ action: 'person.link-issued', actor: { id: `machine:${shop.id}` }, subject: factor.alice.id, details: { purpose: 'machine-sign-in' } }]);
      expect([(await open(driver, other)).outcome, (await open(driver, token)).outcome]).toEqual(['signed-in', 'signed-in']);
    });

    it('counts as a fresh proof only for a person without a password', async () => {
      const driver = await factor.start();
      const shop = await aShop(driver);
      const fresh = async (person: Person) => {
        const opened = await open(driver, await link(driver, shop, person));
        if (opened.outcome !== 'signed-in') throw new Error(opened.outcome);
        return { cookie: cookieOf(opened), fresh: isFreshlyProven(opened.signedIn.session, STORE_NOON) };
      };
      const { cookie, fresh: withPassword } = await fresh(factor.alice);
      expect([withPassword, (await fresh(await withoutPassword(driver))).fresh]).toEqual([false, true]);
      expect(await driver.sessions.prove(aBrowser(cookie), { kind: 'password', password: ALICE_PASSWORD }, STORE_NOON)).toMatchObject({
        outcome: 'proven', signedIn: { session: { machineId: shop.id, provenAt: STORE_NOON } },
      });
    });

    it('requires a proof of the enrolled second factor, or an enrolment if the policy demands a factor', async () => {
      const driver = await factor.enrol();
      const shop = await aShop(driver);
      expect(await open(driver, await link(driver, shop, factor.alice))).toMatchObject({ signedIn: { reach: 'prove-factor' } });
      const strict = driver.with({ secondFactor: 'everybody' });
      const carol = await strict.start('carol@example.test');
      expect(await open(strict, await link(strict, shop, carol))).toMatchObject({ signedIn: { reach: 'enrol-factor' } });
    });

    it('is refused after the machine was revoked', async () => {
      const driver = await factor.start();
      const shop = await aShop(driver);
      const token = await link(driver, shop, factor.alice);
      expect(await shop.machines.revoke(shop.id, BY)).toBe(true);
      expect(await open(driver, token)).toEqual({ outcome: 'refused' });
    });

    it('is not issued for an operator; an earlier link and its session end when the person becomes an operator', async () => {
      const driver = await factor.start();
      const shop = await aShop(driver);
      const cookie = cookieOf(await open(driver, await link(driver, shop, factor.alice)));
      const token = await link(driver, shop, factor.alice);
      expect(await driver.who(cookie)).toBe(ALICE_EMAIL);
      await driver.directory.setRole(factor.alice.id, 'operator', BY);
      expect([await issue(driver, shop, factor.alice.accountId), await open(driver, token), await driver.who(cookie)]).toEqual([{ outcome: 'operator' }, { outcome: 'refused' }, null]);
    });

    it('is not issued for an account that has no person, or whose person may not sign in', async () => {
      const driver = await factor.start();
      const shop = await aShop(driver);
      const { accounts } = driver.store;
      const alice = factor.alice.accountId ?? '' as AccountId;
      const outcomes: string[] = [(await issue(driver, shop, 'acct_none' as AccountId)).outcome];
      const bob = await driver.accountOf(await driver.signUp('bob@example.test'));
      outcomes.push((await issue(driver, shop, bob)).outcome);
      for (const facts of [{ status: 'suspended' }, { status: 'active', blocked: true }] as const) {
        await changeStanding(accounts, alice, facts, BY);
        outcomes.push((await issue(driver, shop, alice)).outcome);
      }
      outcomes.push((await issue(driver, shop, alice, 'deleted')).outcome);
      expect(outcomes).toEqual(['no-person', 'unverified', 'issued', 'blocked', 'deleted']);
    });
  });
}
