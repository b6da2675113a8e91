import { exportUsage, GatewayError, type Instant, type MachineId, type PersonId, rfc3339, startOfUtcDay, type UsageReader, type UsageScope, utcDayOf } from '@tollgate/core';
import { usageExportForm, type UsageExportFormat, type UsageExportReader, usageExportText } from '@tollgate/wire-kit';
import type { HttpExchange } from '../../http/http-exchange.js';
import type { QueryParameters } from '../../http/query-parameters.js';
import { sendDownload } from '../../http/reply/send-download.js';
import { decodeUsageFilters } from '../../routes/usage-query.js';

/** An export of a few thousand records takes less. */
const RETRY_AFTER_SECONDS = 5;

/** Permits one running export per person or machine. */
export class RunningExports {
  readonly #readers = new Set<PersonId | MachineId>();

  /** Throws if an export of the reader is running. */
  async run(reader: PersonId | MachineId, work: () => Promise<void>): Promise<void> {
    if (this.#readers.has(reader)) {
      throw new GatewayError('too_many_attempts', 'Your previous export is still running. Start another one when it has finished.', { retryAfterSeconds: RETRY_AFTER_SECONDS });
    }
    this.#readers.add(reader);
    try {
      await work();
    } finally {
      this.#readers.delete(reader);
    }
  }
}

export interface UsageExportOrder {
  readonly scope: UsageScope;
  readonly reader: UsageExportReader;
  readonly format: UsageExportFormat;
  readonly bom: boolean;
  /** Query parameters with the filters of the export. */
  readonly query: QueryParameters;
}

export async function sendUsageExport(usage: UsageReader, exchange: HttpExchange, { scope, reader, format, bom, query }: UsageExportOrder): Promise<void> {
  const filters = decodeUsageFilters(query);
  const at = exchange.clock.now();
  const form = usageExportForm(format, { reader, bom });
  const fileName = fileNameOf({ from: filters.from, to: filters.to ?? at, format });
  const steps = exportUsage(usage, { accountId: scope, ...filters, at });
  await sendDownload(exchange, { contentType: form.contentType, fileName }, textsOf(usageExportText(form, steps)));
}

/** For example `usage_2026-11-01_2026-12-01.csv`: the requests ended between these times. */
function fileNameOf({ from, to, format }: { readonly from: Instant | null; readonly to: Instant; readonly format: UsageExportFormat }): string {
  return `usage_${from === null ? 'until' : nameOf(from)}_${nameOf(to)}.${format}`;
}

/** The date, or the time to the second without colons, which some file systems forbid. */
function nameOf(at: Instant): string {
  return at === startOfUtcDay(at) ? utcDayOf(at) : `${rfc3339(at).slice(0, 19).replaceAll(':', '')}Z`;
}

async function* textsOf(pieces: AsyncIterable<{ readonly text: string }>): AsyncGenerator<string, void, undefined> {
  for await (const { text } of pieces) yield text;
}
