import { expect, it } from '@jest/globals';
import { instant, parseRfc3339, rfc3339 } from '../primitives/time.js';
import { summaryDays } from './summary-days.js';

const NOW = instant(Date.UTC(2026, 10, 18, 12));

it.each([
  [null, null, '2026-10-20 to 2026-11-19'], [null, '2026-11-02T00:00:00Z', '2026-10-03 to 2026-11-02'], ['2026-11-02T23:59:59Z', '2026-11-03T00:00:01Z', '2026-11-02 to 2026-11-04'],
  ['2025-11-18T00:00:00Z', null, '2025-11-18 to 2026-11-19'], ['2025-11-17T00:00:00Z', null, 'too-many'], ['2026-11-19T00:00:00Z', null, 'reversed'], [null, '1970-01-02T00:00:00Z', '1970-01-01 to 1970-01-02'],
])('the days of a summary from %s to %s are %s', (from, to, expected) => {
  const read = (text: string | null) => (text === null ? null : parseRfc3339(text));
  const days = summaryDays({ from: read(from), to: read(to) }, NOW);
  expect(typeof days === 'string' ? days : `${rfc3339(days.from).slice(0, 10)} to ${rfc3339(days.to).slice(0, 10)}`).toBe(expected);
});
