import { describe, expect, it } from '@jest/globals';
import { fittingColumns, isWiderThan, leastWidth, type PlacedColumn, readChoice, spaceOf } from './column-choice.js';

const COLUMNS: readonly PlacedColumn[] = [
  { id: 'ended', width: 100 }, { id: 'prompt', width: 50, leaves: 1 }, { id: 'first', width: 50, leaves: 3 }, { id: 'user', width: 80, isExtra: true }, { id: 'output', width: 50, leaves: 2 }, { id: 'charge', width: 100 },
];

it.each([['120px', 120], ['minmax(80px, 1.3fr)', 80], ['1fr', 0]])('the grid track %s is at least %d pixels wide', (track, width) => {
  expect(leastWidth(track)).toBe(width);
});

describe('a table', () => {
  it('is as wide as the sum of its columns, the gaps between them and the padding of a row', () => {
    expect([spaceOf([{ width: 100 }, { width: 50 }]), spaceOf([{ width: 100 }])]).toEqual([184, 124]);
  });

  it.each([
    [null, 'ended prompt first output charge'],
    [414, 'ended prompt first output charge'],
    [413, 'ended prompt output charge'],
    [353, 'ended prompt charge'],
    [293, 'ended charge'],
    [10, 'ended charge'],
  ])('of %s pixels shows the columns %s', (width, ids) => {
    expect(fittingColumns(COLUMNS, width).join(' ')).toBe(ids);
  });

  it('is too wide if its columns need more than the available width', () => {
    expect([isWiderThan(COLUMNS, 503), isWiderThan(COLUMNS, 504), isWiderThan(COLUMNS, null)]).toEqual([true, false, false]);
  });
});

it.each([
  ['nothing', null, null],
  ['a list in another order', '["charge","ended"]', ['ended', 'charge']],
  ['a list with an unknown column', '["gone","user"]', ['user']],
  ['a list of unknown columns only', '["gone"]', null],
  ['an object', '{"ended":true}', null],
  ['text that is not JSON', 'ended', null],
])('a choice of columns contains the known columns of the stored list, and is missing if there are none: %s', (_, text, ids) => {
  expect(readChoice(text, COLUMNS)).toEqual(ids);
});
