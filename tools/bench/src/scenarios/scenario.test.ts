import { expect, it } from '@jest/globals';
import { Warmth, type WarmUp } from './scenario.js';

const SMALL: WarmUp = { work: 'small', gatewaySeconds: 9, passThroughSeconds: 3 };
const LONGER: WarmUp = { ...SMALL, gatewaySeconds: 12 };
const SHORTER: WarmUp = { ...SMALL, gatewaySeconds: 5 };
const OTHER: WarmUp = { work: 'streams', gatewaySeconds: 2, passThroughSeconds: 1 };

it.each<[string, readonly WarmUp[], readonly number[]]>([
  ['all that it lacks at first', [SMALL], [9]],
  ['nothing of what it is warm for', [SMALL, SMALL], [9, 0]],
  ['nothing where it was warmed up for longer', [SMALL, SHORTER, SMALL], [9, 0, 0]],
  ['the rest where it was warmed up for less', [SMALL, LONGER, LONGER], [9, 3, 0]],
  ['all of a work that is another', [SMALL, OTHER, SMALL, OTHER], [9, 2, 0, 0]],
])('a gateway is given %s', (_case, asked, given) => {
  const warmth = new Warmth();
  const gateway = { id: 'tollgate' } as const;
  expect(asked.map((warmUp) => warmth.take(gateway, warmUp))).toEqual(given);
});

it('two subjects of one name are not warm for each other', () => {
  const warmth = new Warmth();
  warmth.take({ id: 'tollgate' }, SMALL);
  expect(warmth.take({ id: 'tollgate' }, SMALL)).toBe(9);
});

it.each([['direct', 0], ['node', 3], ['express', 3], ['parsing', 3], ['durable', 3], ['tollgate', 9], ['tollgate-compared', 9], ['shared', 9], ['portkey', 9]] as const)(
  'of those that hand on and those that read, %s takes %d seconds', (id, seconds) => {
    expect(new Warmth().take({ id }, SMALL)).toBe(seconds);
  });
