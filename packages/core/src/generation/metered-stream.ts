import { invariant } from '../invariant.js';
import type { EndReason } from '../billing/usage-record.js';
import type { TokenCount } from '../ids.js';
import { ProviderFailure, type ProviderStream } from '../ports/model-provider.js';
import type { BlockEvent, ProviderEnd, ProviderEvent, ProviderEventBatch, StopReason } from './generation-event.js';
import type { HeldRequest } from './held-request.js';
import { trustedUsage, type Usage } from './usage.js';
import type { UsageMeter } from './usage-meter.js';
import type { Clock } from '../ports/system.js';

export interface MeteredEnd {
  readonly reason: Extract<EndReason, 'completed' | 'balance_exhausted' | 'key_limit_reached'>;
  readonly stopReason: StopReason;
  readonly usage: Usage;
}

/** Blocks that are paid for, and the end when it has come. */
export interface MeteredBatch {
  readonly blocks: readonly BlockEvent[];
  readonly end: MeteredEnd | null;
}

type ProviderStep = IteratorResult<ProviderEventBatch, undefined>;

/** A batch, from the position on at which it has yet to be paid for. */
interface UnpaidRest {
  readonly blocks: readonly BlockEvent[];
  readonly end: ProviderEnd | null;
  readonly from: number;
}

/** An end that came after its client had left. */
export interface UnseenEnd {
  readonly usage: Usage;
  /** There was output that the client has not seen. */
  readonly outputWithheld: boolean;
}

export interface MeteredStreamOptions {
  readonly source: ProviderStream;
  readonly meter: UsageMeter;
  readonly held: HeldRequest;
  readonly largestPromptTokens: TokenCount;
  /** What the upstream was told to generate at most. */
  readonly maxOutputTokens: TokenCount;
}

/** An upstream whose output is counted as more than so many times its maximum and some tokens has run away: no count is that wrong. */
const RUNAWAY_SHARE = 1.5;
const RUNAWAY_TOKENS = 64;

/** Whether there is anything here that a client would miss: the end of a block or of the reply is not. */
export function bringsOutput(events: readonly ProviderEvent[]): boolean {
  return events.some(({ type }) => type === 'block-start' || type === 'block-delta');
}

/**
 * Counts a provider's output and lets through only what the reservation covers, extending it as needed.
 * When the balance cannot pay the next step, or the upstream runs far past its maximum, the output ends there,
 * as if the model had reached its maximum. Output past the maximum needs no cover: it is never charged.
 */
export class MeteredStream {
  #openIndex: number | null = null;
  #closed = false;

  constructor(private readonly options: MeteredStreamOptions) {}

  /** The next events; throws `ProviderFailure` when the provider fails or stops without an end. */
  next(): Promise<MeteredBatch> {
    this.options.meter.mark();
    return this.options.source.next().then((step) => this.receive(step));
  }

  /** Reads on to the provider's end, relaying nothing; `null` when it stops before its end. */
  async drain(): Promise<UnseenEnd | null> {
    let outputWithheld = false;
    for (;;) {
      const { done, value: batch } = await this.options.source.next();
      if (done === true || batch === undefined) return null;
      outputWithheld ||= bringsOutput(batch);
      const last = batch[batch.length - 1];
      if (last?.type === 'provider-end') return { usage: this.trusted(last), outputWithheld };
    }
  }

  /** Lets the upstream go, once. Nobody waits for it: an upstream that is slow to go must not hold up a settlement. */
  close(): void {
    if (this.#closed) return;
    this.#closed = true;
    // The request ends the same way whether or not its upstream takes notice.
    this.letGo().catch(() => undefined);
  }

  private receive({ done, value: batch }: ProviderStep): MeteredBatch | Promise<MeteredBatch> {
    if (done === true || batch === undefined) throw new ProviderFailure('unavailable', 'the upstream ended its reply before the end');
    const last = batch[batch.length - 1];
    const end = last !== undefined && last.type === 'provider-end' ? last : null;
    const blocks = (end === null ? batch : batch.slice(0, -1)) as readonly BlockEvent[];
    return this.pay({ blocks, end, from: 0 });
  }

  /** Waits only where the reservation has to be extended. */
  private pay(rest: UnpaidRest): MeteredBatch | Promise<MeteredBatch> {
    const { blocks, end, from } = rest;
    const { meter, held, maxOutputTokens } = this.options;
    for (let position = from; position < blocks.length; position += 1) {
      const event = blocks[position] as BlockEvent;
      meter.observe(event);
      if (meter.outputTokens > maxOutputTokens * RUNAWAY_SHARE + RUNAWAY_TOKENS) return this.cutOff(blocks, position, 'completed');
      if (!held.covers(this.outputToCover())) return this.payMore({ ...rest, from: position });
      this.follow(event);
    }
    return { blocks, end: end === null ? null : this.endOf(end) };
  }

  /** Goes on from an event that has been counted and is not covered. */
  private async payMore(rest: UnpaidRest): Promise<MeteredBatch> {
    const { blocks, from } = rest;
    const extension = await this.options.held.extendTo(this.outputToCover());
    if (extension !== 'covered') return this.cutOff(blocks, from, extension);
    this.follow(blocks[from] as BlockEvent);
    return this.pay({ ...rest, from: from + 1 });
  }

  private follow(event: BlockEvent): void {
    if (event.type === 'block-start') this.#openIndex = event.index;
    else if (event.type === 'block-end') this.#openIndex = null;
  }

  private async letGo(): Promise<void> {
    await this.options.source.return();
  }

  private outputToCover(): number {
    return Math.min(this.options.meter.outputTokens, this.options.maxOutputTokens);
  }

  /** A report that cannot be true is not believed in what it says of the prompt either. */
  private trusted({ usage: report }: ProviderEnd): Usage {
    const { meter, largestPromptTokens, maxOutputTokens } = this.options;
    if (report === null) return meter.usage();
    return trustedUsage(report, { largestPromptTokens, maxOutputTokens, counted: meter.usageByEstimate() });
  }

  private endOf(end: ProviderEnd): MeteredEnd {
    invariant(this.#openIndex === null, 'a provider ends only after its last block has ended');
    return { reason: 'completed', stopReason: end.stopReason, usage: this.trusted(end) };
  }

  private cutOff(blocks: readonly BlockEvent[], position: number, reason: MeteredEnd['reason']): MeteredBatch {
    this.options.meter.withholdLast();
    const paid: BlockEvent[] = blocks.slice(0, position);
    if (this.#openIndex !== null) paid.push({ type: 'block-end', index: this.#openIndex, signature: null });
    this.close();
    return { blocks: paid, end: { reason, stopReason: 'max-tokens', usage: this.options.meter.usage() } };
  }
}

/** How long after its client left an upstream may still deliver its own figures, and how long one that ignores being stopped is waited for. */
export const FINAL_USAGE_WAIT_MILLISECONDS = 2000;

/** What `work` comes to, `null` when it fails or takes too long: an aborted upstream usually answers with a failure. */
export async function inTime<Result>(clock: Clock, work: Promise<Result>): Promise<Result | null> {
  let cancel: () => void = () => undefined;
  const tooLate = new Promise<null>((resolve) => {
    cancel = clock.schedule(FINAL_USAGE_WAIT_MILLISECONDS, () => resolve(null));
  });
  const result = await Promise.race([work.catch(() => null), tooLate]);
  cancel();
  return result;
}
