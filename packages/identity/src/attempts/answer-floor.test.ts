import { describe, expect, it } from '@jest/globals';
import { ManualClock } from '@tollgate/adapters-memory';
import { AnswerFloor } from '@tollgate/identity';

/** Milliseconds from the request to the answer, if the work takes `before` ms until `fix` and `after` ms from then on. */
async function leavesAfter(before: number, after: number, step = 100): Promise<number> {
  const clock = new ManualClock();
  const beganAt = clock.now();
  const answer = new AnswerFloor(clock, step).begin();
  clock.advance(before);
  answer.fix();
  clock.advance(after);
  answer.fix();
  let leftAt = -1;
  const due = answer.due().then(() => {
    leftAt = clock.now() - beganAt;
  });
  await clock.advanceAsync(1000);
  await due;
  return leftAt;
}

describe('an answer', () => {
  it.each([
    [0, 0, 100], [49, 0, 100], [50, 0, 100], [51, 0, 200], [130, 0, 200], [160, 0, 300],
  ])('whose time is fixed after %d ms of work, with %d ms more to follow, is sent after %d ms', async (before, after, expected) => {
    expect(await leavesAfter(before, after)).toBe(expected);
  });

  it('is sent at the same time whether 0 or 50 ms of work follow `fix`, and a step later after more work', async () => {
    const times = await Promise.all([0, 1, 20, 50].map((after) => leavesAfter(40, after)));
    expect(new Set(times)).toEqual(new Set([100]));
    expect(await leavesAfter(40, 61)).toBe(200);
  });

  it('is sent 100 ms after a request whose work continues in the background', async () => {
    const clock = new ManualClock();
    let left = false;
    void new AnswerFloor(clock, 100).pass().then(() => {
      left = true;
    });
    await clock.advanceAsync(99);
    expect(left).toBe(false);
    await clock.advanceAsync(1);
    expect(left).toBe(true);
  });
});

it('answers are sent immediately if the step is 0', async () => {
  const clock = new ManualClock();
  await new AnswerFloor(clock, 0).pass();
  expect(clock.pendingTasks).toBe(0);
});
