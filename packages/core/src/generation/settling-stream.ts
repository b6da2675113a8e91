import type { Ending, EndReason, ServedModel } from '../billing/usage-record.js';
import { GatewayError } from '../errors/gateway-error.js';
import { toGatewayError } from '../errors/store-failures.js';
import type { Usage } from '../money/usage.js';
import type { CancelSignal } from '../primitives/cancel-signal.js';
import type { Clock } from '../primitives/clock.js';
import { invariant } from '../primitives/invariant.js';
import type { Instant } from '../primitives/time.js';
import { abortReasonOf } from './abort-reason.js';
import { brokenReply } from './broken-reply.js';
import { endingWithoutOutput } from './ending-without-output.js';
import type { GenerationEvent, GenerationEventBatch } from './generation-event.js';
import type { HeldRequest } from './held-request.js';
import { withinGracePeriod } from './within-grace-period.js';
import { bringsOutput, type MeteredBatch, type MeteredEnd, type UndeliveredEnd } from './metered-stream.js';
import type { OpenedGeneration } from './open-with-fallback.js';
import { DONE, GONE, type Step } from './stream-step.js';
import { ThinkingFilter } from './thinking-filter.js';

export interface SettlingStreamOptions {
  readonly opened: OpenedGeneration;
  readonly held: HeldRequest;
  readonly signal: CancelSignal;
  readonly clock: Clock;
}

/**
 * Settles the request exactly once, even if the stream is closed early or before its first event. Returns the end event only after the settlement.
 */
export class SettlingStream implements AsyncIterableIterator<GenerationEventBatch> {
  readonly service: Pick<ServedModel, 'servedBy' | 'fallbackUsed'>;
  /** `null` before any output. */
  #firstOutputAt: Instant | null;
  /** `null` if the client sees the thinking. */
  readonly #thinkingFilter: ThinkingFilter | null;
  /** First output, if the headers preceded it; `null` once read. */
  #awaited: Promise<MeteredBatch> | null;
  #endedWithoutOutput = false;
  #buffered = 0;
  /** End of a response whose last output was returned in the step before. */
  #awaitedEnd: MeteredEnd | null = null;
  /** Batch that arrived after the client disconnected. */
  #withheld: MeteredBatch | null = null;
  #started = false;
  #ended = false;
  /** True once the request of a complete response is settled. */
  #settled = false;
  #step: Promise<unknown> | null = null;
  #leaving: Promise<IteratorReturnResult<undefined>> | null = null;

  constructor(private readonly options: SettlingStreamOptions) {
    const service = options.held.service;
    invariant(service !== null, 'a generation that has begun has a served model');
    this.service = { servedBy: service.servedBy, fallbackUsed: service.fallbackUsed };
    this.#awaited = options.opened.awaited;
    this.#firstOutputAt = this.#awaited === null ? options.clock.now() : null;
    this.#thinkingFilter = options.opened.thinking === 'withheld' ? new ThinkingFilter() : null;
  }

  /** True if the request is free although an upstream accepted it: its settlement was refused, or it failed before any output. */
  get isUncharged(): boolean {
    return this.options.held.isUncharged || this.#endedWithoutOutput;
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  /**
   * Supports one call at a time. Rejects with `GatewayError` if the generation broke off; returns `done` if the client disconnected. In both cases,
   * the request is already settled.
   */
  next(): Promise<Step> {
    const step = this.step();
    this.#step = step;
    return step;
  }

  /** For a disconnected client: stops the upstream and charges the delivered output. Never rejects; the request is settled when it resolves. */
  return(): Promise<IteratorReturnResult<undefined>> {
    this.#leaving ??= this.#settled ? GONE : this.leave();
    return this.#leaving;
  }

  private step(): Promise<Step> {
    if (this.#ended) return GONE;
    if (this.#awaitedEnd !== null) return this.finish([], this.#awaitedEnd);
    if (this.#awaited !== null && !this.#started) return Promise.resolve(this.deliver({ blocks: [], end: null }));
    const buffered = this.takeBuffered();
    if (buffered !== null) return Promise.resolve(this.receive(buffered));
    try {
      return this.read().then((batch) => this.receive(batch), (failure: unknown) => this.endEarly(failure));
    } catch (failure) {
      return this.endEarly(failure);
    }
  }

  /** Removes withheld thinking from the batch. */
  private receive(batch: MeteredBatch): Step | Promise<Step> {
    const filter = this.#thinkingFilter;
    if (filter === null) return this.deliver(batch);
    const visible = filter.apply(batch);
    if (!this.isSilent(visible)) return this.deliver(visible);
    return this.readPastThinking(filter).then((next) => this.deliver(next), (failure: unknown) => this.endEarly(failure));
  }

  private deliver(batch: MeteredBatch): Step | Promise<Step> {
    if (this.#ended) return DONE;
    if (this.clientHasLeft()) return this.endAfterDisconnect(batch);
    const events = this.#started ? batch.blocks : this.withStart(batch);
    this.#started = true;
    if (batch.end === null) return { done: false, value: events };
    if (!this.mayStayUndelivered(batch)) return this.finish(events, batch.end);
    this.#awaitedEnd = batch.end;
    return { done: false, value: events };
  }

  private async endEarly(failure: unknown): Promise<IteratorReturnResult<undefined>> {
    if (this.#ended) return DONE;
    this.#ended = true;
    const { held, opened } = this.options;
    opened.stream.close();
    if (this.#awaited !== null) return this.endWithoutOutput(failure);
    const reason = this.reasonFor(failure);
    const usage = held.usageWithoutLastBatch();
    const settlement = await held.tryEnd(this.endingOf(reason, usage));
    if (reason === 'client_left') return DONE;
    throw brokenReply(reason, failure, settlement === null ? null : { usage, settlement, fallbackUsed: this.service.fallbackUsed });
  }

  /** The headers are already sent; the request ends as if no candidate had served it. */
  private async endWithoutOutput(failure: unknown): Promise<IteratorReturnResult<undefined>> {
    const { held, clock } = this.options;
    const ending = endingWithoutOutput(held, { ...this.options, failure, endedAt: clock.now() });
    await held.tryEnd(ending);
    if (ending.reason === 'client_left') return DONE;
    this.#endedWithoutOutput = true;
    throw failure;
  }

  /** False for a whole response: once complete, it is charged even if the client disconnected. */
  private clientHasLeft(): boolean {
    const { signal, held } = this.options;
    return held.facts.streamed && signal.aborted && abortReasonOf(signal) === 'client_left';
  }

  /**
   * True if a client that disconnects during the settlement would pay for more than one delta of the batch without having received it. The batch is
   * then returned before the end, at the cost of one more write; the last batch of most responses has at most one delta.
   */
  private mayStayUndelivered({ blocks }: MeteredBatch): boolean {
    return this.options.held.facts.streamed && blocks.filter(({ type }) => type === 'block-delta').length > 1;
  }

  /** Discards the batch, which arrived after the client disconnected. */
  private async endAfterDisconnect(batch: MeteredBatch): Promise<IteratorReturnResult<undefined>> {
    this.#withheld = batch;
    // The pending `return()` already waits for this step.
    if (this.#leaving !== null) return DONE;
    this.#step = null;
    return this.return();
  }

  /** Skips batches that contain only hidden thinking, so that the stream's keep-alive runs meanwhile. */
  private async readPastThinking(filter: ThinkingFilter): Promise<MeteredBatch> {
    for (;;) {
      const visible = filter.apply(this.takeBuffered() ?? await this.read());
      if (!this.isSilent(visible)) return visible;
    }
  }

  /**
   * True if the batch has nothing for the client. Never true for the first batch, which starts the response, or after a disconnect, which ends the
   * request.
   */
  private isSilent({ blocks, end }: MeteredBatch): boolean {
    return blocks.length === 0 && end === null && this.#started && !this.clientHasLeft();
  }

  /** Next batch that was read before the first step; `null` if none is left. */
  private takeBuffered(): MeteredBatch | null {
    const buffered = this.options.opened.batches[this.#buffered];
    if (buffered === undefined) return null;
    this.#buffered += 1;
    return buffered;
  }

  private read(): Promise<MeteredBatch> {
    return this.#awaited === null ? this.options.opened.stream.next() : this.readAwaited(this.#awaited);
  }

  private async readAwaited(awaited: Promise<MeteredBatch>): Promise<MeteredBatch> {
    const batch = await awaited;
    this.#awaited = null;
    this.#firstOutputAt = this.options.clock.now();
    return batch;
  }

  private withStart(batch: MeteredBatch): readonly GenerationEvent[] {
    const events: GenerationEvent[] = [{ type: 'generation-start', ...this.service, upstreamModel: this.options.opened.upstreamModel }];
    return events.concat(batch.blocks);
  }

  private async finish(events: readonly GenerationEvent[], { reason, stopReason, usage }: MeteredEnd): Promise<Step> {
    this.#ended = true;
    this.options.opened.stream.close();
    try {
      const settlement = await this.options.held.end(this.endingOf(reason, usage));
      this.#settled = true;
      return { done: false, value: [...events, { type: 'generation-end', stopReason, usage, settlement }] };
    } catch (failure) {
      throw toGatewayError(failure);
    }
  }

  private reasonFor(failure: unknown): EndReason {
    const { signal } = this.options;
    if (signal.aborted || this.#leaving !== null) return abortReasonOf(signal);
    return failure instanceof GatewayError ? 'internal_error' : 'provider_failed';
  }

  private async leave(): Promise<IteratorReturnResult<undefined>> {
    const { opened, held, signal } = this.options;
    // A finished upstream needs no abort, and an aborted one may still report its usage.
    if (!this.#ended && !signal.aborted) opened.stream.close();
    // Read before the first `await`: a step that called this method becomes `#step` later, and waiting for it would never end.
    const step = this.#step;
    const answered = step === null || await withinGracePeriod(this.options.clock, step.then(() => true, () => true)) !== null;
    // No step reads the first output any more.
    if (answered && this.#awaited !== null) this.#withheld = await withinGracePeriod(this.options.clock, this.#awaited);
    if (this.#ended) return Promise.allSettled([step]).then(() => DONE);
    this.#ended = true;
    const end = await this.undeliveredEnd(answered);
    opened.stream.close();
    const reason = end === null || end.outputWithheld ? abortReasonOf(signal) : end.reason;
    await held.tryEnd(this.endingOf(reason, this.usageOf(end, answered)));
    return DONE;
  }

  /** Without the provider's report, the client pays for the output that it received. A batch that was withheld or came too late is free. */
  private usageOf(end: UndeliveredEnd | null, answered: boolean): Usage {
    const { held } = this.options;
    if (end !== null && (end.usage.source === 'reported' || !end.outputWithheld || !held.facts.streamed)) return end.usage;
    const isDelivered = answered && this.#started && this.#awaited === null && this.#withheld === null;
    return isDelivered ? held.usageSoFar() : held.usageWithoutLastBatch();
  }

  /** The end that has arrived but was not delivered, or that an aborted upstream sends within the grace period; `null` without one. */
  private async undeliveredEnd(answered: boolean): Promise<UndeliveredEnd | null> {
    if (this.#awaitedEnd !== null) return { ...this.#awaitedEnd, outputWithheld: false };
    const { opened: { batches, stream }, signal, clock } = this.options;
    const unseen = this.#withheld === null ? batches.slice(this.#buffered) : [this.#withheld];
    const outputWithheld = unseen.some(({ blocks }) => bringsOutput(blocks));
    const known = unseen.at(-1)?.end ?? null;
    if (known !== null) return { ...known, outputWithheld };
    return signal.aborted && answered ? withinGracePeriod(clock, stream.drain(outputWithheld)) : null;
  }

  private endingOf(reason: EndReason, usage: Usage): Ending {
    return { reason, service: this.options.held.service, usage, firstOutputAt: this.#firstOutputAt, endedAt: this.options.clock.now() };
  }
}
