import type { JsonObject, UsageReport } from '@tollgate/core';
import { csvCell } from './csv-cell.js';
import { encodeAccountUsageRecord, encodeOperatorUsageRecord } from './encode-account-usage-record.js';
import { cellsOf, OPERATOR_USAGE_COLUMNS, USAGE_COLUMNS } from './usage-columns.js';

export const USAGE_EXPORT_FORMATS = ['csv', 'ndjson'] as const;

export type UsageExportFormat = (typeof USAGE_EXPORT_FORMATS)[number];

/** Who reads an export: an owner, who knows whose records they are, or an operator. */
export type UsageExportReader = 'owner' | 'operator';

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

/** RFC 4180 in UTF-8 with a header row. Amounts are plain decimals, instants RFC 3339 in UTC. */
function csv(reader: UsageExportReader): UsageExportForm {
  const encode = ENCODERS[reader];
  const columns: readonly string[] = reader === 'operator' ? OPERATOR_USAGE_COLUMNS : USAGE_COLUMNS;
  const line = (record: UsageReport): string => {
    const cells = cellsOf(encode(record));
    return `${columns.map((column) => csvCell(cells[column] ?? null)).join(',')}\r\n`;
  };
  return { contentType: 'text/csv; charset=utf-8; header=present', head: `${columns.join(',')}\r\n`, line };
}

export function usageExportForm(format: UsageExportFormat, reader: UsageExportReader): UsageExportForm {
  return format === 'csv' ? csv(reader) : ndjson(reader);
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
