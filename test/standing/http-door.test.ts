import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { contract, type RouteDefinition } from '@tollgate/api-contract';
import {
  type AccountId, later, MILLISECONDS_PER_DAY, PAY_AS_YOU_GO, STANDING_TRIGGERS, type StandingDecision, type StandingFacts, type StandingTrigger,
  SYSTEM_ACTOR,
} from '@tollgate/core';
import { maySignIn, type Person, readPassword } from '@tollgate/identity';
import { changeStanding } from '@tollgate/testkit';
import { startTestGateway, type TestGateway } from '../../apps/gateway/src/test-support/start-test-gateway.js';
import { addPerson, type PageReply, TestBrowser, textOf } from '../../apps/gateway/src/test-support/test-browser.js';
import { expectedOf, factsOf, mayPull, outcomeOf, type StandingCell, standingCells } from './standing-cells.js';

const ROUTES: Readonly<Record<StandingTrigger, RouteDefinition>> = {
  verify: contract.verifyAccount,
  suspend: contract.suspendAccount,
  reactivate: contract.reactivateAccount,
  block: contract.blockAccount,
  unblock: contract.unblockAccount,
  'request-deletion': contract.deleteAccount,
  'cancel-deletion': contract.cancelDeletionOfAccount,
  'carry-out-deletion': contract.deleteAccount,
};
const SUCCEEDED = 200;

let running: TestGateway;
let operator: TestBrowser;
let accounts = 0;

async function put(id: AccountId, facts: StandingFacts): Promise<void> {
  await changeStanding(running.parts.store.accounts, id, facts, { actor: SYSTEM_ACTOR, at: running.clock.now() });
}

async function accountIn(facts: StandingFacts): Promise<AccountId> {
  accounts += 1;
  const made = await running.gateway.accountAdministration.create({ email: `${accounts}@example.test`, name: 'A', planId: PAY_AS_YOU_GO, emailVerified: true, actor: SYSTEM_ACTOR });
  if (made.outcome !== 'created') throw new Error(made.outcome);
  await put(made.account.id, facts);
  return made.account.id;
}

function pull(browser: TestBrowser, trigger: StandingTrigger, id: AccountId): Promise<PageReply> {
  const { method, path } = ROUTES[trigger];
  const deletion = path.endsWith('/deletion') && method === 'post' ? { body: JSON.stringify({ now: trigger === 'carry-out-deletion' }) } : {};
  const body = trigger === 'suspend' ? { body: JSON.stringify({ reason: 'abuse' }) } : deletion;
  return browser.send({ method: method.toUpperCase(), path: `/dashboard/api${path.replace('{id}', id)}`, ...body });
}

interface Newcomer { readonly accountId: AccountId; readonly token: string; readonly password: string }

/** Adds a person who has signed up but not verified the address. */
async function addNewcomer(email: string): Promise<Newcomer> {
  const { people } = running.gateway;
  const [at, password] = [running.clock.now(), 'correct horse'];
  const read = readPassword(password);
  if (read.outcome !== 'read') throw new Error(read.outcome);
  const registered = await people.register({ email, name: 'New', password: read.password, at });
  if (registered.outcome !== 'created') throw new Error(registered.outcome);
  const issued = await people.issueToken({ personId: registered.id, purpose: 'verify-email', expiresAt: later(at, MILLISECONDS_PER_DAY), at });
  const accountId = (await people.find(registered.id))?.accountId ?? null;
  if (issued === null || accountId === null) throw new Error('the sign-up created no account');
  return { accountId, token: issued.token, password };
}

function outcomeIn(reply: PageReply): string {
  const { status, body } = reply;
  return status === SUCCEEDED ? textOf(reply, 'outcome') : `${body.error?.code ?? ''}: ${body.error?.message ?? ''}`;
}

/** Expected error code. Without a session, every refusal has the same code. */
function codeFor(decision: StandingDecision, isSignedIn: boolean): string {
  if (decision.outcome !== 'refused') return 'done';
  return isSignedIn ? decision.code : 'not_signed_in';
}

async function factsAfter(id: AccountId): Promise<StandingFacts> {
  const account = await running.parts.store.accounts.findById(id);
  if (account === null) throw new Error('the account is gone');
  return factsOf(account);
}

beforeAll(async () => {
  running = await startTestGateway();
  const { person, password } = await addPerson(running.gateway, 'olga@example.com', 'operator');
  operator = new TestBrowser(running.gateway);
  await operator.call(contract.signIn, { body: { email: person.email, password } });
});
afterAll(() => running.close());

describe('the dashboard follows the table of standings', () => {
  it('for each act of operators', async () => {
    const cells = standingCells(running.clock.now());
    expect(cells).toHaveLength(20 * STANDING_TRIGGERS.length);
    for (const cell of cells) {
      const id = await accountIn(cell.facts);
      const { decision, facts } = expectedOf(cell, 'operator', running.clock.now());
      const outcome = outcomeIn(await pull(operator, cell.trigger, id));
      expect({ cell: cell.name, outcome, facts: await factsAfter(id) }).toEqual({ cell: cell.name, outcome: outcomeOf(cell, decision), facts });
    }
  });

  describe('for acts of owners,', () => {
    let ann: Person;
    let owner: TestBrowser;
    let id: AccountId;

    beforeAll(async () => {
      const { person, password } = await addPerson(running.gateway, 'ann@example.com');
      owner = new TestBrowser(running.gateway);
      await owner.call(contract.signIn, { body: { email: person.email, password } });
      if (person.accountId === null) throw new Error('the verified person has no account');
      ann = person;
      id = person.accountId;
    });

    /** Routes of operators do not exist for owners. */
    it('who may not do acts of operators', async () => {
      for (const cell of standingCells(running.clock.now())) {
        await put(id, cell.facts);
        const { error } = (await pull(owner, cell.trigger, id)).body;
        const expected = maySignIn(ann, cell.facts) ? 'not_found' : 'not_signed_in';
        expect({ cell: cell.name, code: error?.code, facts: await factsAfter(id) }).toEqual({ cell: cell.name, code: expected, facts: cell.facts });
      }
    });

    /** Accounts that are deleted are omitted: the deletion has erased the person, and the link with the person. */
    it('who verify their address with the mailed link', async () => {
      const cells = standingCells(running.clock.now()).filter(({ trigger, facts: { status } }) => trigger === 'verify' && status !== 'deleted');
      for (const [place, cell] of cells.entries()) {
        const newcomer = await addNewcomer(`new-${place}@example.com`);
        await put(newcomer.accountId, cell.facts);
        const { facts } = expectedOf(cell, 'owner', running.clock.now());
        const reply = await new TestBrowser(running.gateway).call(contract.verifyEmail, { body: { token: newcomer.token, password: newcomer.password } });
        expect({ cell: cell.name, status: reply.status, facts: await factsAfter(newcomer.accountId) })
          .toEqual({ cell: cell.name, status: SUCCEEDED, facts });
      }
    });

    it.each([['request-deletion', contract.requestDeletion], ['cancel-deletion', contract.cancelDeletion]] as const)('who call the route of %s', async (trigger, route) => {
      expect(mayPull(trigger, 'owner')).toBe(true);
      const cells: readonly StandingCell[] = standingCells(running.clock.now()).filter((cell) => cell.trigger === trigger);
      for (const cell of cells) {
        await put(id, cell.facts);
        const { decision, facts } = expectedOf(cell, 'owner', running.clock.now());
        const reply = await owner.call(route);
        const code = reply.body.error?.code ?? 'done';
        const expected = codeFor(decision, maySignIn(ann, cell.facts));
        expect({ cell: cell.name, code, facts: await factsAfter(id) }).toEqual({ cell: cell.name, code: expected, facts });
      }
    });
  });
});
