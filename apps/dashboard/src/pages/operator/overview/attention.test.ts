import { describe, expect, it } from '@jest/globals';
import { concernsOf, stateOf } from './attention.js';

const model = { model: 'm', upstream_model: 'm', circuit: 'closed', state: 'untried', failing_since: null, answers: 0, failures: 0, last_success_at: null, last_failure: null, first_token_ms: null } as const;
const answered = { ...model, state: 'answering', answers: 1, last_success_at: '2026-11-29T00:00:00Z' } as const;
const failing = { ...answered, model: 'n', circuit: 'open', state: 'failing', failing_since: '2026-11-29T00:00:00Z' } as const;
const SOUND = { checks: { failures: 0, settlements_waiting: 0, last: { differences: 0 } }, payments: { unbookable: 0, uncovered: 0 } };

function upstream(models: readonly (typeof model | typeof answered | typeof failing)[]) {
  return { id: 'rack-1', object: 'upstream', kind: 'openai', base_url: null, models } as const;
}

describe('the overview of operators', () => {
  it('shows no warning if all is in order, nor before the first check of the ledger', () => {
    expect(concernsOf({ upstreams: [upstream([model])], ...SOUND })).toEqual([]);
    expect(concernsOf({ upstreams: [], ...SOUND, checks: { ...SOUND.checks, last: null } })).toEqual([]);
  });

  it('shows warnings about requests before those about money', () => {
    const concerns = concernsOf({ upstreams: [upstream([answered, failing])], checks: { failures: 2, settlements_waiting: 1, last: { differences: 3 } }, payments: { unbookable: 1, uncovered: 2 } });
    expect(concerns).toEqual([
      { text: 'rack-1 does not answer for n.', to: '/operator/upstreams' },
      { text: '1 charge cannot be booked at the moment.', to: '/operator/books' },
      { text: 'The ledger check found 3 differences.', to: '/operator/books' },
      { text: 'The ledger could not be checked 2 times in a row.', to: '/operator/books' },
      { text: '1 payment could not be booked.', to: '/operator/payments' },
      { text: '2 refunds or disputes not covered by the balance.', to: '/operator/payments' },
    ]);
  });

  it('shows an upstream as answering only after a reply', () => {
    expect([[model], [answered, model], [answered, failing], []].map((models) => stateOf(models))).toEqual(['not-tried', 'answering', 'failing', 'not-tried']);
  });
});
