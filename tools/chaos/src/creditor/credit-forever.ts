import { writeSync } from 'node:fs';
import { stdout } from 'node:process';
import { setTimeout as pause } from 'node:timers/promises';
import { type AccountId, ServiceTokens, SYSTEM_ACTOR } from '@tollgate/core';
import { SystemClock } from '@tollgate/adapters-node';
import type { DatabaseLocation } from '@tollgate/sql-common';
import { CREDIT } from './creditor.js';
import { openBeside } from '../books/open-beside.js';

// Entry point of a process that credits an account continuously, and prints the reference of each acknowledged credit.

const PAUSE_MILLISECONDS = 25;
const AFTER_FAILURE_MILLISECONDS = 100;
const ABANDONED_EXIT_CODE = 130;
const [database = '', accountId = ''] = process.argv.slice(2);
const clock = new SystemClock();
process.once('disconnect', () => process.exit(ABANDONED_EXIT_CODE));
const store = await openBeside(JSON.parse(database) as DatabaseLocation);

/** Books a credit; false if it failed, and must be repeated under the same reference. */
async function credit(reference: string): Promise<boolean> {
  try {
    const { outcome } = await store.ledger.credit({
      accountId: accountId as AccountId, amount: ServiceTokens.parse(CREDIT), reference, actor: SYSTEM_ACTOR, at: clock.now(),
    });
    return outcome === 'credited' || outcome === 'repeated';
  } catch (thrown) {
    process.stderr.write(`${reference}: ${thrown instanceof Error ? thrown.message : String(thrown)}\n`);
    return false;
  }
}

for (let number = 1; ; number += 1) {
  const reference = `chaos-${process.pid}-${clock.now()}-${number}`;
  while (!await credit(reference)) await pause(AFTER_FAILURE_MILLISECONDS);
  // The write is synchronous, because a kill would lose a queued one.
  writeSync(stdout.fd, `${reference}\n`);
  await pause(PAUSE_MILLISECONDS);
}
