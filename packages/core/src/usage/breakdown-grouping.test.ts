import { describe, expect, it } from '@jest/globals';
import { instant } from '../time/instant.js';
import { mostBucketsOf, parseBreakdownGrouping, topGroupsOf } from './breakdown-grouping.js';

const DIMENSIONS = ['model', 'key', 'user'] as const;

function parsed(text: string): string | null {
  const grouping = parseBreakdownGrouping(text, DIMENSIONS, ['user']);
  return grouping === null ? null : `${grouping.unit ?? '-'} ${grouping.group ?? '-'}`;
}

describe('what a summary is grouped by', () => {
  it.each([
    ['day', 'day -'], ['week', 'week -'], ['month', 'month -'], ['model', '- model'], ['key', '- key'], ['user', '- user'],
    ['day,model', 'day model'], ['model,day', 'day model'], ['month,key', 'month key'],
  ])('%s is read', (text, expected) => {
    expect(parsed(text)).toBe(expected);
  });

  it.each([
    '', 'hour', 'day,', ',day', 'day,week', 'day,day', 'model,key', 'model,model', 'day,model,key', 'day,user', 'user,month', 'user,model', 'account', 'day,account', 'Day',
    '__proto__',
  ])('%j is refused', (text) => {
    expect(parsed(text)).toBeNull();
  });

  it('tells apart what was asked for, or five groups of each period, or a thousand of a list', () => {
    expect(topGroupsOf({ unit: 'day', group: 'model' }, 20)).toBe(20);
    expect(topGroupsOf({ unit: 'day', group: 'model' }, null)).toBe(5);
    expect(topGroupsOf({ unit: null, group: 'model' }, null)).toBe(1000);
  });

  it('has a bucket for each group of each period, and one for the others', () => {
    const days = { from: instant(Date.UTC(2026, 0, 1)), to: instant(Date.UTC(2027, 0, 1)) };
    expect(mostBucketsOf({ unit: 'day', group: 'model' }, days, 5)).toBe(365 * 6);
    expect(mostBucketsOf({ unit: 'week', group: 'model' }, days, 20)).toBe(53 * 21);
    expect(mostBucketsOf({ unit: 'month', group: null }, days, 20)).toBe(12);
    expect(mostBucketsOf({ unit: null, group: 'user' }, days, 1000)).toBe(1001);
  });
});
