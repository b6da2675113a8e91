import { expect, it } from '@jest/globals';
import { ManualClock } from '@tollgate/adapters-memory';
import type { AlertMails, AlertStep } from '@tollgate/identity';
import { createLog } from '../observability/create-log.js';
import { AlertMailer } from './alert-mailer.js';

it('goes on after a step in which a mail could not be made, and reports the failure at the end', async () => {
  const steps: AlertStep[] = [{ mails: 3, outcome: 'more', failures: [new RangeError('one row is unreadable')] }, { mails: 1, outcome: 'done', failures: [] }];
  const alerts: Pick<AlertMails, 'step'> = { step: () => Promise.resolve(steps.shift() ?? { mails: 0, outcome: 'done', failures: [] }) };
  const mailer = new AlertMailer({ alerts: alerts as AlertMails, clock: new ManualClock(), log: createLog('fatal', { write: () => undefined }) });
  await expect(mailer.run()).rejects.toThrow('one row is unreadable');
  expect(steps).toEqual([]);
});
