import { describe, expect, it } from '@jest/globals';
import { KILL_POINTS } from '../kill-points/kill-point.js';
import { Random } from '../random.js';
import { planRounds } from './round-plan.js';

describe('the plan of a chaos run', () => {
  const plans = planRounds({ runs: 4, random: 12 }, new Random(1));

  it('is the same for the same seed, and another for another', () => {
    expect(planRounds({ runs: 4, random: 12 }, new Random(1))).toEqual(plans);
    expect(planRounds({ runs: 4, random: 12 }, new Random(2))).not.toEqual(plans);
  });

  it('has as many rounds of each kind as were asked for', () => {
    for (const point of KILL_POINTS) expect(plans.filter(({ kind }) => kind === point)).toHaveLength(4);
    expect(plans.filter(({ kind }) => kind === 'random')).toHaveLength(12);
  });

  it('gives every kind its share of the first half', () => {
    const firstHalf = plans.slice(0, plans.length / 2);
    for (const kind of [...KILL_POINTS, 'random']) expect(firstHalf.some((plan) => plan.kind === kind)).toBe(true);
  });

  it('leaves out what is not asked for', () => {
    expect(new Set(planRounds({ runs: 0, random: 3 }, new Random(1)).map(({ kind }) => kind))).toEqual(new Set(['random']));
  });
});
