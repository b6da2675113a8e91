import { describe, expect, it } from '@jest/globals';
import { ManualClock } from '@tollgate/adapters-memory';
import { HourlyWarnings } from './hourly-warnings.js';

describe('an hourly warning', () => {
  it('is due at the first case and again an hour later, and counts the cases in between', () => {
    const clock = new ManualClock();
    const warnings = new HourlyWarnings(clock);
    const after = (milliseconds: number): number | null => {
      clock.advance(milliseconds);
      return warnings.count('a');
    };
    expect([after(0), after(0), after(3_599_999), warnings.count('b'), after(1), after(1), after(3_600_000)]).toEqual([1, null, null, 1, 3, null, 2]);
  });

  it('is remembered for 1,000 names; with one more, it is due again for the oldest name', () => {
    const warnings = new HourlyWarnings(new ManualClock());
    for (let name = 0; name < 1_000; name += 1) warnings.count(`${name}`);
    expect(warnings.count('0')).toBeNull();
    expect([warnings.count('one more'), warnings.count('999'), warnings.count('0')]).toEqual([1, null, 1]);
  });
});
