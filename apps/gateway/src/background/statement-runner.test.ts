import { expect, it } from '@jest/globals';
import { ManualClock } from '@tollgate/adapters-memory';
import { later, type Statements, type StatementStep } from '@tollgate/core';
import { STORE_NOON } from '@tollgate/testkit';
import { createLog } from '../observability/create-log.js';
import { STATEMENT_INTERVAL_MILLISECONDS, StatementRunner } from './statement-runner.js';

it('statements are made once an hour, batch after batch, until the statement runner is stopped', async () => {
  const clock = new ManualClock(later(STORE_NOON, 0));
  const steps: StatementStep[] = [{ made: 2, outcome: 'more', failures: [] }, { made: 1, outcome: 'more', failures: [new RangeError('one row is unreadable')] }, { made: 0, outcome: 'done', failures: [] }];
  let calls = 0;
  const statements: Pick<Statements, 'makeSome'> = { makeSome: () => Promise.resolve(steps[Math.min(calls++, steps.length - 1)] ?? { made: 0, outcome: 'done', failures: [] }) };
  const lines: string[] = [];
  const log = createLog('info', { write: (line: string) => void lines.push(line) });
  const runner = new StatementRunner({ statements: statements as Statements, clock, log });
  runner.start();
  const anHour = async (): Promise<number> => {
    clock.advance(STATEMENT_INTERVAL_MILLISECONDS);
    await new Promise(setImmediate);
    return calls;
  };
  const first = await anHour();
  expect([first, await anHour()]).toEqual([3, 4]);
  expect(lines.filter((line) => line.includes('statements were made')).map((line) => (JSON.parse(line) as { readonly statements: number }).statements)).toEqual([3]);
  expect(lines.filter((line) => line.includes('a statement could not be made'))).toEqual([expect.stringContaining('one row is unreadable')]);
  await runner.stop();
  await runner.run();
  expect(await anHour()).toBe(4);
});

it('the failed statements of a batch are logged even if the next batch fails completely', async () => {
  const steps: StatementStep[] = [{ made: 0, outcome: 'more', failures: [new RangeError('one row is unreadable')] }];
  const statements: Pick<Statements, 'makeSome'> = { makeSome: async () => steps.pop() ?? Promise.reject(new Error('the store is away')) };
  const lines: string[] = [];
  const log = createLog('info', { write: (line: string) => void lines.push(line) });
  await new StatementRunner({ statements: statements as Statements, clock: new ManualClock(STORE_NOON), log }).runOnce();
  expect(lines).toEqual([expect.stringContaining('one row is unreadable'), expect.stringContaining('the store is away')]);
});
