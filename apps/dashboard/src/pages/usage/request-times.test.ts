import { expect, it } from '@jest/globals';
import { durationOf, firstTokenOf } from './request-times.js';

const TIMES = { started_at: '2026-11-22T10:00:00.000Z', first_output_at: '2026-11-22T10:00:00.412Z', ended_at: '2026-11-22T10:00:06.310Z' };

it('the times of a request are measured from its arrival', () => {
  expect([durationOf(TIMES), firstTokenOf(TIMES)]).toEqual(['6.31 s', '412 ms']);
});

it('a request without output has no time to the first token, and no time is negative', () => {
  expect([firstTokenOf({ ...TIMES, first_output_at: null }), durationOf({ ...TIMES, ended_at: '2026-11-22T09:59:59.999Z' })]).toEqual([null, '0 ms']);
});
