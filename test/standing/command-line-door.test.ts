import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { SystemClock } from '@tollgate/adapters-node';
import { databases } from '../support/databases.js';
import type { SqlStore } from '@tollgate/sql-common';
import { type AccountId, MILLISECONDS_PER_DAY, PAY_AS_YOU_GO, type ProcessId, type StandingFacts, type StandingTrigger, SYSTEM_ACTOR } from '@tollgate/core';
import { anAccount, changeStanding } from '@tollgate/testkit';
import { TollgateFolder } from '../../apps/cli/src/test-support/tollgate-run.js';
import { expectedOf, factsOf, GRACE_DAYS, outcomeOf, standingCells } from './standing-cells.js';

const COMMANDS: Readonly<Record<StandingTrigger, readonly string[]>> = {
  verify: ['verify-email'],
  suspend: ['suspend'],
  reactivate: ['reactivate'],
  block: ['block'],
  unblock: ['unblock'],
  'request-deletion': ['delete'],
  'cancel-deletion': ['undelete'],
  'carry-out-deletion': ['delete', '--now', '--yes'],
};

const clock = new SystemClock();
let folder: TollgateFolder;
let store: SqlStore;
let accounts = 0;

beforeAll(async () => {
  folder = await TollgateFolder.withDatabase();
  folder.environment['DELETION_GRACE_DAYS'] = String(GRACE_DAYS);
  store = await databases.open({ kind: 'sqlite', path: `${folder.path}/tollgate.db` }, { clock, processId: 'process_test' as ProcessId });
});
afterAll(async () => {
  await store.close();
  folder.remove();
});

async function accountIn(facts: StandingFacts): Promise<AccountId> {
  accounts += 1;
  const account = anAccount({ id: `acct_${accounts}` as AccountId, email: `${accounts}@example.test`, planId: PAY_AS_YOU_GO, createdAt: clock.now() });
  await store.accounts.create(account, SYSTEM_ACTOR);
  await changeStanding(store.accounts, account.id, facts, { actor: SYSTEM_ACTOR, at: clock.now() });
  return account.id;
}

/** The facts with instants rounded to hours, because the command line acts slightly later. */
function roundedToHours({ deletion, ...facts }: StandingFacts): unknown {
  return { ...facts, deletion: deletion === null ? null : { ...deletion, dueAt: Math.round(deletion.dueAt / MILLISECONDS_PER_DAY * 24) } };
}

function messageIn(error: string): string {
  return (JSON.parse(error) as { readonly error: { readonly message: string } }).error.message.replace(/^error: /, '');
}

it('each act of the command line on an account follows the table of standings', async () => {
  // Of each phase, only the cells in good order (verified, not blocked), and those with both flags inverted.
  const cells = standingCells(clock.now()).filter(({ facts }) => facts.emailVerified !== facts.blocked);
  expect(cells).toHaveLength(5 * 2 * Object.keys(COMMANDS).length);
  for (const cell of cells) {
    const id = await accountIn(cell.facts);
    const { decision, facts } = expectedOf(cell, 'operator', clock.now());
    const [command = '', ...options] = COMMANDS[cell.trigger];
    const { exitCode, out, error } = await folder.run('accounts', command, id, ...options, '--json');
    const outcome = exitCode === 0 ? (JSON.parse(out) as { readonly outcome: string }).outcome : messageIn(error);
    const found = await store.accounts.findById(id);
    expect({ cell: cell.name, outcome, facts: found === null ? null : roundedToHours(factsOf(found)) })
      .toEqual({ cell: cell.name, outcome: outcomeOf(cell, decision), facts: roundedToHours(facts) });
  }
});
