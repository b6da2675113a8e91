import { describe, expect, it } from '@jest/globals';
import type { Row } from '../books/database-view.js';
import { SeenEntries } from './seen-entries.js';

describe('entries of the ledger', () => {
  const first: Row = ['1', 'top-up', '5'];
  const second: Row = ['2', 'charge', '3'];

  it.each<[string, readonly Row[], readonly string[]]>([
    ['stay', [first, second], []],
    ['are joined by others, also by one with a smaller number', [['0', 'charge', '1'], first, second, ['3', 'charge', '9']], []],
    ['change', [first, ['2', 'charge', '4']], ['I12: ledger entry 2 has changed from 2|charge|3 to 2|charge|4']],
    ['vanish', [first], ['I12: 1 ledger entries have gone']],
    ['vanish while others come', [first, ['3', 'charge', '9']], ['I12: 1 ledger entries have gone']],
  ])('that %s', (_name, rows, violations) => {
    const entries = new SeenEntries();
    expect(entries.look([first, second])).toEqual([]);
    expect(entries.look(rows)).toEqual(violations);
  });
});
