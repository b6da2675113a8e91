import type { Settlement } from '../billing/settlement.js';
import type { EndReason, Service } from '../billing/usage-record.js';
import { GatewayError } from '../errors/gateway-error.js';
import type { Clock } from '../ports/clock.js';
import type { CancelSignal } from '../ports/model-provider.js';
import { invariant } from '../invariant.js';
import type { Instant } from '../time/instant.js';
import type { GenerationEvent, GenerationEventBatch } from './generation-event.js';
import type { HeldRequest } from './held-request.js';
import type { MeteredBatch, MeteredEnd } from './metered-stream.js';
import type { OpenedGeneration } from './open-with-fallback.js';
import type { Usage } from './usage.js';

/** How long after its client left a generation may still deliver its own usage figures. */
export const FINAL_USAGE_WAIT_MILLISECONDS = 2000;
/** The reason a signal carries when the service itself stops; any other reason means that the client left. */
export const SHUTDOWN = 'shutdown';

export interface SettlingStreamOptions {
  readonly opened: OpenedGeneration;
  readonly held: HeldRequest;
  readonly signal: CancelSignal;
  readonly clock: Clock;
}

const DONE: IteratorReturnResult<undefined> = { done: true, value: undefined };

/** Why a request ends whose signal was aborted. */
export function abortReasonOf(signal: CancelSignal): Extract<EndReason, 'shutdown' | 'client_left'> {
  return signal.reason === SHUTDOWN ? 'shutdown' : 'client_left';
}

/**
 * A generation on its way to its client. Settles exactly once, before the end event is handed out,
 * also when it is closed early, or closed before its first event.
 */
export class SettlingStream implements AsyncIterableIterator<GenerationEventBatch> {
  /** Which model serves; known from the start and the same until the end. */
  readonly service: Pick<Service, 'servedBy' | 'fallbackUsed'>;
  readonly #firstOutputAt: Instant;
  #buffered = 0;
  #started = false;
  #ended = false;
  #leaving = false;
  #step: Promise<unknown> | null = null;

  constructor(private readonly options: SettlingStreamOptions) {
    const service = options.held.service;
    invariant(service !== null, 'a generation that has begun is served by somebody');
    this.service = { servedBy: service.servedBy, fallbackUsed: service.fallbackUsed };
    this.#firstOutputAt = options.clock.now();
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  /** The next events, in one batch. Throws `GatewayError` when the generation broke off; it is settled by then. */
  next(): Promise<IteratorResult<GenerationEventBatch, undefined>> {
    const step = this.step();
    this.#step = step;
    return step;
  }

  /** The client reads no further: stops the upstream and charges for what was relayed. */
  async return(): Promise<IteratorResult<GenerationEventBatch, undefined>> {
    this.#leaving = true;
    const { opened, signal } = this.options;
    if (!this.#ended && this.#step !== null) {
      if (!signal.aborted) await opened.stream.close();
      await Promise.allSettled([this.#step]);
    }
    if (this.#ended) return DONE;
    this.#ended = true;
    const usage = await this.usageOfTheAborted();
    await opened.stream.close();
    await this.end(abortReasonOf(signal), usage);
    return DONE;
  }

  private async step(): Promise<IteratorResult<GenerationEventBatch, undefined>> {
    if (this.#ended) return DONE;
    let batch: MeteredBatch;
    try {
      batch = await this.read();
    } catch (failure) {
      return this.cutShort(failure);
    }
    const events = this.#started ? batch.blocks : this.withStart(batch);
    this.#started = true;
    if (batch.end === null) return { done: false, value: events };
    return { done: false, value: [...events, await this.finish(batch.end)] };
  }

  private read(): MeteredBatch | Promise<MeteredBatch> {
    const { batches, stream } = this.options.opened;
    const buffered = batches[this.#buffered];
    if (buffered === undefined) return stream.next();
    this.#buffered += 1;
    return buffered;
  }

  private withStart(batch: MeteredBatch): readonly GenerationEvent[] {
    const events: GenerationEvent[] = [{ type: 'generation-start', ...this.service }];
    return events.concat(batch.blocks);
  }

  private async finish({ reason, stopReason, usage }: MeteredEnd): Promise<GenerationEvent> {
    this.#ended = true;
    const settlement = await this.end(reason, usage);
    return { type: 'generation-end', stopReason, usage, settlement };
  }

  private async cutShort(failure: unknown): Promise<IteratorResult<GenerationEventBatch, undefined>> {
    if (this.#ended) return DONE;
    this.#ended = true;
    const { held, opened, signal } = this.options;
    const usage = held.usageIfCutShort();
    await opened.stream.close();
    const reason = signal.aborted || this.#leaving ? abortReasonOf(signal) : 'provider_failed';
    await this.end(reason, usage);
    if (reason === 'client_left') return DONE;
    const message = reason === 'shutdown' ? 'The service is restarting. Please try again.' : 'The model stopped before the end of its reply.';
    throw new GatewayError('provider_unavailable', message, { cause: failure });
  }

  /** The upstream's own figures if they come in time, else what was relayed. */
  private async usageOfTheAborted(): Promise<Usage> {
    const { opened, held, signal, clock } = this.options;
    const relayed = held.usageIfCutShort();
    if (!signal.aborted) return relayed;
    const bufferedEnd = opened.batches.at(-1)?.end ?? null;
    if (bufferedEnd !== null) return bufferedEnd.usage;
    let cancel: () => void = () => undefined;
    const tooLate = new Promise<null>((resolve) => {
      cancel = clock.schedule(FINAL_USAGE_WAIT_MILLISECONDS, () => resolve(null));
    });
    // An aborted upstream usually answers with a failure: then there are no figures but our own.
    const reported = opened.stream.drainForUsage().catch(() => null);
    const usage = await Promise.race([reported, tooLate]);
    cancel();
    return usage ?? relayed;
  }

  private end(reason: EndReason, usage: Usage): Promise<Settlement> {
    const { held, clock } = this.options;
    return held.end({ reason, service: held.service, usage, firstOutputAt: this.#firstOutputAt, endedAt: clock.now() });
  }
}
