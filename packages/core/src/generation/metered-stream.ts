import type { EndReason } from '../billing/usage-record.js';
import { canBeTrue, exceedsMaximum, passesMaximum, type ReportedUsage, trustedUsage } from '../money/trusted-usage.js';
import { outputTokensOf, type Usage } from '../money/usage.js';
import type { TokenCount } from '../primitives/primitives.js';
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

/** Blocks that are paid for, and the end when it has come. */
export interface MeteredBatch {
  readonly blocks: readonly BlockEvent[];
  readonly end: MeteredEnd | null;
}

type ProviderStep = IteratorResult<ProviderEventBatch, undefined>;

/** Blocks that arrived together, and the end of the reply if it came with them. */
interface Arrival {
  readonly blocks: readonly BlockEvent[];
  readonly end: ProviderEnd | null;
  /** Output that was counted before them. */
  readonly countedBefore: number;
  /** The block that was open before them. */
  readonly openBefore: number | null;
}

/** An arrival, from the position on at which it has yet to be paid for. */
interface UnpaidRest extends Arrival {
  readonly from: number;
}

/** An end that came after its client had left. */
export interface UnseenEnd {
  readonly reason: MeteredEnd['reason'];
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
  /** Whether the servers of the model stop at that maximum. */
  readonly enforcesMaxTokens: boolean;
  /** Told of a report that is not charged. */
  readonly onDisbelieved: (reported: ReportedUsage, counted: Usage) => void;
}

/** Output that is counted as more than `share` × its maximum + `tokens` is cut off: an estimate is wrong by less. */
const RUNAWAY = { share: 4, tokens: 1_024 };
/** The same for models whose servers do not stop at the maximum. */
const UNENFORCED_RUNAWAY = { share: 1.5, tokens: 64 };

/** Whether there is anything here that a client would miss: the end of a block or of the reply is not. */
export function bringsOutput(events: readonly ProviderEvent[]): boolean {
  return events.some(({ type }) => type === 'block-start' || type === 'block-delta');
}

/**
 * Counts a provider's output and lets through only what the reservation covers, extending it as needed.
 * The output ends, as if the model had reached its maximum, where the balance cannot pay the next step, where the upstream reports more
 * than its maximum, where the count is far above it, or where its time is over; the event that passes a bound is clipped to it.
 * Output past the maximum needs no cover: it is never charged.
 */
export class MeteredStream {
  #openIndex: number | null = null;
  #closed = false;
  /** There was a block. */
  #hasOutput = false;
  /** Something has been handed on. */
  #hasBegun = false;
  /** The output that the reservation covers, until it is extended. */
  #coveredTokens: number;
  /** Output that is counted as more has run away. */
  readonly #runawayTokens: number;

  constructor(private readonly options: MeteredStreamOptions) {
    const { held, maxOutputTokens, enforcesMaxTokens } = options;
    const { share, tokens } = enforcesMaxTokens ? RUNAWAY : UNENFORCED_RUNAWAY;
    this.#coveredTokens = held.coveredOutputTokens;
    this.#runawayTokens = Math.floor(maxOutputTokens * share) + tokens;
  }

  /** The next events; throws `ProviderFailure` when the provider fails or stops without an end. */
  next(): Promise<MeteredBatch> {
    this.options.meter.mark();
    return this.options.source.next().then((step) => this.receive(step), (failure: unknown) => this.breakOff(failure));
  }

  /** Reads on to the provider's end, relaying nothing; `null` when it stops before its end. Output may have been withheld before. */
  async drain(withheldBefore: boolean): Promise<UnseenEnd | null> {
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

  /** Closes the upstream, once, without waiting: an upstream that is slow to close must not delay a settlement. */
  close(): void {
    if (this.#closed) return;
    this.#closed = true;
    // The request ends the same way whether or not its upstream takes notice.
    this.closeSource().catch(() => undefined);
  }

  /** What came before the time was over is a reply. */
  private breakOff(failure: unknown): MeteredBatch {
    if (!this.#hasBegun || !(failure instanceof ProviderFailure) || failure.kind !== 'out-of-time') throw failure;
    this.close();
    return { blocks: this.closed([]), end: { reason: 'time_limit_reached', stopReason: 'max-tokens', usage: this.options.meter.usage() } };
  }

  private receive({ done, value: batch }: ProviderStep): MeteredBatch | Promise<MeteredBatch> {
    if (done === true || batch === undefined) throw new ProviderFailure('unavailable', 'the upstream ended its reply before the end');
    const { meter, maxOutputTokens } = this.options;
    this.#hasBegun = true;
    return this.pay({ ...arrivalOf(batch, maxOutputTokens), countedBefore: meter.outputTokens, openBefore: this.#openIndex, from: 0 });
  }

  /** Waits only where the reservation has to be extended. */
  private pay(rest: UnpaidRest): MeteredBatch | Promise<MeteredBatch> {
    const { blocks, end, from } = rest;
    const { meter } = this.options;
    for (let position = from; position < blocks.length; position += 1) {
      const event = blocks[position] as BlockEvent;
      meter.observe(event);
      if (end === null && meter.outputTokens > this.#runawayTokens) return this.cutOff(blocks, position, { tokens: this.#runawayTokens, reason: 'completed' });
      if (this.outputToCover(end) > this.#coveredTokens) return this.payMore({ ...rest, from: position });
      this.follow(event);
    }
    return end === null ? { blocks, end } : this.finish({ ...rest, end });
  }

  /** Goes on from an event that has been counted and is not covered. */
  private async payMore(rest: UnpaidRest): Promise<MeteredBatch> {
    const { blocks, from, end } = rest;
    const { held } = this.options;
    const extension = await held.extendTo(this.outputToCover(end));
    if (extension !== 'covered') return this.cutOff(blocks, from, { tokens: this.#coveredTokens, reason: extension });
    this.#coveredTokens = held.coveredOutputTokens;
    this.follow(blocks[from] as BlockEvent);
    return this.pay({ ...rest, from: from + 1 });
  }

  private follow(event: BlockEvent): void {
    this.#hasOutput = true;
    if (event.type === 'block-start') this.#openIndex = event.index;
    else if (event.type === 'block-end') this.#openIndex = null;
  }

  private async closeSource(): Promise<void> {
    await this.options.source.return();
  }

  /** A final report that can be true is charged, and so covered, instead of a higher count. */
  private outputToCover(end: ProviderEnd | null): number {
    const { meter, maxOutputTokens } = this.options;
    const counted = Math.min(meter.outputTokens, maxOutputTokens);
    const report = end?.usage ?? null;
    return report !== null && counted > report.outputTokens && this.canBeTrue(report) ? report.outputTokens : counted;
  }

  private canBeTrue(report: ReportedUsage): boolean {
    const { meter, largestPromptTokens } = this.options;
    return canBeTrue(report, { largestPromptTokens, counted: meter.usageByEstimate() });
  }

  /** A report that cannot be true is not believed in what it says of the prompt either. */
  private trusted({ usage: report }: ProviderEnd): Usage {
    const { meter, largestPromptTokens, maxOutputTokens } = this.options;
    if (report === null) return meter.usage();
    const usage = trustedUsage(report, { largestPromptTokens, maxOutputTokens, counted: meter.usageByEstimate() });
    if (usage.source !== 'reported') this.options.onDisbelieved(report, usage);
    return usage;
  }

  private endOf(end: ProviderEnd): Pick<MeteredEnd, 'reason' | 'usage'> {
    const usage = this.trusted(end);
    const isEmpty = !this.#hasOutput && end.stopReason === 'end' && outputTokensOf(usage) === 0;
    return { reason: isEmpty ? 'empty' : 'completed', usage };
  }

  /** Ends the reply. Blocks that bring it past its maximum, by its report or far past it by the count, are clipped. */
  private finish({ blocks, end, countedBefore, openBefore }: Arrival & { readonly end: ProviderEnd }): MeteredBatch {
    const counted = this.options.meter.outputTokens;
    const { reason, usage } = this.endOf(end);
    const allowed = this.countAllowed(end);
    if (counted <= allowed || counted === countedBefore) return { blocks: this.closed(blocks), end: { reason, stopReason: end.stopReason, usage } };
    const share = Math.max(0, allowed - countedBefore) / (counted - countedBefore);
    const clipped = clipBlocks(blocks, Math.floor(share * textLength(blocks)));
    this.#openIndex = openBefore;
    for (const event of clipped) this.follow(event);
    return { blocks: this.closed(clipped), end: { reason: 'completed', stopReason: 'max-tokens', usage } };
  }

  /** The output that a reply with this end may have, as the gateway counts it. The count is scaled to a report above the maximum. */
  private countAllowed({ usage: report }: ProviderEnd): number {
    const { meter, maxOutputTokens } = this.options;
    if (report === null || !this.canBeTrue(report)) return this.#runawayTokens;
    if (!exceedsMaximum(report, maxOutputTokens)) return Infinity;
    return maxOutputTokens * Math.max(1, meter.outputTokens / report.outputTokens);
  }

  private cutOff(blocks: readonly BlockEvent[], position: number, bound: CutOff): MeteredBatch {
    const { meter } = this.options;
    const clipped = meter.clipLast(blocks[position] as BlockEvent, bound.tokens);
    const paid = blocks.slice(0, position).concat(clipped ?? []);
    this.close();
    return { blocks: this.closed(paid), end: { reason: bound.reason, stopReason: 'max-tokens', usage: meter.usage() } };
  }

  /** With the end of the open block, if there is one. */
  private closed(blocks: readonly BlockEvent[]): readonly BlockEvent[] {
    const index = this.#openIndex;
    if (index === null) return blocks;
    this.#openIndex = null;
    return [...blocks, { type: 'block-end', index, signature: null }];
  }
}

/** What ends a reply before its provider does. */
interface CutOff {
  /** The output that is relayed at most, as it is counted. */
  readonly tokens: number;
  readonly reason: MeteredEnd['reason'];
}

function isBlock({ type }: ProviderEvent): boolean {
  return type === 'block-delta' || type === 'block-start' || type === 'block-end';
}

/** The blocks of a batch, and its end: the provider's own, or a report of more than the maximum. */
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
