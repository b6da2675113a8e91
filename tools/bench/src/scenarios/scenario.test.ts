import { describe, expect, it } from '@jest/globals';
import { expectedSeconds, turnsIn, Warmth, type WarmUp } from './scenario.js';
import type { SubjectId } from '../subjects/subject.js';

const SMALL: WarmUp = { work: 'small', gatewaySeconds: 9, passThroughSeconds: 3 };
const LONGER: WarmUp = { ...SMALL, gatewaySeconds: 12 };
const SHORTER: WarmUp = { ...SMALL, gatewaySeconds: 5 };
const OTHER: WarmUp = { work: 'streams', gatewaySeconds: 2, passThroughSeconds: 1 };

it.each<[string, readonly WarmUp[], readonly number[]]>([
  ['for the whole time at first', [SMALL], [9]],
  ['not again for the same work', [SMALL, SMALL], [9, 0]],
  ['not again for the same work with a shorter warm-up', [SMALL, SHORTER, SMALL], [9, 0, 0]],
  ['for the additional time of a longer warm-up', [SMALL, LONGER, LONGER], [9, 3, 0]],
  ['for the whole time of other work', [SMALL, OTHER, SMALL, OTHER], [9, 2, 0, 0]],
])('a gateway is warmed up %s', (_case, asked, given) => {
  const warmth = new Warmth();
  const gateway = { id: 'tollgate' } as const;
  expect(asked.map((warmUp) => warmth.take(gateway, warmUp))).toEqual(given);
});

it('two subjects with the same id warm up separately', () => {
  const warmth = new Warmth();
  warmth.take({ id: 'tollgate' }, SMALL);
  expect(warmth.take({ id: 'tollgate' }, SMALL)).toBe(9);
});

it.each([['direct', 0], ['node', 3], ['express', 3], ['parsing', 3], ['durable', 3], ['tollgate', 9], ['tollgate-compared', 9], ['shared', 9], ['portkey', 9]] as const)(
  'the warm-up of the subject %s takes %d seconds', (id, seconds) => {
    expect(new Warmth().take({ id }, SMALL)).toBe(seconds);
  });

const ALL: readonly SubjectId[] = ['direct', 'node', 'express', 'tollgate', 'tollgate-compared'];

function subjectsOf(ids: readonly SubjectId[]): readonly { readonly id: SubjectId }[] {
  return ids.map((id) => ({ id }));
}

function turns(round: number, seldom: readonly SubjectId[]): readonly SubjectId[] {
  return turnsIn(round, subjectsOf(ALL), seldom).map(({ id }) => id);
}

describe('the turns of a round', () => {
  it.each<[string, number, readonly SubjectId[], readonly SubjectId[]]>([
    ['have the order of the subjects in the first round', 1, [], ALL],
    ['have the reverse order in the second round', 2, [], ALL.toReversed()],
    ['have the first order again in the third round', 3, [], ALL],
    ['include, in the first round, subjects that are called seldom', 1, ['direct', 'node'], ALL],
    ['omit, in the second round, subjects that are called seldom', 2, ['direct', 'node'], ['tollgate-compared', 'tollgate', 'express']],
    ['omit, in the second round, no other subjects', 2, ['node'], ['tollgate-compared', 'tollgate', 'express', 'direct']],
  ])('%s', (_case, round, seldom, expected) => {
    expect(turns(round, seldom)).toEqual(expected);
  });

  it('put no subject directly after the same predecessor in two consecutive rounds', () => {
    const pairsOf = (round: number): readonly string[] => turns(round, []).slice(1).map((id, position) => `${id} after ${turns(round, [])[position]}`);
    expect(pairsOf(1).filter((pair) => pairsOf(2).includes(pair))).toEqual([]);
  });
});

describe('the expected duration of rounds', () => {
  const pacing = {
    subjects: ['direct', 'express', 'tollgate'] as const, seldom: ['direct'] as const, rounds: 3, seconds: 2,
    warmUp: { work: 'small', gatewaySeconds: 10, passThroughSeconds: 1 } as const,
  };
  const pace = () => ({ subjects: subjectsOf(ALL), warmth: new Warmth(), rounds: 0, longRounds: 0, secondsFactor: 1 });

  it('includes every turn, and the warm-ups of the subjects', () => {
    // Rounds of three, two and three turns of 2 s each, and warm-ups of 1 s and 10 s. The pauses between turns are short.
    expect(expectedSeconds(pace(), pacing)).toBeGreaterThanOrEqual(8 * 2 + 11);
    expect(expectedSeconds(pace(), pacing)).toBeLessThan(8 * 2 + 11 + 1);
  });

  it('excludes warm-ups of earlier scenarios', () => {
    const same = pace();
    const first = expectedSeconds(same, pacing);
    expect(expectedSeconds(same, pacing)).toBeCloseTo(first - 11);
  });
});
