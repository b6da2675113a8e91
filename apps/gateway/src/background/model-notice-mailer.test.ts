import { expect, it } from '@jest/globals';
import { ManualClock } from '@tollgate/adapters-memory';
import type { ModelNotices, NoticeStep } from '@tollgate/identity';
import { createLog } from '../observability/create-log.js';
import { ModelNoticeMailer } from './model-notice-mailer.js';

it('goes on after a step in which a mail could not be made, and reports the failure at the end', async () => {
  const steps: NoticeStep[] = [{ outcome: 'more', failures: [new RangeError('one row is unreadable')] }, { outcome: 'done', failures: [] }];
  const notices: Pick<ModelNotices, 'step' | 'missingPriceLists'> = {
    step: () => Promise.resolve(steps.shift() ?? { outcome: 'done', failures: [] }), missingPriceLists: () => Promise.resolve(new Map()),
  };
  const mailer = new ModelNoticeMailer({ notices: notices as ModelNotices, clock: new ManualClock(), log: createLog('fatal', { write: () => undefined }) });
  await expect(mailer.run()).rejects.toThrow('one row is unreadable');
  expect(steps).toEqual([]);
});
