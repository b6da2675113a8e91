import type { Clock, Instant, UpstreamTimeouts } from '@tollgate/core';

/** After the first output of a stream, an upstream that sends less output than this within the silence timeout counts as silent. */
const MIN_OUTPUT_BYTES = 16;

const SILENT = 'the upstream fell silent in the middle of its reply';
const NO_OUTPUT = 'the upstream sent no output in time';

/**
 * Timeouts of reading a reply. Before the first output, each wait for data and the sum of these waits are bounded; afterwards, the sum of the waits
 * for the next 16 bytes of output. All of a whole reply counts as before the first output. Only time in which the gateway waits for the upstream
 * counts, not that of a slow client.
 */
export class ReplyPace {
  #waitsSince: Instant | null = null;
  /** Time spent waiting since the headers, or since the last 16 bytes of output. */
  #waitedMilliseconds = 0;
  #hasOutput = false;
  #outputBytes = 0;

  constructor(private readonly clock: Clock, private readonly timeouts: UpstreamTimeouts) {}

  waitBegins(): void {
    this.#waitsSince = this.clock.now();
  }

  waitEnds(): void {
    if (this.#waitsSince !== null) this.#waitedMilliseconds += this.clock.now() - this.#waitsSince;
    this.#waitsSince = null;
  }

  produced(bytes: number): void {
    this.#outputBytes += bytes;
    if (this.#hasOutput && this.#outputBytes < MIN_OUTPUT_BYTES) return;
    this.#hasOutput = true;
    this.#outputBytes = 0;
    this.#waitedMilliseconds = 0;
  }

  /** Milliseconds until the next check, or the reason why the reply is aborted. */
  verdict(): number | string {
    const { silenceMilliseconds, firstOutputMilliseconds } = this.timeouts;
    if (this.#waitsSince === null) return Math.min(silenceMilliseconds, firstOutputMilliseconds);
    const waits = this.clock.now() - this.#waitsSince;
    const waited = this.#waitedMilliseconds + waits;
    if (this.#hasOutput) return waited < silenceMilliseconds ? silenceMilliseconds - waited : SILENT;
    if (waits >= silenceMilliseconds) return SILENT;
    return waited < firstOutputMilliseconds ? Math.min(silenceMilliseconds - waits, firstOutputMilliseconds - waited) : NO_OUTPUT;
  }
}
