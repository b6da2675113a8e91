import { describe, expect, it } from '@jest/globals';
import type { ScenarioResult } from './scenarios/scenario.js';
import type { SubjectId } from './subjects/subject.js';
import { type Advance, digits, figureOf, progressText, ratioOf, renderResult } from './report.js';

function measured(subject: SubjectId, ...values: readonly number[]): ScenarioResult['measurements'] {
  return values.map((cpu, position) => ({ subject, title: subject, round: position + 1, values: { cpu } }));
}

function aResult(...measurements: readonly ScenarioResult['measurements'][]): ScenarioResult {
  return {
    id: 'small', title: 'Small requests', baseline: 'express', measurements: measurements.flat(),
    figures: [{ id: 'cpu', title: 'CPU per request', unit: 'µs', compared: 'ratio' }],
  };
}

const comparison = { figure: 'cpu', subject: 'tollgate', to: 'express' } as const;

describe('a comparison', () => {
  it('divides figures of the same round, since a slow round affects both', () => {
    const result = aResult(measured('express', 10, 100, 20), measured('tollgate', 20, 150, 30));
    expect(ratioOf(result, comparison)).toEqual({ median: 1.5, lowest: 1.5, highest: 2 });
  });

  it('skips rounds in which a figure is missing or the divisor is zero', () => {
    expect(ratioOf(aResult(measured('express', 0, 10), measured('tollgate', 5, 20, 90)), comparison)).toEqual({ median: 2, lowest: 2, highest: 2 });
  });

  it('is null if one of the two figures was not measured', () => {
    expect(ratioOf(aResult(measured('tollgate', 1)), comparison)).toBeNull();
    expect(figureOf(aResult(measured('tollgate', 1)), 'express', 'cpu')).toBeNull();
  });
});

describe('a table of results', () => {
  it('shows the ratio with its spread, and the figure of each subject', () => {
    const result = aResult(measured('express', 100, 120), measured('tollgate', 150, 240));
    expect(renderResult(result).split('\n').map((line) => line.trim().replaceAll(/ +/g, ' '))).toEqual([
      'Small requests', 'CPU per request', 'express 1 × 110 µs', 'tollgate 1.75 × [1.50-2.00] 195 µs', '',
    ]);
  });
});

describe('a number', () => {
  it.each([[0, '0'], [0.0123, '0.012'], [0.4567, '0.457'], [1.5, '1.50'], [12.34, '12.3'], [123.4, '123'], [123_456.7, '123457'], [-2.345, '-2.35'], [Number.NaN, '-']])(
    '%d is printed as %s', (value, text) => {
      expect(digits(value)).toBe(text);
    });
});

const EXPECTED = [100, 60, 40];

it.each<[string, Omit<Advance, 'expected'>, string]>([
  ['at the beginning', { part: 0, spentSeconds: 0 }, '0 %, about 3:20 left'],
  ['during a part', { part: 0, spentSeconds: 50 }, '25 %, about 2:30 left'],
  ['during a part that takes longer than expected', { part: 0, spentSeconds: 170 }, '50 %, about 1:40 left'],
  ['after a part that took less than expected', { part: 1, spentSeconds: 0 }, '50 %, about 1:40 left'],
  ['in the last seconds', { part: 2, spentSeconds: 31.2 }, '95 %, about 0:09 left'],
  ['when nothing is left', { part: 2, spentSeconds: 40 }, '100 %, about 0:00 left'],
])('%s, a run prints its progress and the remaining time', (_case, advance, text) => {
  expect(progressText({ expected: EXPECTED, ...advance })).toBe(text);
});
