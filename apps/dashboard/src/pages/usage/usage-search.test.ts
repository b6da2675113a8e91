import { describe, expect, it } from '@jest/globals';
import { changed, dividedBy, exportQuery, filterCount, groupOf, isSameExtent, listQuery, periodOf, seriesSearch, sumGap, summaryQuery, type UsageSearch } from './usage-search.js';

const TODAY = '2026-11-22';

describe('the period of the URL', () => {
  it.each([
    [{}, '2026-11-16', '2026-11-22'],
    [{ start: '2026-10-01', end: '2026-10-31' }, '2026-10-01', '2026-10-31'],
    [{ start: '2026-11-01' }, '2026-11-01', '2026-11-22'],
    [{ end: '2026-11-10' }, '2026-11-04', '2026-11-10'],
    [{ start: '2026-02-30', end: 'x' }, '2026-11-16', '2026-11-22'],
    [{ start: '2027-01-01' }, '2027-01-01', '2027-01-01'],
  ])('of %j is from %s to %s', (search, first, last) => {
    expect(periodOf(search, TODAY)).toEqual({ first, last });
  });
});

describe('the query to the gateway', () => {
  it('ends at the midnight after the last day', () => {
    expect(exportQuery({ start: '2026-11-01', end: '2026-11-30', key_id: 'key_1' }, TODAY)).toMatchObject({ start: '2026-11-01', end: '2026-12-01', key_id: 'key_1' });
  });

  it('omits an unknown end reason', () => {
    expect(exportQuery({ end_reason: 'bored' }, TODAY).end_reason).toBeUndefined();
    expect(exportQuery({ end_reason: 'client_left' }, TODAY).end_reason).toBe('client_left');
  });

  it('ends at the time to which the list has jumped, if the period contains that time', () => {
    expect(listQuery({ at: '2026-11-20T10:30:00.000Z' }, TODAY).end).toBe('2026-11-20T10:30:00.000Z');
    expect(listQuery({ at: '2026-12-20T10:30:00.000Z' }, TODAY).end).toBe('2026-11-23');
    expect(listQuery({ at: 'noon' }, TODAY).end).toBe('2026-11-23');
  });

  it.each([
    [{}, 'day,model'], [{ group: 'none' }, 'day'], [{ group: 'key' }, 'day,key'], [{ group: 'user' }, 'user'], [{ user: 'ada' }, 'user'], [{ group: 'account' }, 'day,model'],
    [{ start: '2026-01-01' }, 'week,model'], [{ start: '2025-01-01', group: 'key' }, 'month,key'],
  ])('asks for the sums of %j by %s', (search: UsageSearch, grouping) => {
    expect(summaryQuery(search, { today: TODAY, scope: 'own' }).group_by).toBe(grouping);
  });

  it('groups the sums of all accounts by account too', () => {
    expect(summaryQuery({ group: 'account' }, { today: TODAY, scope: 'all' }).group_by).toBe('day,account');
  });
});

describe('sums', () => {
  it.each([
    [{}, null], [{ model: 'm', key_id: 'key_1', group: 'key' }, null], [{ user: 'ada' }, null], [{ group: 'user' }, null],
    [{ user: 'ada', model: 'm' }, 'user'], [{ group: 'user', key_id: 'key_1' }, 'user'], [{ end_reason: 'completed' }, 'filters'], [{ min_charge: '1', user: 'ada' }, 'filters'],
    [{ start: '2025-11-22' }, null], [{ start: '2025-11-21' }, 'period'], [{ start: '2020-01-01', end: '2020-12-31' }, null], [{ start: '2020-01-01', end: '2021-01-01', user: 'ada', model: 'm' }, 'period'],
  ])('of the search %j have the obstacle %s, or null if they can be shown', (search: UsageSearch, gap) => {
    expect(sumGap(search, { today: TODAY, scope: 'own' })).toBe(gap);
  });

  it.each([
    [{}, null], [{ group: 'key' }, null], [{ group: 'key', account: 'acct_1' }, null], [{ key_id: 'key_1' }, 'account'], [{ user: 'ada' }, 'account'], [{ user: 'ada', account: 'acct_1' }, null],
    [{ group: 'account', model: 'm' }, 'model'], [{ group: 'account', model: 'm', account: 'acct_1' }, null],
  ])('of all accounts with the search %j have the obstacle %s, or null if they can be shown', (search: UsageSearch, gap) => {
    expect(sumGap(search, { today: TODAY, scope: 'all' })).toBe(gap);
  });
});

it('sums are grouped by key only within one account, and by account only over all accounts', () => {
  const groups = [groupOf({ group: 'key' }, 'all'), groupOf({ group: 'key', account: 'acct_1' }, 'all'), groupOf({ group: 'account' }, 'all'), groupOf({ group: 'account', account: 'acct_1' }, 'all')];
  expect(groups).toEqual(['model', 'key', 'account', 'model']);
});

it('the grouping of a query is its dimension besides the period, or none', () => {
  expect([['day', 'model'], ['week', 'account'], ['user'], ['month']].map(dividedBy)).toEqual(['model', 'account', 'user', 'none']);
});

it('a change of filters drops the open record, the time jumped to and emptied fields', () => {
  expect(changed({ model: 'm', record: 'req_1', at: '2026-11-20T10:30:00Z', user: 'ada' }, { user: '', key_id: 'key_1' })).toEqual({ model: 'm', key_id: 'key_1' });
  expect(filterCount({ model: 'm', start: TODAY, group: 'key', user: 'ada' })).toBe(2);
});

it('two searches have the same extent if they differ only in the open record and the time jumped to', () => {
  expect(isSameExtent({ model: 'm' }, { model: 'm', record: 'req_1', at: '2026-11-20T10:30:00Z' })).toBe(true);
  expect(isSameExtent({ model: 'm' }, { model: 'n' })).toBe(false);
  expect(isSameExtent({}, { view: 'table' })).toBe(false);
});

it.each([
  ['model', 'own', { model: 'm', group: 'key' }], ['model', 'all', { model: 'm', group: '' }], ['key', 'own', { key_id: 'm', group: '' }],
  ['user', 'own', { user: 'm', group: '' }], ['account', 'all', { account: 'm', group: '' }], ['none', 'own', {}],
] as const)('a chart by %s of %s requests links each series to a search of that series alone', (group, scope, search: UsageSearch) => {
  expect(seriesSearch(group, 'm', scope)).toEqual(search);
});
