// A program of its own: credits an account again and again, and prints the reference of each credit once it is acknowledged.
import { writeSync } from 'node:fs';
import { stdout } from 'node:process';
import { type AccountId, ServiceTokens, SYSTEM_ACTOR } from '@tollgate/core';
import { SystemClock } from '@tollgate/adapters-node';
import { CREDIT } from './credit.js';
import { openBeside } from './seed-accounts.js';

const PAUSE_MILLISECONDS = 10;
const [database = '', accountId = ''] = process.argv.slice(2);
const clock = new SystemClock();
const store = await openBeside(database);

for (let number = 1; ; number += 1) {
  const reference = `chaos-${process.pid}-${number}`;
  const { outcome } = await store.ledger.credit({
    accountId: accountId as AccountId, amount: ServiceTokens.parse(CREDIT), reference, actor: SYSTEM_ACTOR, at: clock.now(),
  });
  // Written at once: what is only queued here when the process is killed would have been acknowledged to nobody.
  if (outcome === 'credited') writeSync(stdout.fd, `${reference}\n`);
  await new Promise((resolve) => setTimeout(resolve, PAUSE_MILLISECONDS));
}
