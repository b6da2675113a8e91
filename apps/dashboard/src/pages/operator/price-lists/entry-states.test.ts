import { expect, it } from '@jest/globals';
import { entryStates } from './entry-states.js';

const NOW = new Date('2026-12-01T00:00:00Z');
const entries = (...dates: readonly (string | null)[]) => dates.map((from) => ({ from }));

it.each([
  [entries(null), ['in-force']],
  [entries(null, '2026-12-01T00:00:00.000Z', '2027-01-01T00:00:00.000Z'), ['past', 'in-force', 'to-come']],
  [entries(null, '2026-12-01T00:00:00.001Z'), ['in-force', 'to-come']],
  [entries('2027-01-01T00:00:00.000Z'), ['to-come']],
  [[], []],
])('one of the dated prices %j is in force', (dated, states) => {
  expect(entryStates(dated, NOW)).toEqual(states);
});
