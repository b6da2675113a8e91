import type { EndReason } from '../billing/usage-record.js';
import { isConsistent, passesMaximum, type ReportedUsage, trustedUsage } from '../money/trusted-usage.js';
import { outputTokensOf, type Usage } from '../money/usage.js';
import type { TokenCount } from '../primitives/token-count.js';
import { clipBlocks, textLength } from './clip-blocks.js';
import type { BlockEvent, ProviderEnd, ProviderEvent, ProviderEventBatch, StopReason } from './generation-event.js';
import type { HeldRequest } from './held-request.js';
import { ProviderFailure, type ProviderStream } from './model-provider.js';
import type { UsageMeter } from './usage-meter.js';

export interface MeteredEnd {
  readonly reason: Extract<EndReason, 'completed' | 'empty' | 'balance_exhausted' | 'key_limit_reached' | 'time_limit_reached'>;
  readonly stopReason: StopReason;
  readonly usage: Usage;
}

/** Blocks that the reservation covers, and the end if it has arrived. */
export interface MeteredBatch {
  readonly blocks: readonly BlockEvent[];
  readonly end: MeteredEnd | null;
}

type ProviderStep = IteratorResult<ProviderEventBatch, undefined>;

interface Arrival {
  readonly blocks: readonly BlockEvent[];
  readonly end: ProviderEnd | null;
  /** Output tokens counted before the batch. */
  readonly countedBefore: number;
  /** Index of the block that was open before the batch. */
  readonly openBefore: number | null;
}

/** A batch whose events before index `from` are covered by the reservation; the other events are not checked yet. */
interface UnpaidRest extends Arrival {
  readonly from: number;
}

/** An end that a disconnected client did not receive. */
export interface UndeliveredEnd {
  readonly reason: MeteredEnd['reason'];
  readonly usage: Usage;
  /** True if the client did not receive all output. */
  readonly outputWithheld: boolean;
}

export interface MeteredStreamOptions {
  readonly source: ProviderStream;
  readonly meter: UsageMeter;
  readonly held: HeldRequest;
  readonly largestPromptTokens: TokenCount;
  /** The maximum that was sent to the upstream. */
  readonly maxOutputTokens: TokenCount;
  /** False if the model's servers may exceed the maximum. */
  readonly enforcesMaxTokens: boolean;
  readonly onImplausible: (reported: ReportedUsage, counted: Usage) => void;
}

/** Output is cut off once the gateway counts more than `share` × maximum + `tokens`. The count errs by less than this margin. */
const RUNAWAY = { share: 4, tokens: 1_024 };
/** For models whose servers may exceed the maximum. */
const UNENFORCED_RUNAWAY = { share: 1.5, tokens: 64 };

/** True if an event starts a block or adds to one. */
export function bringsOutput(events: readonly ProviderEvent[]): boolean {
  return events.some(({ type }) => type === 'block-start' || type === 'block-delta');
}

/**
 * Passes on the output that the reservation covers, and extends the reservation as needed. Ends the response as if the maximum were reached, clipped
 * where output is not covered or not allowed, in four cases: the next step cannot be paid, the upstream reports more than the maximum, the count far
 * exceeds the maximum, or the time is over. Output beyond the maximum is never charged and needs no cover.
 */
export class MeteredStream {
  #openIndex: number | null = null;
  #closed = false;
  /** True once a block has started. */
  #hasOutput = false;
  /** True once a batch has arrived. */
  #hasBegun = false;
  /** Output tokens that the reservation covers. */
  #coveredTokens: number;
  /** Output is cut off at this count. */
  readonly #runawayTokens: number;

  constructor(private readonly options: MeteredStreamOptions) {
    const { held, maxOutputTokens, enforcesMaxTokens } = options;
    const { share, tokens } = enforcesMaxTokens ? RUNAWAY : UNENFORCED_RUNAWAY;
    this.#coveredTokens = held.coveredOutputTokens;
    this.#runawayTokens = Math.floor(maxOutputTokens * share) + tokens;
  }

  /**
   * Rejects with `ProviderFailure` if the provider fails before its end, and with `GatewayError` if the ledger fails. Once a batch has arrived, the
   * time limit is no failure.
   */
  next(): Promise<MeteredBatch> {
    this.options.meter.mark();
    return this.options.source.next().then((step) => this.receive(step), (failure: unknown) => this.endAtTimeLimit(failure));
  }

  /**
   * Reads to the provider's end and delivers no output; `null` if the provider stops early. Rejects if the provider fails. `withheldBefore`: true if
   * earlier output was discarded.
   */
  async drain(withheldBefore: boolean): Promise<UndeliveredEnd | null> {
    let outputWithheld = withheldBefore;
    for (;;) {
      const { done, value: batch } = await this.options.source.next();
      if (done === true || batch === undefined) return null;
      outputWithheld ||= bringsOutput(batch);
      const last = batch[batch.length - 1];
      this.#hasOutput ||= outputWithheld;
      if (last?.type === 'provider-end') return { ...this.endOf(last), outputWithheld };
    }
  }

  /** Closes the source once and does not wait for it, so that the settlement is not delayed. */
  close(): void {
    if (this.#closed) return;
    this.#closed = true;
    // The request ends the same way whether or not closing succeeds.
    this.closeSource().catch(() => undefined);
  }

  /** Once a batch has arrived, the time limit shortens the response instead of failing it. Rethrows any other failure. */
  private endAtTimeLimit(failure: unknown): MeteredBatch {
    if (!this.#hasBegun || !(failure instanceof ProviderFailure) || failure.kind !== 'out-of-time') throw failure;
    this.close();
    return { blocks: this.closed([]), end: { reason: 'time_limit_reached', stopReason: 'max-tokens', usage: this.options.meter.usage() } };
  }

  private receive({ done, value: batch }: ProviderStep): MeteredBatch | Promise<MeteredBatch> {
    if (done === true || batch === undefined) throw new ProviderFailure('unavailable', 'the upstream ended its reply without an end event');
    const { meter, maxOutputTokens } = this.options;
    this.#hasBegun = true;
    return this.pay({ ...arrivalOf(batch, maxOutputTokens), countedBefore: meter.outputTokens, openBefore: this.#openIndex, from: 0 });
  }

  /** Returns a promise only if the reservation must be extended. */
  private pay(rest: UnpaidRest): MeteredBatch | Promise<MeteredBatch> {
    const { blocks, end, from } = rest;
    const { meter } = this.options;
    for (let position = from; position < blocks.length; position += 1) {
      const event = blocks[position] as BlockEvent;
      meter.observe(event);
      if (end === null && meter.outputTokens > this.#runawayTokens) return this.cutOff(blocks, position, { tokens: this.#runawayTokens, reason: 'completed' });
      if (this.outputToCover(end) > this.#coveredTokens) return this.extendAndPay({ ...rest, from: position });
      this.track(event);
    }
    return end === null ? { blocks, end } : this.finish(rest, end);
  }

  /** `rest` starts at an event that is counted but not covered. */
  private async extendAndPay(rest: UnpaidRest): Promise<MeteredBatch> {
    const { blocks, from, end } = rest;
    const { held } = this.options;
    const extension = await held.extendTo(this.outputToCover(end));
    if (extension !== 'covered') return this.cutOff(blocks, from, { tokens: this.#coveredTokens, reason: extension });
    this.#coveredTokens = held.coveredOutputTokens;
    this.track(blocks[from] as BlockEvent);
    return this.pay({ ...rest, from: from + 1 });
  }

  private track(event: BlockEvent): void {
    this.#hasOutput = true;
    if (event.type === 'block-start') this.#openIndex = event.index;
    else if (event.type === 'block-end') this.#openIndex = null;
  }

  private async closeSource(): Promise<void> {
    await this.options.source.return();
  }

  /** Output tokens that need cover. A plausible final report replaces a higher count, because the report is charged. */
  private outputToCover(end: ProviderEnd | null): number {
    const { meter, maxOutputTokens } = this.options;
    const counted = Math.min(meter.outputTokens, maxOutputTokens);
    const report = end?.usage ?? null;
    return report !== null && counted > report.outputTokens && this.isConsistent(report) ? report.outputTokens : counted;
  }

  private isConsistent(report: ReportedUsage): boolean {
    const { meter, largestPromptTokens } = this.options;
    return isConsistent(report, { largestPromptTokens, counted: meter.usageByEstimate() });
  }

  /** Rejects an implausible report as a whole, prompt included. */
  private trusted({ usage: report }: ProviderEnd): Usage {
    const { meter, largestPromptTokens, maxOutputTokens } = this.options;
    if (report === null) return meter.usage();
    const usage = trustedUsage(report, { largestPromptTokens, maxOutputTokens, counted: meter.usageByEstimate() });
    if (usage.source !== 'reported') this.options.onImplausible(report, usage);
    return usage;
  }

  private endOf(end: ProviderEnd): Pick<MeteredEnd, 'reason' | 'usage'> {
    const usage = this.trusted(end);
    const isEmpty = !this.#hasOutput && end.stopReason === 'end' && outputTokensOf(usage) === 0;
    return { reason: isEmpty ? 'empty' : 'completed', usage };
  }

  /** Clips the output if the reported tokens exceed the maximum, or the counted tokens far exceed it. */
  private finish({ blocks, countedBefore, openBefore }: Arrival, end: ProviderEnd): MeteredBatch {
    const counted = this.options.meter.outputTokens;
    const { reason, usage } = this.endOf(end);
    const allowed = this.countAllowed(end, usage);
    if (counted <= allowed || counted === countedBefore) return { blocks: this.closed(blocks), end: { reason, stopReason: end.stopReason, usage } };
    const share = Math.max(0, allowed - countedBefore) / (counted - countedBefore);
    const clipped = clipBlocks(blocks, Math.floor(share * textLength(blocks)));
    this.#openIndex = openBefore;
    for (const event of clipped) this.track(event);
    return { blocks: this.closed(clipped), end: { reason: 'completed', stopReason: 'max-tokens', usage } };
  }

  /**
   * Maximum output by the gateway's count. Unlimited if the report is charged. If the report is implausible only because it exceeds the maximum: the
   * maximum, scaled by the ratio of counted to reported tokens, at least 1. Otherwise the cut-off count.
   */
  private countAllowed({ usage: report }: ProviderEnd, charged: Usage): number {
    if (charged.source === 'reported') return Infinity;
    if (report === null || !this.isConsistent(report)) return this.#runawayTokens;
    const { meter, maxOutputTokens } = this.options;
    return maxOutputTokens * Math.max(1, meter.outputTokens / report.outputTokens);
  }

  private cutOff(blocks: readonly BlockEvent[], position: number, bound: CutOff): MeteredBatch {
    const { meter } = this.options;
    const clipped = meter.clipLast(blocks[position] as BlockEvent, bound.tokens);
    const paid = blocks.slice(0, position).concat(clipped ?? []);
    this.close();
    return { blocks: this.closed(paid), end: { reason: bound.reason, stopReason: 'max-tokens', usage: meter.usage() } };
  }

  private closed(blocks: readonly BlockEvent[]): readonly BlockEvent[] {
    const index = this.#openIndex;
    if (index === null) return blocks;
    this.#openIndex = null;
    return [...blocks, { type: 'block-end', index, signature: null }];
  }
}

/** The gateway ended the output before the provider did. */
interface CutOff {
  /** Counted tokens up to the cut, which are still delivered. */
  readonly tokens: number;
  readonly reason: MeteredEnd['reason'];
}

function isBlock({ type }: ProviderEvent): boolean {
  return type === 'block-delta' || type === 'block-start' || type === 'block-end';
}

/** `end` is the provider's end event, or one made here if a usage report exceeds `maxOutputTokens`. */
function arrivalOf(batch: ProviderEventBatch, maxOutputTokens: TokenCount): Pick<Arrival, 'blocks' | 'end'> {
  if (batch.every(isBlock)) return { blocks: batch as readonly BlockEvent[], end: null };
  const blocks: BlockEvent[] = [];
  for (const event of batch) {
    if (event.type === 'provider-end') return { blocks, end: event };
    if (event.type !== 'provider-report') blocks.push(event);
    else if (passesMaximum(event.usage, maxOutputTokens)) return { blocks, end: { type: 'provider-end', stopReason: 'max-tokens', usage: event.usage } };
  }
  return { blocks, end: null };
}
