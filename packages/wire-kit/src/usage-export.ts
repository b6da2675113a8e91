import type { JsonObject, UsageReport } from '@tollgate/core';
import { encodeAccountUsageRecord, encodeOperatorUsageRecord, TOKEN_FIELDS } from './encode-usage-record.js';

/**
 * Positions where a spreadsheet may take a cell for a formula: at the start of a text, and after characters that some spreadsheets take for the end
 * of a cell. Full-width signs count, and so do apostrophes, which are doubled.
 */
const CELL_START = /(?<=^|[",;\t\r\n])(?=[=+\-@＝＋－＠'])|^(?=[\t\r\n])/gu;

/** Matches ids, amounts and times, which need no quotes. Most cells are of these kinds, so they are tested first. */
const PLAIN = /^\w[\w.:-]*$/u;

const NEEDS_QUOTES = /[",;\t\r\n]|^\s|\s$|^$/u;

/** Puts an apostrophe before each possible formula; removing one at each such place restores the text. */
export function withoutFormula(text: string): string {
  return text.replace(CELL_START, "'");
}

/** A cell as RFC 4180 writes it. `null` is empty, an empty text is `""`, and formulas are escaped. */
export function csvCell(value: string | number | boolean | null): string {
  if (value === null) return '';
  if (typeof value !== 'string') return String(value);
  if (PLAIN.test(value)) return value;
  const safe = withoutFormula(value);
  return NEEDS_QUOTES.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** Columns of the owner's export: the fields of a record and of its `usage`. */
export const USAGE_COLUMNS: readonly string[] = [
  'request_id', 'key_id', 'format', 'streamed', 'requested_model', 'model', 'fallback_used', 'user', 'end_reason', 'usage_source',
  'started_at', 'admitted_at', 'first_output_at', 'ended_at', 'settled_at',
  ...TOKEN_FIELDS, 'reasoning_withheld', 'reasoning_omitted',
  'settings_omitted', 'total_tokens',
  'reserved', 'svc_tokens_debited', 'svc_cost_usd', 'svc_tokens_written_off', 'price_list', 'price_version',
];

type CellValue = string | number | boolean | null;

export const OPERATOR_USAGE_COLUMNS: readonly string[] = ['account_id', ...USAGE_COLUMNS, 'upstream'];

export function cellsOf(encoded: JsonObject): Readonly<Record<string, CellValue>> {
  const { usage, ...rest } = encoded;
  const { settings_omitted: omitted, ...counts } = usage as JsonObject & { readonly settings_omitted: readonly string[] };
  return { ...rest, ...counts, settings_omitted: omitted.length === 0 ? null : omitted.join(' ') };
}

export const USAGE_EXPORT_FORMATS = ['csv', 'ndjson'] as const;

export type UsageExportFormat = (typeof USAGE_EXPORT_FORMATS)[number];

export type UsageExportReader = 'owner' | 'operator';

/** Marks a CSV file as UTF-8 for spreadsheets. */
export const BYTE_ORDER_MARK = '\uFEFF';

export interface UsageExportForm {
  readonly contentType: string;
  /** Text before the first record. */
  readonly head: string;
  /** Returns a record's line, including the line break. */
  readonly line: (record: UsageReport) => string;
}

/** Records per chunk, which thus has tens of kilobytes. */
const RECORDS_PER_TEXT = 100;

const ENCODERS: Readonly<Record<UsageExportReader, (record: UsageReport) => JsonObject>> = {
  owner: encodeAccountUsageRecord,
  operator: encodeOperatorUsageRecord,
};

/** The form in which each line equals the record in a usage list, byte for byte. */
function ndjson(reader: UsageExportReader): UsageExportForm {
  const encode = ENCODERS[reader];
  return { contentType: 'application/x-ndjson; charset=utf-8', head: '', line: (record) => `${JSON.stringify(encode(record))}\n` };
}

/** The CSV form: RFC 4180 in UTF-8, after a byte order mark if asked for, with a header row. Amounts are decimals, times RFC 3339 in UTC. */
function csv(reader: UsageExportReader, bom: boolean): UsageExportForm {
  const encode = ENCODERS[reader];
  const columns = reader === 'operator' ? OPERATOR_USAGE_COLUMNS : USAGE_COLUMNS;
  const line = (record: UsageReport): string => {
    const cells = cellsOf(encode(record));
    return `${columns.map((column) => csvCell(cells[column] ?? null)).join(',')}\r\n`;
  };
  return { contentType: 'text/csv; charset=utf-8; header=present', head: `${bom ? BYTE_ORDER_MARK : ''}${columns.join(',')}\r\n`, line };
}

/** The form of an export; `bom` applies to CSV only. */
export function usageExportForm(format: UsageExportFormat, { reader, bom }: { readonly reader: UsageExportReader; readonly bom: boolean }): UsageExportForm {
  return format === 'csv' ? csv(reader, bom) : ndjson(reader);
}

export interface UsageExportText {
  readonly text: string;
  readonly records: number;
}

/**
 * The text of an export, in chunks. The first chunk follows the first read, so that a failure of this read can be reported; each further read waits
 * until the chunks before it were taken.
 */
export async function* usageExportText(
  { head, line }: UsageExportForm, steps: AsyncIterable<readonly UsageReport[]>,
): AsyncGenerator<UsageExportText, void, undefined> {
  let before = head;
  for await (const records of steps) {
    let start = 0;
    do {
      const part = records.slice(start, start + RECORDS_PER_TEXT);
      yield { text: before + part.map(line).join(''), records: part.length };
      before = '';
      start += RECORDS_PER_TEXT;
    } while (start < records.length);
  }
}
