import { expect, it } from '@jest/globals';
import { daySums, sumOfDays } from './day-sums.js';

const day = (label: string, svc_tokens: string, usd: string) => ({ day: label, model: null, requests: 1, tokens: 1, charged: { svc_tokens, usd } });

it('charges are summed exactly over the models of each day, and over the days of a period', () => {
  const sums = daySums([day('2026-11-20', '0.1', '0.0001'), day('2026-11-20', '0.2', '0.0002'), day('2026-11-21', '9007199254.740993', '9007199.254740993'), day('2026-11-22', '5', '0.005')]);
  expect(sums.get('2026-11-20')).toEqual({ svc_tokens: '0.3', usd: '0.0003' });
  expect(sumOfDays(sums, { first: '2026-11-20', last: '2026-11-21' })).toEqual({ svc_tokens: '9007199255.040993', usd: '9007199.255040993' });
  expect(sumOfDays(sums, { first: '2026-11-01', last: '2026-11-02' })).toEqual({ svc_tokens: '0', usd: '0' });
});
