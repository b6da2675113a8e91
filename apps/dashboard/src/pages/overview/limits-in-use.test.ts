import { describe, expect, it } from '@jest/globals';
import { limitsInUse, uncapped } from './limits-in-use.js';

const limits = {
  requests_per_minute: 300, tokens_per_minute: 1_000_000, concurrent_requests: 10, max_context_tokens: 1, api_keys: 20, tokens_per_day: null, tokens_per_month: 5_000, models: [],
};
const used = { requests_this_minute: 84, tokens_this_minute: 812_400, minute_resets_in_seconds: 21, tokens_today: 900, tokens_this_month: 5_000, api_keys: 4 };

describe('limits in use', () => {
  it('begin with the fullest and omit unlimited ones', () => {
    expect(limitsInUse({ limits, used }).map(({ label, resetsIn }) => [label, resetsIn])).toEqual([
      ['Model tokens this month (UTC)', null], ['Model tokens this minute', 21], ['Requests this minute', 21], ['API keys', null],
    ]);
  });

  it('show no reset in a minute without requests', () => {
    expect(limitsInUse({ limits, used: { ...used, requests_this_minute: 0, tokens_this_minute: 0 } }).every(({ resetsIn }) => resetsIn === null)).toBe(true);
  });

  it('state that the plan has no limit per day or month', () => {
    expect([uncapped(limits), uncapped({ ...limits, tokens_per_day: 1 }), uncapped({ ...limits, tokens_per_month: null })]).toEqual([
      'No limit per day.', null, 'No limit per day or month.',
    ]);
  });
});
