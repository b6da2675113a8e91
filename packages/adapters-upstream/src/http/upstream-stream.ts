import { FINAL_USAGE_WAIT_MILLISECONDS, type ProviderEventBatch, type ProviderStream, type ReportedPrompt } from '@tollgate/core';
import type { ReplyReader } from '../reply/reply-reader.js';
import type { CallHealth } from '../upstream/upstream-provider.js';
import { asUpstreamFailure, UpstreamFailure } from '../upstream/upstream-failure.js';
import type { UpstreamCall } from './upstream-call.js';

type Step = IteratorResult<ProviderEventBatch, undefined>;

const NOTHING: ProviderEventBatch = [];
const DONE: IteratorReturnResult<undefined> = { done: true, value: undefined };

/**
 * Most events of one batch. A client that stops reading pays for the batch on its way to it, and a fast upstream's single read brings
 * hundreds of events.
 */
const MAXIMUM_BATCH_EVENTS = 64;

/** A reply on its way: what one read brings travels as one batch, or as several if it is much. Tells the call's health how it goes. */
export class UpstreamStream implements ProviderStream {
  #done = false;
  #answered = false;
  #failure: UpstreamFailure | null = null;
  /** Events that the last batch had no room for. */
  #rest: ProviderEventBatch = NOTHING;

  constructor(private readonly call: UpstreamCall, private readonly reader: ReplyReader, private readonly health: CallHealth) {}

  get statedPrompt(): ReportedPrompt | null {
    return this.reader.statedPrompt;
  }

  next(): Promise<Step> {
    if (this.#rest.length > 0 && !this.#done) return Promise.resolve(this.#handOut(this.#rest));
    return this.#readOn();
  }

  /** Reads until there are events: a server may send other things for long, and promises that wait for one another would pile up. */
  async #readOn(): Promise<Step> {
    while (!this.#done) {
      if (this.#failure !== null) throw this.#fail(this.#failure);
      try {
        this.#feed(await this.call.read());
      } catch (thrown) {
        this.#note(thrown);
      }
      // Another call may have ended the stream while this one waited.
      if (this.#done) break;
      const events = this.reader.take();
      if (events.length > 0) return this.#handOut(events);
    }
    return DONE;
  }

  return(): Promise<Step> {
    if (!this.#done) {
      this.#done = true;
      this.call.cancel();
      if (!this.#answered) this.health.failed(new UpstreamFailure('cancelled', 'the call was given up before its first output'));
    }
    return Promise.resolve(DONE);
  }

  #note(thrown: unknown): void {
    this.#failure = this.#endedAnyway(asUpstreamFailure(thrown));
  }

  #feed(pieces: readonly Uint8Array[] | null): void {
    if (pieces === null) this.reader.end();
    else for (const piece of pieces) this.reader.read(piece);
    if (this.reader.state === 'stopping') this.call.endWithin(FINAL_USAGE_WAIT_MILLISECONDS);
  }

  /** After the server has said why it stopped, only its own goodbye can be missing; after a stop sequence, only its usage. */
  #endedAnyway(failure: UpstreamFailure): UpstreamFailure | null {
    const { state } = this.reader;
    const isOver = state === 'stopping' || (state === 'finished' && failure.reason !== 'malformed-reply');
    if (!isOver || failure.reason === 'cancelled') return failure;
    try {
      this.reader.end();
      return null;
    } catch (thrown) {
      return asUpstreamFailure(thrown);
    }
  }

  #handOut(events: ProviderEventBatch): Step {
    if (!this.#answered) this.health.answered();
    this.#answered = true;
    if (events.length > MAXIMUM_BATCH_EVENTS) {
      this.#rest = events.slice(MAXIMUM_BATCH_EVENTS);
      return { done: false, value: events.slice(0, MAXIMUM_BATCH_EVENTS) };
    }
    this.#rest = NOTHING;
    if (this.reader.state === 'complete') this.#finish();
    return { done: false, value: events };
  }

  #finish(): void {
    this.#done = true;
    this.call.release();
  }

  #fail(failure: UpstreamFailure): UpstreamFailure {
    this.#done = true;
    this.call.cancel(failure);
    this.health.failed(failure);
    return failure;
  }
}
