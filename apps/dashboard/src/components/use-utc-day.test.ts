import { afterEach, beforeEach, expect, it, jest } from '@jest/globals';
import { watchForDay } from './use-utc-day.js';

beforeEach(() => { jest.useFakeTimers({ now: new Date('2026-11-22T23:59:00Z') }); });
afterEach(() => { jest.useRealTimers(); });

function open() {
  const page = new EventTarget();
  const state = { visible: true };
  const days: string[] = [];
  const close = watchForDay(page, () => state.visible, (day) => void days.push(day));
  return { page, state, days, close };
}

it('an idle page does not learn of a new day', async () => {
  const { days } = open();
  await jest.advanceTimersByTimeAsync(3 * 86_400_000);
  expect(days).toEqual([]);
});

it.each(['visibilitychange', 'focus', 'pointermove', 'pointerdown', 'wheel', 'keydown'])('a page learns of the new day at the first %s after midnight', (sign) => {
  const { page, days } = open();
  jest.setSystemTime(new Date('2026-11-23T00:01:00Z'));
  page.dispatchEvent(new Event(sign));
  expect(days).toEqual(['2026-11-23']);
});

it('a page does not learn of a new day while it is hidden, or after it has stopped watching', () => {
  const { page, state, days, close } = open();
  state.visible = false;
  page.dispatchEvent(new Event('visibilitychange'));
  expect(days).toEqual([]);
  state.visible = true;
  close();
  page.dispatchEvent(new Event('keydown'));
  expect(days).toEqual([]);
});
