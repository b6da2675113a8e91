import { describe, expect, it } from '@jest/globals';
import type { Measurement, ScenarioResult } from './scenario.js';
import { curvesIn, databasesOf } from './database-curves.js';
import { EMPTY_DATABASE } from './grown-database.js';

const POINTS = { accounts: [1000, 10_000], keys: [2000], usageRows: [3000] };

describe('the databases of the curves', () => {
  it('hold much of one thing each, and of the others what the empty one holds', () => {
    const { accounts, keys, usageRows } = EMPTY_DATABASE.growth;
    expect(databasesOf(POINTS).map(({ id, title, growth }) => [id, title, growth])).toEqual([
      ['tollgate-accounts-1000', '1,000 accounts', { accounts: 1000, keys, usageRows }],
      ['tollgate-accounts-10000', '10,000 accounts', { accounts: 10_000, keys, usageRows }],
      ['tollgate-keys-2000', '2,000 keys', { accounts, keys: 2000, usageRows }],
      ['tollgate-usageRows-3000', '3,000 usage rows', { accounts, keys, usageRows: 3000 }],
    ]);
  });
});

describe('the curves', () => {
  const measured = (subject: Measurement['subject']): Measurement => ({ subject, title: '', round: 1, values: { cpu: 1 } });
  const all: ScenarioResult = {
    id: 'database', title: '', baseline: 'express', figures: [],
    measurements: [measured('tollgate'), ...databasesOf(POINTS).map(({ id }) => measured(id))],
  };

  it('are each of its own databases beside the empty one, which is their baseline', () => {
    expect(curvesIn(all).map(({ id, baseline, measurements }) => [id, baseline, measurements.map(({ subject }) => subject)])).toEqual([
      ['database-accounts', 'tollgate', ['tollgate', 'tollgate-accounts-1000', 'tollgate-accounts-10000']],
      ['database-keys', 'tollgate', ['tollgate', 'tollgate-keys-2000']],
      ['database-usage-rows', 'tollgate', ['tollgate', 'tollgate-usageRows-3000']],
    ]);
  });
});
