import type { JsonObject, UsageReport } from '@tollgate/core';
import { encodeAccountUsageRecord, encodeOperatorUsageRecord } from './encode-usage-record.js';

/**
 * Places where a spreadsheet may begin a cell with a formula. A cell begins at the start of a text, and after what a spreadsheet may take for the
 * end of a cell, as some do with semicolons and tabs; a formula with one of the signs, also in full width. An apostrophe at such a place counts too.
 */
const CELL_START = /(?<=^|[",;\t\r\n])(?=[=+\-@＝＋－＠'])|^(?=[\t\r\n])/gu;

/** Ids, amounts and instants, which are nearly all there is. */
const PLAIN = /^\w[\w.:-]*$/u;

const NEEDS_QUOTES = /[",;\t\r\n]|^\s|\s$|^$/u;

/** Puts an apostrophe before whatever could begin a formula. Taking away one apostrophe at each of those places gives the text back. */
export function withoutFormula(text: string): string {
  return text.replace(CELL_START, "'");
}

/** A value as one cell of a CSV file (RFC 4180). Nothing for `null`, and `""` for an empty text; no text begins a formula. */
export function csvCell(value: string | number | boolean | null): string {
  if (value === null) return '';
  if (typeof value !== 'string') return String(value);
  if (PLAIN.test(value)) return value;
  const safe = withoutFormula(value);
  return NEEDS_QUOTES.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** The columns of an owner's export as CSV: the fields of a record, those of its `usage` among them. */
export const USAGE_COLUMNS = [
  'request_id', 'key_id', 'format', 'streamed', 'requested_model', 'model', 'fallback_used', 'user', 'end_reason', 'usage_source',
  'started_at', 'admitted_at', 'first_output_at', 'ended_at', 'settled_at',
  'prompt_tokens', 'uncached_prompt_tokens', 'cached_prompt_tokens', 'cache_creation_tokens', 'output_tokens', 'reasoning_tokens', 'reasoning_withheld', 'reasoning_omitted',
  'settings_omitted', 'total_tokens',
  'reserved', 'svc_tokens_debited', 'svc_cost_usd', 'svc_tokens_written_off',
] as const;

type CellValue = string | number | boolean | null;

/** Of an operator's. */
export const OPERATOR_USAGE_COLUMNS = ['account_id', ...USAGE_COLUMNS, 'upstream'] as const;

/** The values of those columns in a record as it is encoded. */
export function cellsOf(encoded: JsonObject): Readonly<Record<string, CellValue>> {
  const { usage, ...rest } = encoded;
  const { settings_omitted: omitted, ...counts } = usage as JsonObject & { readonly settings_omitted: readonly string[] };
  return { ...rest, ...counts, settings_omitted: omitted.length === 0 ? null : omitted.join(' ') };
}

export const USAGE_EXPORT_FORMATS = ['csv', 'ndjson'] as const;

export type UsageExportFormat = (typeof USAGE_EXPORT_FORMATS)[number];

/** Who reads an export: an owner, who knows whose records they are, or an operator. */
export type UsageExportReader = 'owner' | 'operator';

/** Before a CSV file it tells spreadsheets that the text is UTF-8. */
const BYTE_ORDER_MARK = '\uFEFF';

/** How usage records are written to a file. */
export interface UsageExportForm {
  readonly contentType: string;
  /** Stands before the first record. */
  readonly head: string;
  /** One record, with its line break. */
  readonly line: (record: UsageReport) => string;
}

/** Records whose text is handed over at once: some tens of kilobytes. */
const RECORDS_PER_TEXT = 100;

const ENCODERS: Readonly<Record<UsageExportReader, (record: UsageReport) => JsonObject>> = {
  owner: encodeAccountUsageRecord,
  operator: encodeOperatorUsageRecord,
};

/** One JSON object a line: each as a list of usage shows it, byte for byte. */
function ndjson(reader: UsageExportReader): UsageExportForm {
  const encode = ENCODERS[reader];
  return { contentType: 'application/x-ndjson; charset=utf-8', head: '', line: (record) => `${JSON.stringify(encode(record))}\n` };
}

/** RFC 4180 in UTF-8 with a header row, after a byte order mark if there is to be one. Amounts are plain decimals, instants RFC 3339 in UTC. */
function csv(reader: UsageExportReader, bom: boolean): UsageExportForm {
  const encode = ENCODERS[reader];
  const columns: readonly string[] = reader === 'operator' ? OPERATOR_USAGE_COLUMNS : USAGE_COLUMNS;
  const line = (record: UsageReport): string => {
    const cells = cellsOf(encode(record));
    return `${columns.map((column) => csvCell(cells[column] ?? null)).join(',')}\r\n`;
  };
  return { contentType: 'text/csv; charset=utf-8; header=present', head: `${bom ? BYTE_ORDER_MARK : ''}${columns.join(',')}\r\n`, line };
}

/** `bom` says whether a CSV file begins with a byte order mark; NDJSON never does. */
export function usageExportForm(format: UsageExportFormat, { reader, bom }: { readonly reader: UsageExportReader; readonly bom: boolean }): UsageExportForm {
  return format === 'csv' ? csv(reader, bom) : ndjson(reader);
}

/** A piece of an export's text. */
export interface UsageExportText {
  readonly text: string;
  readonly records: number;
}

/**
 * The text of an export, piece by piece. The first piece comes when the first step has been read, so that what fails until then can be told;
 * the next step is read when the text of the one before has been taken.
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
