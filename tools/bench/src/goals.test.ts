import { describe, expect, it } from '@jest/globals';
import { renderGoals } from './report.js';
import type { ScenarioResult } from './scenarios/scenario.js';
import { evaluateGoals, type Goal, type GoalCheck, GOALS } from './goals.js';

const CHECK: GoalCheck = {
  text: 'CPU', scenario: 'small', figure: 'cpu', subject: 'tollgate', against: 'express', comparison: 'at most', limit: 2, unit: '×',
};

const RESULT: ScenarioResult = {
  id: 'small', title: 'Small', baseline: 'express', figures: [],
  measurements: [
    { subject: 'express', title: 'Express', round: 1, values: { cpu: 100, throughput: 1000 } },
    { subject: 'tollgate', title: 'Tollgate', round: 1, values: { cpu: 250, throughput: 600, errors: 3 } },
  ],
};

function verdict(check: Partial<GoalCheck>): unknown {
  const goal: Goal = { number: 1, title: 'Small requests', checks: [{ ...CHECK, ...check }] };
  const [{ reached, verdict: word, missedBy } = {}] = evaluateGoals([goal], [RESULT]);
  return { reached, verdict: word, missedBy };
}

describe('a goal', () => {
  it.each<[string, Partial<GoalCheck>, unknown]>([
    ['missed above its limit, by a share of the limit', {}, { reached: 2.5, verdict: 'missed', missedBy: 0.25 }],
    ['met below its limit', { limit: 3 }, { reached: 2.5, verdict: 'met', missedBy: 0 }],
    ['met right at its limit', { limit: 2.5 }, { reached: 2.5, verdict: 'met', missedBy: 0 }],
    ['missed below its minimum', { figure: 'throughput', comparison: 'at least', limit: 0.8 }, { reached: 0.6, verdict: 'missed', missedBy: expect.closeTo(0.25) }],
    ['met above its minimum', { figure: 'throughput', comparison: 'at least', limit: 0.5 }, { reached: 0.6, verdict: 'met', missedBy: 0 }],
    ['compared with an absolute figure if it is defined so', { against: 'itself', limit: 200 }, { reached: 250, verdict: 'missed', missedBy: 0.25 }],
    ['missed without a share if the limit is zero', { figure: 'errors', against: 'itself', limit: 0 }, { reached: 3, verdict: 'missed', missedBy: 0 }],
    ['not measured if its scenario did not run', { scenario: 'large' }, { reached: null, verdict: 'not measured', missedBy: 0 }],
    ['not measured if one side of the ratio is missing', { against: 'portkey' }, { reached: null, verdict: 'not measured', missedBy: 0 }],
  ])('is %s', (_case, check, expected) => {
    expect(verdict(check)).toEqual(expected);
  });

  it('is reported with its figure and the share by which it was missed', () => {
    const rendered = renderGoals(evaluateGoals([{ number: 4, title: 'Small requests', checks: [CHECK] }], [RESULT]));
    expect(rendered).toContain('4. Small requests: CPU  at most 2.00 ×   2.50 ×  missed by 25 %');
    expect(rendered).not.toContain('ot measured');
  });

  it('is reported with its attainable bound, without a verdict on the bound', () => {
    const [beside, apart] = [{ ...CHECK, bound: { against: 'express', limit: 1.5 } }, { ...CHECK, bound: { against: 'durable', limit: 1.5 } }] as const;
    const rendered = renderGoals(evaluateGoals([{ number: 4, title: 'Small requests', checks: [{ ...beside, limit: 3 }, apart] }], [RESULT]));
    expect(rendered).toMatch(/2\.50 × +met +1\.50 × Express: 2\.50 ×\n/);
    expect(rendered).toMatch(/2\.50 × +missed by 25 % +1\.50 × waiting for the disk: not measured\n/);
  });

  it('is named below the table if it was not measured', () => {
    const large: GoalCheck = { ...CHECK, scenario: 'large' };
    const goals = [
      { number: 4, title: 'Small requests', checks: [CHECK, { ...large, text: 'stall' }, { ...large, text: 'memory' }] },
      { number: 5, title: 'Streams', checks: [{ ...large, text: 'events' }] },
    ];
    const rendered = renderGoals(evaluateGoals(goals, [RESULT]));
    expect(rendered.split('\n').filter((line) => line.includes('2.00'))).toEqual(['4. Small requests: CPU  at most 2.00 ×   2.50 ×  missed by 25 %']);
    expect(rendered).toMatch(/\nNot measured: 4 \(stall; memory\), 5 \(events\)\n$/);
    expect(renderGoals(evaluateGoals(goals, []))).toBe('Goals\nNot measured: 4 (CPU; stall; memory), 5 (events)\n');
  });
});

it('no two checks of the goals are equal', () => {
  const names = GOALS.flatMap(({ checks }) => checks.map(({ scenario, figure, against }) => `${scenario} ${figure} ${against}`));
  expect(new Set(names).size).toBe(names.length);
});
