import { describe, expect, it } from '@jest/globals';
import type { Row } from '../books/database-view.js';
import { SeenEntries } from './seen-entries.js';

describe('the check of ledger entries that were seen before', () => {
  const first: Row = ['1', 'top-up', '5'];
  const second: Row = ['2', 'charge', '3'];

  it.each<[string, readonly Row[], readonly string[]]>([
    ['still exist: no violation', [first, second], []],
    ['still exist beside new ones, even one with a smaller number: no violation', [['0', 'charge', '1'], first, second, ['3', 'charge', '9']], []],
    ['have changed: a violation', [first, ['2', 'charge', '4']], ['I12: ledger entry 2 has changed from 2|charge|3 to 2|charge|4']],
    ['are missing: a violation', [first], ['I12: 1 ledger entries have gone']],
    ['are missing beside new ones: a violation', [first, ['3', 'charge', '9']], ['I12: 1 ledger entries have gone']],
  ])('judges entries that %s', (_name, rows, violations) => {
    const entries = new SeenEntries();
    expect(entries.look([first, second])).toEqual([]);
    expect(entries.look(rows)).toEqual(violations);
  });
});
