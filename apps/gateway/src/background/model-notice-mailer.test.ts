import { expect, it } from '@jest/globals';
import { ManualClock } from '@tollgate/adapters-memory';
import type { ModelNotices, NoticeStep } from '@tollgate/identity';
import { createLog } from '../observability/create-log.js';
import { ModelNoticeMailer } from './model-notice-mailer.js';

it('a run of the model notice mailer logs each mail that cannot be made and continues; a failed step ends the run', async () => {
  const steps: (NoticeStep | Error)[] = [
    { outcome: 'more', failures: [new RangeError('Alice'), new RangeError('Bob')] }, { outcome: 'more', failures: [] }, new Error('the disk is full'), { outcome: 'done', failures: [] },
  ];
  const notices: Pick<ModelNotices, 'step' | 'missingPriceLists'> = {
    missingPriceLists: () => Promise.resolve(new Map()),
    step: () => {
      const step = steps.shift();
      return step === undefined || step instanceof Error ? Promise.reject(step ?? new Error('no step is left')) : Promise.resolve(step);
    },
  };
  const logged: string[] = [];
  await new ModelNoticeMailer({ notices: notices as ModelNotices, clock: new ManualClock(), log: createLog('info', { write: (line) => void logged.push(line) }) }).runOnce();
  expect(logged.map((line) => (JSON.parse(line) as { readonly err: { readonly message: string } }).err.message)).toEqual(['Alice', 'Bob', 'the disk is full']);
  expect(steps).toHaveLength(1);
});
