import { expect, it } from '@jest/globals';
import { compareReader, faultsOfNumbers, type StoredEvent } from './compare-feed.js';

const STORED: readonly StoredEvent[] = [
  { id: 'a', accountId: 'acct_1', accountSequence: 1, position: 1 },
  { id: 'b', accountId: null, accountSequence: null, position: 2 },
  { id: 'c', accountId: 'acct_1', accountSequence: 2, position: 3 },
];

const SOUND = { reader: 'one', missed: 0, doubled: 0, unknown: 0, disordered: 0 };

it.each([
  [['a', 'b', 'c'], {}], [['a', 'c'], { missed: 1 }], [['a', 'b', 'b', 'c', 'a'], { doubled: 2 }], [['a', 'b', 'c', 'x'], { unknown: 1 }],
  [['c', 'a', 'b'], { disordered: 2 }], [['a', 'c', 'b'], { disordered: 1 }], [[], { missed: 3 }],
])('the check of a feed counts missed, repeated, unknown and unordered events for a reader that received %j', (seen, wrong) => {
  expect(compareReader('one', seen, STORED)).toEqual({ ...SOUND, read: seen.length, ...wrong });
});

it('the check of a feed finds gaps in positions and in the numbers of an account’s events', () => {
  const [first, second, third] = STORED as [StoredEvent, StoredEvent, StoredEvent];
  expect(faultsOfNumbers(STORED.toReversed())).toEqual([]);
  expect(faultsOfNumbers([first, third])).toEqual(['event c has position 3, so positions are not 1, 2, 3 …']);
  expect(faultsOfNumbers([first, second, { ...third, position: null }])).toHaveLength(2);
  expect(faultsOfNumbers([first, second, { ...third, accountSequence: 3 }])).toEqual(['the events of acct_1 are not numbered 1, 2, 3 … in the order of the feed']);
  expect(faultsOfNumbers([{ ...first, accountSequence: 2 }, second, { ...third, accountSequence: 1 }])).toHaveLength(1);
});
