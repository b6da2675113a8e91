import { describe, expect, it } from '@jest/globals';
import { instant, rfc3339 } from '@tollgate/core';
import { amountValue, creditValue, endTimeValue, pastTimeValue, timeValue } from './option-values.js';

const NOW = instant(Date.UTC(2026, 10, 21, 12));

describe('timeValue', () => {
  it.each([
    ['2026-12-01', '2026-12-01T00:00:00.000Z'],
    ['2026-12-01T10:30Z', '2026-12-01T10:30:00.000Z'],
    ['2026-12-01T10:30:15+02:00', '2026-12-01T08:30:15.000Z'],
    ['45s', '2026-11-21T12:00:45.000Z'],
    ['30m', '2026-11-21T12:30:00.000Z'],
    ['12h', '2026-11-22T00:00:00.000Z'],
    ['90d', '2027-02-19T12:00:00.000Z'],
  ])('reads %s', (text, expected) => {
    expect(rfc3339(timeValue(text)(NOW))).toBe(expected);
  });

  it.each(['', 'tomorrow', '2026-02-30', '2026-13-01T00:00Z', '2026-12-01T10:30', '10', '-1d', '2026-02-30T10:00Z', '2027-02-29T10:00:00Z', '2026-11-31T00:00:00+01:00', '2026-12-01T25:00Z'])('refuses %j', (text) => {
    expect(() => timeValue(text)).toThrow('It must be a day');
  });

  it('reads a day as its last moment in UTC where the end of a period is expected', () => {
    expect(rfc3339(endTimeValue('2026-11-28')(NOW))).toBe('2026-11-28T23:59:59.999Z');
    expect([rfc3339(endTimeValue('2026-12-01T10:30Z')(NOW)), rfc3339(endTimeValue('12h')(NOW))]).toEqual(['2026-12-01T10:30:00.000Z', '2026-11-22T00:00:00.000Z']);
    expect(() => endTimeValue('2026-02-30')).toThrow('It must be a day');
  });

  it('reads a duration as a time in the past where the start of a period is expected', () => {
    expect(rfc3339(pastTimeValue('7d')(NOW))).toBe('2026-11-14T12:00:00.000Z');
    expect(rfc3339(pastTimeValue('2026-11-01')(NOW))).toBe('2026-11-01T00:00:00.000Z');
  });
});

describe('amountValue', () => {
  it.each(['1', '0.000001', '999999999999.999999'])('reads %s exactly', (text) => {
    expect(amountValue(text).toString()).toBe(text);
  });

  it.each(['', '0', '-1', '1.0000001', '1e3', '1,5', 'NaN', '١'])('refuses %j', (text) => {
    expect(() => amountValue(text)).toThrow('decimal number above 0');
  });

  it('has a variant, creditValue, that accepts 0 for no credit', () => {
    expect(creditValue('0').isZero()).toBe(true);
    expect(() => creditValue('-0')).toThrow('decimal number above 0');
  });
});
