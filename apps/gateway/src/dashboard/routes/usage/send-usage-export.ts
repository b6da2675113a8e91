import { exportUsage, type Instant, rfc3339, startOfUtcDay, type UsageReader, type UsageScope, utcDayOf } from '@tollgate/core';
import { type UsageExportFormat, usageExportForm, type UsageExportReader, usageExportText } from '@tollgate/wire-kit';
import type { Exchange } from '../../../http/exchange.js';
import type { QueryParameters } from '../../../http/query/query-parameters.js';
import { sendDownload } from '../../../http/reply/send-download.js';
import { decodeUsageFilters } from '../../../routes/usage/decode-usage-filters.js';

export interface UsageExportOrder {
  readonly scope: UsageScope;
  readonly reader: UsageExportReader;
  readonly format: UsageExportFormat;
  /** Its filters narrow the export. */
  readonly query: QueryParameters;
}

/** A day where it is one, else an instant to the second, without the colons that file systems dislike. */
function nameOf(at: Instant): string {
  return at === startOfUtcDay(at) ? utcDayOf(at) : `${rfc3339(at).slice(0, 19).replaceAll(':', '')}Z`;
}

/** `usage_2026-11-01_2026-12-01.csv`: from when, and before when the requests ended. */
function fileNameOf({ from, to, format }: { readonly from: Instant | null; readonly to: Instant; readonly format: UsageExportFormat }): string {
  return `usage_${from === null ? 'until' : nameOf(from)}_${nameOf(to)}.${format}`;
}

async function* textsOf(pieces: AsyncIterable<{ readonly text: string }>): AsyncGenerator<string, void, undefined> {
  for await (const { text } of pieces) yield text;
}

/** Sends all records of a query as a file. */
export async function sendUsageExport(usage: UsageReader, exchange: Exchange, { scope, reader, format, query }: UsageExportOrder): Promise<void> {
  const filters = decodeUsageFilters(query);
  const at = exchange.clock.now();
  const form = usageExportForm(format, reader);
  const fileName = fileNameOf({ from: filters.from, to: filters.to ?? at, format });
  const steps = exportUsage(usage, { accountId: scope, ...filters, at });
  await sendDownload(exchange, { contentType: form.contentType, fileName }, textsOf(usageExportText(form, steps)));
}
