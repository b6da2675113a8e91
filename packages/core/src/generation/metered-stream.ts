import { invariant, NO_TOKENS, type TokenCount } from '../primitives.js';
import type { EndReason } from '../billing/usage-record.js';
import { ProviderFailure, type ProviderStream, type TokenCounter, type TokenEstimator } from '../ports/model-provider.js';
import type { BlockEvent, BlockOpening, ProviderEnd, ProviderEvent, ProviderEventBatch, StopReason } from './generation-event.js';
import type { HeldRequest } from './held-request.js';
import type { ThinkingDisplay } from './generation-request.js';
import { clipOutput, NO_USAGE, trustedPrompt, trustedUsage, type Usage } from './usage.js';
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
  /** The output that the reservation covers, until it is extended. */
  #coveredTokens: number;

  constructor(private readonly options: MeteredStreamOptions) {
    this.#coveredTokens = options.held.coveredOutputTokens;
  }

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

  /** Closes the upstream, once, without waiting: an upstream that is slow to close must not delay a settlement. */
  close(): void {
    if (this.#closed) return;
    this.#closed = true;
    // The request ends the same way whether or not its upstream takes notice.
    this.closeSource().catch(() => undefined);
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
    const { meter, maxOutputTokens } = this.options;
    for (let position = from; position < blocks.length; position += 1) {
      const event = blocks[position] as BlockEvent;
      meter.observe(event);
      if (meter.outputTokens > maxOutputTokens * RUNAWAY_SHARE + RUNAWAY_TOKENS) return this.cutOff(blocks, position, 'completed');
      if (this.outputToCover() > this.#coveredTokens) return this.payMore({ ...rest, from: position });
      this.follow(event);
    }
    return { blocks, end: end === null ? null : this.endOf(end) };
  }

  /** Goes on from an event that has been counted and is not covered. */
  private async payMore(rest: UnpaidRest): Promise<MeteredBatch> {
    const { blocks, from } = rest;
    const { held } = this.options;
    const extension = await held.extendTo(this.outputToCover());
    if (extension !== 'covered') return this.cutOff(blocks, from, extension);
    this.#coveredTokens = held.coveredOutputTokens;
    this.follow(blocks[from] as BlockEvent);
    return this.pay({ ...rest, from: from + 1 });
  }

  private follow(event: BlockEvent): void {
    if (event.type === 'block-start') this.#openIndex = event.index;
    else if (event.type === 'block-end') this.#openIndex = null;
  }

  private async closeSource(): Promise<void> {
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

export interface UsageMeterOptions {
  /** Says how large the prompt is, when it knows. */
  readonly source: Pick<ProviderStream, 'statedPrompt'>;
  /** By estimate, for as long as the source has not said. */
  readonly promptTokens: TokenCount;
  /** What the source says is believed up to this. */
  readonly largestPromptTokens: TokenCount;
  /** No more output than this is charged, however much is counted. */
  readonly maxOutputTokens: TokenCount;
  readonly thinking: ThinkingDisplay;
}

/** Tokens of an output, by what they are. */
interface OutputCount {
  readonly reasoning: TokenCount;
  readonly visible: TokenCount;
}

const NO_OUTPUT: OutputCount = { reasoning: NO_TOKENS, visible: NO_TOKENS };

/** Counts the output of a generation, event by event. Its figures are charged when the upstream's cannot be trusted. */
export class UsageMeter {
  readonly #thinking: TokenCounter;
  readonly #visible: TokenCounter;
  #openBlock: BlockOpening['type'] = 'text';
  #observed = NO_OUTPUT;
  /** The count before the last event. */
  #before = NO_OUTPUT;
  #marked = NO_OUTPUT;

  constructor(estimator: TokenEstimator, private readonly options: UsageMeterOptions) {
    this.#thinking = estimator.startCounter();
    this.#visible = estimator.startCounter();
  }

  get estimatedPromptTokens(): TokenCount {
    return this.options.promptTokens;
  }

  /** Of all observed output, beyond the maximum too. */
  get outputTokens(): number {
    return this.#observed.reasoning + this.#observed.visible;
  }

  observe(event: BlockEvent): void {
    this.#before = this.#observed;
    if (event.type === 'block-delta') this.add(event.delta);
    if (event.type !== 'block-start') return;
    this.#openBlock = event.block.type;
    if (event.block.type === 'tool-call') this.add(event.block.name);
  }

  /** Takes back the last observed event, which is not relayed. Nothing may be observed after it. */
  withholdLast(): void {
    this.#observed = this.#before;
  }

  /** All observed output has been handed on; later output may not be. */
  mark(): void {
    this.#marked = this.#observed;
  }

  /** The prompt and all output observed so far. */
  usage(): Usage {
    return this.withOutput(this.promptUsage(), this.#observed);
  }

  /** The same, without the prompt that the source states. */
  usageByEstimate(): Usage {
    return this.withOutput(this.promptByEstimate(), this.#observed);
  }

  /** The prompt and the output observed before the last mark. */
  usageAtMark(): Usage {
    return this.withOutput(this.promptUsage(), this.#marked);
  }

  /** The prompt alone: the usage if no output reached the client. */
  promptUsage(): Usage {
    const { source, largestPromptTokens } = this.options;
    return { ...this.promptByEstimate(), ...trustedPrompt(source.statedPrompt, largestPromptTokens) };
  }

  private promptByEstimate(): Usage {
    return { ...NO_USAGE, uncachedPromptTokens: this.options.promptTokens };
  }

  private withOutput(prompt: Usage, { reasoning: reasoningTokens, visible: visibleOutputTokens }: OutputCount): Usage {
    const reasoningWithheld = this.options.thinking === 'withheld' && reasoningTokens > 0;
    return clipOutput({ ...prompt, reasoningTokens, visibleOutputTokens, reasoningWithheld }, this.options.maxOutputTokens);
  }

  private add(text: string): void {
    const isThinking = this.#openBlock === 'thinking';
    const counter = isThinking ? this.#thinking : this.#visible;
    counter.add(text);
    this.#observed = isThinking ? { ...this.#observed, reasoning: counter.tokens } : { ...this.#observed, visible: counter.tokens };
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
