import { describe, expect, it } from '@jest/globals';
import type { LiveRequest, LiveSecond, LiveTick } from '../../../api/live.js';
import { afterEvent, busiestAccounts, newestOf, NOTHING_YET, requestsBySecond, sumSeconds } from './live-state.js';

const second = (at: string, requests: number, parts: Partial<LiveSecond> = {}): LiveSecond => (
  { at, requests, svc_tokens: '0.5', codes: { 200: requests }, refused: {}, first_token_ms: null, ...parts }
);
const tick = (at: string, requests: number): LiveTick => ({ ...second(at, requests), running: 1, reserved: '2', gateways: 1 });

describe('the live feed', () => {
  it('keeps one entry for each second of the last fifteen minutes', () => {
    const begun = afterEvent(NOTHING_YET, { type: 'snapshot', data: { since: '2026-11-22T10:00:00Z', seconds: [second('2026-11-22T10:00:00Z', 3), second('2026-11-22T10:10:00Z', 1)], alerts: [], requests: [] } });
    const later = afterEvent(afterEvent(begun, { type: 'tick', data: tick('2026-11-22T10:15:00Z', 2) }), { type: 'tick', data: tick('2026-11-22T10:15:00Z', 2) });
    expect(later.seconds.map(({ at, requests }) => [at, requests])).toEqual([['2026-11-22T10:10:00Z', 1], ['2026-11-22T10:15:00Z', 2]]);
    expect(requestsBySecond(later.seconds, Date.parse('2026-11-22T10:15:00Z')).flatMap((requests, index) => (requests > 0 ? [[index, requests]] : []))).toEqual([[599, 1], [899, 2]]);
  });

  it('keeps the entries that a restarted gateway no longer has', () => {
    const seen = afterEvent(NOTHING_YET, { type: 'snapshot', data: { since: '2026-11-22T09:50:00Z', seconds: [second('2026-11-22T10:00:00Z', 3), second('2026-11-22T10:01:00Z', 1)], alerts: [], requests: [] } });
    const restarted = afterEvent(seen, { type: 'snapshot', data: { since: '2026-11-22T10:01:00Z', seconds: [second('2026-11-22T10:02:00Z', 2)], alerts: [], requests: [] } });
    expect(restarted.seconds.map(({ at, requests }) => [at, requests])).toEqual([['2026-11-22T10:00:00Z', 3], ['2026-11-22T10:02:00Z', 2]]);
    expect(newestOf(restarted)).toBe(Date.parse('2026-11-22T10:02:00Z'));
  });

  it('keeps each request once, newest first, including those that a restarted gateway no longer has', () => {
    const request = (id: string, at: string): LiveRequest => ({ request_id: id, at, endpoint: null, account_id: null, key_id: null, model: null, status: 200, code: null, end_reason: null, svc_tokens: null, duration_ms: 1, first_token_ms: null });
    const [old, kept, next] = [request('req_1', '2026-11-22T10:00:00Z'), request('req_2', '2026-11-22T10:01:30Z'), request('req_3', '2026-11-22T10:02:00Z')];
    const seen = afterEvent(NOTHING_YET, { type: 'snapshot', data: { since: '2026-11-22T09:50:00Z', seconds: [], alerts: [], requests: [kept, old] } });
    const resumed = afterEvent(seen, { type: 'snapshot', data: { since: '2026-11-22T10:01:00Z', seconds: [], alerts: [], requests: [next, kept] } });
    expect([seen, resumed].map(({ requests }) => requests.map(({ request_id: id }) => id))).toEqual([['req_2', 'req_1'], ['req_3', 'req_2', 'req_1']]);
  });

  it('shows a raised alert once, until it ends', () => {
    const raised = { type: 'alert', data: { kind: 'circuit-open', subject: 'gpu-2', state: 'raised' } } as const;
    const twice = afterEvent(afterEvent(NOTHING_YET, raised), raised);
    expect(twice.alerts).toEqual([{ kind: 'circuit-open', subject: 'gpu-2' }]);
    expect(afterEvent(twice, { type: 'alert', data: { ...raised.data, state: 'ended' } }).alerts).toEqual([]);
  });
});

it('the sums over seconds are exact, and count each request once, by its code or its status', () => {
  const sums = sumSeconds([second('2026-11-22T10:00:00Z', 2, { svc_tokens: '0.000001' }), second('2026-11-22T10:00:01Z', 5, { svc_tokens: '9007199254.740993', codes: { 200: 2, 499: 1 }, refused: { rate_limit_exceeded: 2 } })]);
  expect(sums).toEqual({ requests: 7, peak: 5, charged: 9_007_199_254_740_994n, codes: [['200', 4], ['rate_limit_exceeded', 2], ['499', 1]] });
});

it('the busiest accounts are ranked by their number of requests', () => {
  const request = { request_id: 'req_1', at: '2026-11-22T10:00:00Z', endpoint: null, key_id: null, model: null, status: 200, code: null, end_reason: null, duration_ms: 1, first_token_ms: null };
  const requests = [
    { ...request, account_id: 'acct_a', svc_tokens: '1' }, { ...request, account_id: 'acct_b', svc_tokens: '0.5' }, { ...request, account_id: 'acct_b', svc_tokens: null, code: 'rate_limit_exceeded' },
    { ...request, account_id: null, svc_tokens: null },
  ];
  expect(busiestAccounts(requests)).toEqual([{ id: 'acct_b', requests: 2, charged: 500_000n, refused: 1 }, { id: 'acct_a', requests: 1, charged: 1_000_000n, refused: 0 }]);
});
