import { describe, expect, it } from '@jest/globals';
import { SeededRandom } from '@tollgate/testkit/programs';
import { KILL_POINTS } from '../gateways/kill-points.js';
import { planRounds, type Playground, type RoundCounts, type RoundPlan } from './run-rounds.js';

const ONE: Playground = { gateways: 1, canBeLeftAlone: true, drawTrouble: () => null };
const THREE: Playground = { gateways: 3, canBeLeftAlone: false, drawTrouble: () => ({ kind: 'redis-killed', milliseconds: 100 }) };

function plan(playground: Playground, seed = 1, counts: RoundCounts = { killPoints: 4, random: 40 }): readonly RoundPlan[] {
  return planRounds(counts, playground, new SeededRandom(seed));
}

describe.each([['one gateway', ONE], ['three gateways', THREE]])('the plan of a chaos run on %s', (_name, playground) => {
  it('is the same for the same seed, and different for another', () => {
    expect(plan(playground)).toEqual(plan(playground));
    expect(plan(playground, 2)).not.toEqual(plan(playground));
  });

  it('has the requested number of rounds of each kind', () => {
    for (const point of KILL_POINTS) expect(plan(playground).filter(({ kind }) => kind === point)).toHaveLength(4);
    expect(plan(playground).filter(({ kind }) => kind === 'random')).toHaveLength(40);
  });

  it('has every kind of round in its first half', () => {
    const firstHalf = plan(playground).slice(0, plan(playground).length / 2);
    for (const kind of [...KILL_POINTS, 'random']) expect(firstHalf.some((round) => round.kind === kind)).toBe(true);
  });

  it('leaves out kinds that are not requested', () => {
    expect(new Set(plan(playground, 1, { killPoints: 0, random: 3 }).map(({ kind }) => kind))).toEqual(new Set(['random']));
  });
});

describe('the plan of a chaos run', () => {
  it('kills one of three gateways at each kill point, and sometimes two at random moments', () => {
    const rounds = plan(THREE);
    expect(rounds.filter(({ kind, seats }) => kind !== 'random' && seats.length !== 1)).toEqual([]);
    expect(new Set(rounds.map(({ seats }) => seats.length))).toEqual(new Set([1, 2]));
    expect(rounds.every(({ seats }) => new Set(seats).size === seats.length)).toBe(true);
    expect(new Set(rounds.flatMap(({ seats }) => seats))).toEqual(new Set([0, 1, 2]));
  });

  it('kills Redis in some of the rounds of kind random, and in no round of another kind', () => {
    expect(new Set(plan(THREE).map(({ trouble }) => trouble?.kind ?? 'none'))).toEqual(new Set(['none', 'redis-killed']));
    expect(plan(THREE).filter(({ kind, trouble }) => kind !== 'random' && trouble !== null)).toEqual([]);
  });

  it('watches the database in every round, or only in some if the setup permits unwatched rounds', () => {
    expect(new Set(plan(ONE).map(({ watched }) => watched))).toEqual(new Set([true, false]));
    expect(plan(THREE).every(({ watched }) => watched)).toBe(true);
  });
});
