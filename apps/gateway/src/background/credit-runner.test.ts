import { expect, it } from '@jest/globals';
import { ManualClock } from '@tollgate/adapters-memory';
import type { AccountId, CreditRecords } from '@tollgate/core';
import { STORE_NOON } from '@tollgate/testkit';
import { createLog } from '../observability/create-log.js';
import { CREDIT_INTERVAL_MILLISECONDS, CreditRunner } from './credit-runner.js';

it('the credit runner expires due credits one account after another, and continues after one fails', async () => {
  const clock = new ManualClock(STORE_NOON);
  const lines: string[] = [];
  const log = createLog('info', { write: (line: string) => void lines.push(line) });
  const due = Array.from({ length: 51 }, (_, number) => `acct_${number}` as AccountId);
  const expired: AccountId[] = [];
  const credits: Pick<CreditRecords, 'due' | 'expire'> = {
    due: (_at, limit) => Promise.resolve(due.splice(0, limit)),
    expire: (id) => {
      expired.push(id);
      return id === 'acct_0' ? Promise.reject(new Error('broken')) : Promise.resolve(id === 'acct_1' ? 'behind' : 'done');
    },
  };
  const runner = new CreditRunner({ credits, clock, log });
  runner.start();
  clock.advance(CREDIT_INTERVAL_MILLISECONDS);
  for (let turn = 0; turn < 10; turn += 1) await new Promise(setImmediate);
  expect(expired).toHaveLength(51);
  expect(lines.map((line) => (JSON.parse(line) as { readonly accountId: string }).accountId)).toEqual(['acct_0', 'acct_1']);
  await runner.stop();
  due.push('acct_9' as AccountId);
  await runner.run();
  expect(expired).toHaveLength(51);
});
