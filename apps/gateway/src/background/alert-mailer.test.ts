import { expect, it } from '@jest/globals';
import { ManualClock } from '@tollgate/adapters-memory';
import type { AlertMails, AlertStep } from '@tollgate/identity';
import { createLog } from '../observability/create-log.js';
import { AlertMailer } from './alert-mailer.js';

it('a run of the alert mailer logs each mail that cannot be made and continues; a failed step ends the run', async () => {
  const steps: (AlertStep | Error)[] = [
    { mails: 3, outcome: 'more', failures: [new RangeError('Alice'), new RangeError('Bob')] }, { mails: 1, outcome: 'more', failures: [] }, new Error('the disk is full'), { mails: 1, outcome: 'done', failures: [] },
  ];
  const alerts: Pick<AlertMails, 'step'> = { step: () => {
    const step = steps.shift();
    return step === undefined || step instanceof Error ? Promise.reject(step ?? new Error('no step is left')) : Promise.resolve(step);
  } };
  const logged: string[] = [];
  await new AlertMailer({ alerts: alerts as AlertMails, clock: new ManualClock(), log: createLog('info', { write: (line) => void logged.push(line) }) }).runOnce();
  expect(logged.map((line) => (JSON.parse(line) as { readonly err: { readonly message: string } }).err.message)).toEqual(['Alice', 'Bob', 'the disk is full']);
  expect(steps).toHaveLength(1);
});
