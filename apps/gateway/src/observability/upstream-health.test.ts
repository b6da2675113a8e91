import { expect, it } from '@jest/globals';
import { ManualClock } from '@tollgate/adapters-memory';
import { type CallFacts, type FailedCall, UpstreamFailure } from '@tollgate/adapters-upstream';
import { instant } from '@tollgate/core';
import { UpstreamHealth } from './upstream-health.js';

const FACTS = { target: { upstreamId: 'one', upstreamModel: 'm' } } as CallFacts;
const FAILED: FailedCall = { facts: FACTS, failure: new UpstreamFailure('timed-out', 'no answer in time'), status: null, said: null };

it('an upstream counts as failing since the first failure after its last answer', () => {
  const clock = new ManualClock(instant(1000));
  const ignore = (): void => undefined;
  const health = new UpstreamHealth(clock, { failed: ignore, circuitChanged: ignore, answered: ignore, noticed: ignore, probed: ignore });
  const since = () => health.of('one', 'm').failingSince;
  expect(since()).toBeNull();
  health.answered(FACTS, 5);
  expect(since()).toBeNull();
  for (let failures = 0; failures < 2; failures += 1) {
    clock.advance(1000);
    health.failed(FAILED);
  }
  expect([since(), health.of('one', 'm').lastFailure?.at, health.of('one', 'm').failures]).toEqual([2000, 3000, 2]);
  health.answered(FACTS, 5);
  expect(since()).toBeNull();
});
