import { describe, expect, it } from '@jest/globals';
import {
  type AccountId, ALL_ACCOUNTS, chargeOf, exportUsage, instant, later, type ModelSlug, NO_USAGE_FILTERS, PROMPT_COUNTS, RECORDS_PER_EXPORT_STEP,
  ServiceTokens, type UsagePage, type UsageQuery, type UsageReport,
} from '@tollgate/core';
import { anEnding, aServedModel, requestFacts } from '@tollgate/testkit';
import * as fc from 'fast-check';
import { encodeAccountUsageRecord, encodeOperatorUsageRecord } from './encode-usage-record.js';
import { cellsOf, USAGE_COLUMNS, usageExportForm, usageExportText } from './usage-export.js';

interface ClientTexts { readonly attribution: string | null; readonly requestedModel: string; readonly model: string }

function recordOf({ attribution, requestedModel, model }: ClientTexts): UsageReport {
  const facts = requestFacts({ attribution, requestedModel });
  return {
    ...facts, ...anEnding(12, { service: aServedModel({ servedBy: model as ModelSlug }) }),
    charge: chargeOf(ServiceTokens.parse('12.000001'), facts.usdPerServiceToken), writeOff: ServiceTokens.ZERO, purchase: null,
    reserved: ServiceTokens.parse('20'), admittedAt: later(facts.startedAt, 5), settledAt: later(facts.startedAt, 1010),
  };
}

const PLAIN = recordOf({ attribution: 'ann', requestedModel: 'small', model: 'small' });

/** Parses RFC 4180; an empty cell without quotes is `null`. */
function parseCsv(text: string): readonly (readonly (string | null)[])[] {
  const rows: (string | null)[][] = [[]];
  const cells = [...text.matchAll(/(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n)/gu)];
  if (cells.map(([cell]) => cell).join('') !== text) throw new Error(`no CSV: ${JSON.stringify(text)}`);
  for (const [, quoted, plain = '', end] of cells) {
    rows.at(-1)?.push(quoted === undefined ? plain || null : quoted.replaceAll('""', '"'));
    if (end === '\r\n') rows.push([]);
  }
  return rows.slice(0, -1);
}

/** Reverses the formula escape as support.md describes. */
function withApostrophesRemoved(cell: string | null): string | null {
  return cell === null ? null : cell.replaceAll(/(^|[",;\t\r\n])'/gu, '$1');
}

const FORMULA = /^[=+\-@\t\r\n＝＋－＠]/u;
const dangerous = fc.string({ unit: fc.constantFrom('=', '+', '-', '@', "'", '"', ',', ';', '\t', '\r', '\n', '＝', '＠', 'a', '1', ' ', 'é') });
const clientText = fc.oneof(dangerous, fc.string({ unit: 'binary' }));

describe('an export as CSV', () => {
  const { head, line } = usageExportForm('csv', { reader: 'operator', bom: true });

  it('has a column for every field of a record, and a row for each record', () => {
    const { id, object, usage, ...fields } = encodeAccountUsageRecord(PLAIN);
    expect([id, object]).toEqual(['req_1', 'usage_record']);
    expect([...USAGE_COLUMNS].toSorted()).toEqual([...Object.keys(fields), ...Object.keys(usage)].toSorted());
    expect(head + line(PLAIN)).toBe(
      '\uFEFFaccount_id,request_id,key_id,format,streamed,requested_model,model,fallback_used,user,end_reason,usage_source,started_at,admitted_at,first_output_at,ended_at,settled_at,'
      + `prompt_tokens,${PROMPT_COUNTS.map(({ name }) => `${name}_tokens`).join(',')},output_tokens,reasoning_tokens,reasoning_withheld,reasoning_omitted,settings_omitted,total_tokens,`
      + 'reserved,svc_tokens_debited,svc_cost_usd,svc_tokens_written_off,price_list,price_version,upstream\r\n'
      + 'acct_alice,req_1,key_1,chat,true,small,small,false,ann,completed,reported,2026-11-18T12:00:00.000Z,2026-11-18T12:00:00.005Z,,2026-11-18T12:00:01.000Z,2026-11-18T12:00:01.010Z,'
      + `0,${PROMPT_COUNTS.map(() => '0').join(',')},12,0,false,false,,12,20,12.000001,0.12000001,0,standard,initial,scripted\r\n`);
    expect(`\uFEFF${usageExportForm('csv', { reader: 'operator', bom: false }).head}`).toBe(head);
    expect(usageExportForm('ndjson', { reader: 'operator', bom: true }).head).toBe('');
    expect(usageExportForm('csv', { reader: 'owner', bom: true }).head).toBe(head.replace('account_id,', '').replace(',upstream', ''));
  });

  it('can be read back without loss, whatever clients wrote', () => {
    fc.assert(fc.property(fc.option(clientText), clientText, clientText, (attribution, requestedModel, model) => {
      const record = recordOf({ attribution, requestedModel, model });
      const [columns = [], cells = [], ...rest] = parseCsv(head.slice(1) + line(record));
      expect(rest).toEqual([]);
      const read = Object.fromEntries(columns.map((column, position) => [column, withApostrophesRemoved(cells[position] ?? null)]));
      const { id: _id, object: _object, ...values } = cellsOf(encodeOperatorUsageRecord(record));
      expect(read).toEqual(Object.fromEntries(Object.entries(values).map(([name, value]) => [name, value === null ? null : String(value)])));
    }), { numRuns: 500 });
  });

  it('has no cell that begins a formula, even if a reader splits at semicolons, tabs, quotes or line breaks', () => {
    fc.assert(fc.property(clientText, clientText, (attribution, model) => {
      const row = line(recordOf({ attribution, requestedModel: 'small', model }));
      for (const cell of parseCsv(row).flat()) expect(cell ?? '').not.toMatch(FORMULA);
      for (const cell of row.split(/[",;\t\r\n]/u)) expect(cell).not.toMatch(FORMULA);
    }), { numRuns: 500 });
  });

  it.each([
    ['=1+1', "'=1+1"], ['-1', "'-1"], ["'quoted'", "''quoted'"], ['a;=1', '"a;\'=1"'], ['a-1', 'a-1'], ['', '""'], ['\t=1', '"\'\t\'=1"'], ['say "hi"', '"say ""hi"""'],
  ])('writes %j as %s', (attribution, cell) => {
    expect(line(recordOf({ attribution, requestedModel: 'small', model: 'small' }))).toContain(`,false,${cell},completed,`);
  });
});

describe('a usage export', () => {
  it('as NDJSON has one record per line, as the lists of the API show it', () => {
    const hostile = recordOf({ attribution: 'a\n=1\u2028', requestedModel: 'small', model: 'small' });
    expect(usageExportForm('ndjson', { reader: 'owner', bom: true }).line(hostile)).toBe(`${JSON.stringify(encodeAccountUsageRecord(hostile))}\n`);
    expect(usageExportForm('ndjson', { reader: 'operator', bom: true }).line(PLAIN)).toBe(`${JSON.stringify(encodeOperatorUsageRecord(PLAIN))}\n`);
  });

  it('reads the next records only after the previous ones are written, and has a header even without records', async () => {
    const asked: UsageQuery[] = [];
    const sizes = [250, 0, 1];
    const list = async (query: UsageQuery): Promise<UsagePage> => {
      const size = sizes[asked.length] ?? 0;
      asked.push(query);
      return { records: Array.from({ length: size }, () => PLAIN), nextCursor: asked.length < sizes.length ? `after ${asked.length}` : null, searchedTo: null };
    };
    const at = instant(5_000);
    const steps = exportUsage({ list }, { ...NO_USAGE_FILTERS, accountId: ALL_ACCOUNTS, at });
    const seen: (readonly [number, number])[] = [];
    for await (const { records } of usageExportText(usageExportForm('csv', { reader: 'operator', bom: true }), steps)) seen.push([records, asked.length]);
    expect(seen).toEqual([[100, 1], [100, 1], [50, 1], [0, 2], [1, 3]]);
    expect(asked.map(({ limit, cursor, to }) => [limit, cursor, to])).toEqual(
      [null, 'after 1', 'after 2'].map((cursor) => [RECORDS_PER_EXPORT_STEP, cursor, 5_001]));
    const none = usageExportText(usageExportForm('csv', { reader: 'owner', bom: true }), exportUsage(
      { list: async () => ({ records: [], nextCursor: null, searchedTo: null }) }, { ...NO_USAGE_FILTERS, accountId: 'acct_a' as AccountId, at, to: instant(7) }));
    expect((await none.next()).value).toMatchObject({ text: usageExportForm('csv', { reader: 'owner', bom: true }).head });
  });
});
