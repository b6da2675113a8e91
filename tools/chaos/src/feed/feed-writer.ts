import { writeSync } from 'node:fs';
import { stdout } from 'node:process';
import { setTimeout as pause } from 'node:timers/promises';
import { SystemClock } from '@tollgate/adapters-node';
import { type Account, type AccountId, type MoneyActOutcome, SYSTEM_ACTOR, ServiceTokens } from '@tollgate/core';
import { SeededRandom } from '@tollgate/testkit/programs';
import { Client } from 'pg';
import { openBeside } from '../books/open-beside.js';
import type { WriterTask } from './feed-writers.js';

// Entry point of a process that writes events until it is killed, and prints the reference of each acknowledged act of money.

/** Number of concurrent acts. */
const LANES = 12;
const AFTER_FAILURE_MILLISECONDS = 100;
const ABANDONED_EXIT_CODE = 130;
const SHARE_OF_STANDING_ACTS = 0.1;
const SHARE_OF_ROLLBACKS = 0.2;
const APPEND = 'select tollgate_append_event_1($1, $2, $3, $4) from generate_series(1, $5::int)';
const MOST_HELD_STEPS = 3;
const MOST_EVENTS_PER_STEP = 100;
const HELD_MILLISECONDS = { least: 5, most: 1_500 } as const;

const { database, accounts, heldAccount, seed } = JSON.parse(process.argv[2] ?? '') as WriterTask;
const random = new SeededRandom(seed);
const clock = new SystemClock();
process.once('disconnect', () => process.exit(ABANDONED_EXIT_CODE));
const store = await openBeside(database);
const by = () => ({ actor: SYSTEM_ACTOR, at: clock.now() });
let acts = 0;

async function book(direction: 'raise' | 'lower', accountId: AccountId, amount: ServiceTokens): Promise<MoneyActOutcome> {
  acts += 1;
  const reference = `feed-${process.pid}-${seed}-${acts}`;
  const act = { accountId, amount, reference, reason: null, ...by() };
  const outcome = await store.ledger.book(direction === 'raise' ? { kind: 'top-up', ...act } : { kind: 'correction', direction, ...act });
  // The write is synchronous, because a kill would lose a queued one.
  if (outcome.outcome === 'booked') writeSync(stdout.fd, `${reference}\n`);
  return outcome;
}

/** Raises a balance, then lowers it to zero, including what other lanes have added, so that one booking crosses all thresholds. */
async function fillAndEmpty(accountId: AccountId): Promise<void> {
  const filled = await book('raise', accountId, ServiceTokens.parse('100'));
  if (filled.outcome === 'booked') await book('lower', accountId, filled.balance.posted);
}

/** Suspends an account and activates it again; does nothing if another lane has suspended it first. */
async function suspendAndReactivate(accountId: AccountId): Promise<void> {
  const active = await store.accounts.findById(accountId);
  if (active === null || active.status !== 'active') return;
  const suspended: Account = { ...active, status: 'suspended' };
  if (!await store.accounts.moveStanding(accountId, { from: active, to: suspended, action: 'account.suspended' }, by())) return;
  await store.accounts.moveStanding(accountId, { from: suspended, to: active, action: 'account.reactivated' }, by());
}

/** Activates an account that a killed writer has left suspended. */
async function reactivate(accountId: AccountId): Promise<void> {
  const account = await store.accounts.findById(accountId);
  if (account?.status === 'suspended') await store.accounts.moveStanding(accountId, { from: account, to: { ...account, status: 'active' }, action: 'account.reactivated' }, by());
}

function actOn(account: AccountId): Promise<void> {
  if (!random.happens(SHARE_OF_STANDING_ACTS)) return fillAndEmpty(account);
  return random.happens(1 / 2) ? suspendAndReactivate(account) : reactivate(account);
}

async function writeForever(): Promise<never> {
  for (;;) {
    await actOn(random.pick(accounts)).catch(async (thrown: unknown) => {
      process.stderr.write(`${String(thrown)}\n`);
      await pause(AFTER_FAILURE_MILLISECONDS);
    });
  }
}

/** Keeps transactions open while others commit. The open ones append events by the function that bookings use. */
async function holdForever(url: string, account: AccountId): Promise<never> {
  const client = new Client({ connectionString: url });
  await client.connect();
  for (;;) {
    await client.query('begin');
    for (let left = random.between(1, MOST_HELD_STEPS); left > 0; left -= 1) {
      await client.query(APPEND, ['account.changed', account, clock.now(), '{"changed":[]}', random.between(1, MOST_EVENTS_PER_STEP)]);
      await pause(random.between(HELD_MILLISECONDS.least, HELD_MILLISECONDS.most) / 2);
    }
    await client.query(random.happens(SHARE_OF_ROLLBACKS) ? 'rollback' : 'commit');
  }
}

const held = database.kind === 'postgres' && heldAccount !== null ? [holdForever(database.url, heldAccount)] : [];
await Promise.all([...held, ...Array.from({ length: LANES }, writeForever)]);
