import { expect, it } from '@jest/globals';
import { timeColumns } from './time-series.js';

it('a chart of times to the first token has exactly the columns of its period, in order', () => {
  const times = { requests: 2, p50: 10, p95: 20 };
  expect(timeColumns(['2026-11-20', '2026-11-21'], [{ period: '2026-11-21', ...times }, { period: '2026-11-22', ...times }]))
    .toEqual([{ column: '2026-11-20', times: null }, { column: '2026-11-21', times }]);
});
