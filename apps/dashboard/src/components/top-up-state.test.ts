import { expect, it } from '@jest/globals';
import { topUpState } from './top-up-state';

const OFF = { enabled: false, stopped: null, waits_for: null, next_try_at: null };
const AT = '2026-11-29T00:00:00.000Z';

it('the state of automatic top-up says whether it is on, what it waits for, and why it was switched off', () => {
  expect(topUpState(OFF)).toBe('Off');
  expect(topUpState({ ...OFF, stopped: { reason: 'declined', at: AT } })).toBe('Switched off: three charges in a row were declined.');
  expect(topUpState({ ...OFF, enabled: true })).toBe('On: nothing is charged until the balance falls below the threshold.');
  expect(topUpState({ ...OFF, enabled: true, next_try_at: AT })).toContain('a charge begins within seconds');
  expect(topUpState({ ...OFF, enabled: true, next_try_at: AT, waits_for: 'authentication' })).toBe('On: your bank wants you to confirm the last charge.');
});
