import type { Clock, RequestId, RequestLimitExcess, RequestLimitName } from '@tollgate/core';
import type { Logger } from 'pino';
import type { RequestLimitReport } from '../http/reply/error-reply.js';
import { HourlyWarnings } from './hourly-warnings.js';

/** The setting that raises the limit: a field of the catalogue file, or a variable if there is no such file. */
const RAISED_BY: Readonly<Record<RequestLimitName, string>> = {
  messages: 'request_limits.messages in the catalogue file, or MAX_MESSAGES without such a file',
  tools: 'request_limits.tools in the catalogue file, or MAX_TOOLS without such a file',
  messageCharacters: 'request_limits.message_characters in the catalogue file',
  stopSequences: 'request_limits.stop_sequences in the catalogue file',
};

interface RequestLimitLogPorts {
  readonly clock: Pick<Clock, 'now'>;
  readonly log: Logger;
}

/** Logs which setting refuses large requests, at the first refusal and then at most once an hour per limit. */
export class RequestLimitLog implements RequestLimitReport {
  readonly #warnings: HourlyWarnings;

  constructor(private readonly ports: RequestLimitLogPorts) {
    this.#warnings = new HourlyWarnings(ports.clock);
  }

  refused(requestId: RequestId, { name, most }: RequestLimitExcess): void {
    const count = this.#warnings.count(name);
    if (count === null) return;
    this.ports.log.warn({ requestId, count, limit: most, raisedBy: RAISED_BY[name] }, `requests are refused because they exceed a limit; raise it with ${RAISED_BY[name]}`);
  }
}
