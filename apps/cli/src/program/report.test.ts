import { describe, expect, it } from '@jest/globals';
import type { Instant } from '@tollgate/core';
import { list, print, type ReportPart, shortened, table, tableOr, time, type View } from './report.js';

it('names are truncated according to their width in a terminal', () => {
  expect(['x'.repeat(40), 'x'.repeat(41), `${'x'.repeat(38)}😀x`].map(shortened)).toEqual(['x'.repeat(40), `${'x'.repeat(39)}…`, `${'x'.repeat(38)}…`]);
  expect(shortened('\u202e'.repeat(200))).toBe(`${'\\u202e'.repeat(6)}\\u2…`);
});

describe('a report', () => {
  const now = Date.parse('2026-11-21T10:00:00.000Z') as Instant;
  const at = (now - 120_000) as Instant;

  function printed(lines: readonly ReportPart[], view: Partial<View> = {}): string {
    let out = '';
    print({ json: { at: 1 }, lines }, { form: 'text', columns: null, now, ...view }, { out: (text) => { out += text; }, error: () => undefined });
    return out;
  }

  it('shows times relative to now, and adds the exact time in lists', () => {
    expect(printed([...table(['ID', 'USED'], [['a', time(at)], ['b', time(null, 'never')], ['c', time(null)]]), ...list({ Id: 'a', Used: time(at) })]))
      .toBe('ID  USED\na   2 min ago\nb   never\nc\nId:   a\nUsed: 2026-11-21T09:58:00.000Z (2 min ago)\n');
  });

  it('does not truncate times', () => {
    const lines = table(['USED', 'NAME'], [[time((now - 86_400_000) as Instant), 'x'.repeat(40)]]);
    expect(printed(lines, { columns: 26 })).toBe('USED              NAME\n2026-11-20 10:00  xxxxxxx…\nCut to 26 columns: --wide shows all.\n');
  });

  it('escapes control characters, and prints a sentence instead of a table without rows', () => {
    expect(printed([...table(['NAME'], [['a\u001bb\nc']]), ...tableOr('There is none.', ['NAME'], [])])).toBe('NAME\na\\u001bb\\u000ac\nThere is none.\n');
  });

  it('is printed as JSON for programs', () => {
    expect(printed(['x'], { form: 'json' })).toBe('{\n  "at": 1\n}\n');
  });
});
