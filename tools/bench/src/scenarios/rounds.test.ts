import { describe, expect, it } from '@jest/globals';
import type { SubjectId } from '../subjects/subject.js';
import { expectedSeconds, turnsIn } from './rounds.js';
import { Warmth } from './scenario.js';

const ALL: readonly SubjectId[] = ['direct', 'node', 'express', 'tollgate', 'tollgate-compared'];

function subjectsOf(ids: readonly SubjectId[]): readonly { readonly id: SubjectId }[] {
  return ids.map((id) => ({ id }));
}

function turns(round: number, seldom: readonly SubjectId[]): readonly SubjectId[] {
  return turnsIn(round, subjectsOf(ALL), seldom).map(({ id }) => id);
}

describe('the turns of a round', () => {
  it.each<[string, number, readonly SubjectId[], readonly SubjectId[]]>([
    ['go as the subjects stand in the first round', 1, [], ALL],
    ['go backwards in the second', 2, [], ALL.toReversed()],
    ['go forwards again in the third', 3, [], ALL],
    ['include in the first those that nothing is compared with', 1, ['direct', 'node'], ALL],
    ['leave those out of the second', 2, ['direct', 'node'], ['tollgate-compared', 'tollgate', 'express']],
    ['leave out of the second only those called seldom', 2, ['node'], ['tollgate-compared', 'tollgate', 'express', 'direct']],
  ])('%s', (_case, round, seldom, expected) => {
    expect(turns(round, seldom)).toEqual(expected);
  });

  it('let no subject follow the same one in two consecutive rounds', () => {
    const pairsOf = (round: number): readonly string[] => turns(round, []).slice(1).map((id, position) => `${id} after ${turns(round, [])[position]}`);
    expect(pairsOf(1).filter((pair) => pairsOf(2).includes(pair))).toEqual([]);
  });
});

describe('the time that rounds are expected to take', () => {
  const pacing = {
    subjects: ['direct', 'express', 'tollgate'] as const, seldom: ['direct'] as const, rounds: 3, seconds: 2,
    warmUp: { work: 'small', gatewaySeconds: 10, passThroughSeconds: 1 } as const,
  };
  const pace = () => ({ subjects: subjectsOf(ALL), warmth: new Warmth(), rounds: 0, longRounds: 0, secondsFactor: 1 });

  it('is that of every turn of those that take part, and of their warm-ups', () => {
    // Three turns, two, three; a pass-through and a gateway to warm up. What lies between two turns is little.
    expect(expectedSeconds(pace(), pacing)).toBeGreaterThanOrEqual(8 * 2 + 11);
    expect(expectedSeconds(pace(), pacing)).toBeLessThan(8 * 2 + 11 + 1);
  });

  it('leaves out the warm-ups that came before', () => {
    const same = pace();
    const first = expectedSeconds(same, pacing);
    expect(expectedSeconds(same, pacing)).toBeCloseTo(first - 11);
  });
});
