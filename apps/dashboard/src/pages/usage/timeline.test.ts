import { expect, it } from '@jest/globals';
import { releasedOf, timelineOf } from './timeline.js';

const times = {
  admitted_at: '2026-11-22T14:02:04.894Z', started_at: '2026-11-22T14:02:04.900Z', first_output_at: '2026-11-22T14:02:05.306Z', ended_at: '2026-11-22T14:02:11.204Z',
  settled_at: '2026-11-22T14:02:11.210Z',
};

it('a timeline counts times from the admission', () => {
  expect(timelineOf(times).map(({ kind, after }) => `${kind} ${after}`)).toEqual(['admitted 0', 'started 6', 'firstOutput 412', 'ended 6310', 'settled 6316']);
});

it('a timeline omits unknown times, and counts from the first known one', () => {
  expect(timelineOf({ ...times, admitted_at: null, first_output_at: null }).map(({ kind, after }) => `${kind} ${after}`)).toEqual(['started 0', 'ended 6304', 'settled 6310']);
});

it('the released part of a reservation is exact', () => {
  expect(releasedOf({ reserved: '43.548', svc_tokens_debited: '13.749601' })).toBe('29.798399');
  expect(releasedOf({ reserved: null, svc_tokens_debited: '1' })).toBeNull();
  expect(releasedOf({ reserved: '1', svc_tokens_debited: '1.5' })).toBeNull();
});
