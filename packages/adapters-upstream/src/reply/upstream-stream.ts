import { FINAL_USAGE_WAIT_MILLISECONDS, type ProviderEventBatch, type ProviderStream, type ReportedPrompt } from '@tollgate/core';
import { asUpstreamFailure, UpstreamFailure } from '../upstream/upstream-failure.js';
import type { CallHealth } from './call-health.js';
import type { ReplyState } from './reply-assembler.js';
import type { ReplyReader } from './reply-reader.js';

/** The reader's view of a call; `UpstreamCall` implements it. */
export interface ReplyBytes {
  /** Resolves when `take` has something to return or the reply is over. Rejects with `UpstreamFailure`. */
  arrival(): Promise<void>;
  /** Everything received since the last call; `null` at the end of the reply. */
  take(): readonly Uint8Array[] | null;
  /** Reports the bytes of output found in what was taken. */
  produced(bytes: number): void;
  cancel(cause?: unknown): void;
  release(): void;
  endWithin(milliseconds: number): void;
}

type Step = IteratorResult<ProviderEventBatch, undefined>;

const NOTHING: ProviderEventBatch = [];
const DONE: IteratorReturnResult<undefined> = { done: true, value: undefined };

/**
 * Maximum events of a batch. A client that stalls is charged for the batch on its way, and one read of a fast upstream contains hundreds of events.
 */
const MAX_BATCH_EVENTS = 64;

export interface StreamFacts {
  readonly health: CallHealth;
  /** See `ProviderStream.omitted`. */
  readonly omitted: readonly string[];
  /** See `ProviderStream.isEventStream`. */
  readonly isEventStream: boolean;
}

/** The events of a reply, in one or more batches per read. Reports the first output, failures and irregularities to `CallHealth`. */
export class UpstreamStream implements ProviderStream {
  #done = false;
  #answered = false;
  #failure: UpstreamFailure | null = null;
  /** Events of the last read. */
  #events: ProviderEventBatch = NOTHING;
  /** Number of `#events` that were handed out. */
  #handedOut = 0;

  constructor(private readonly bytes: ReplyBytes, private readonly reader: ReplyReader, private readonly facts: StreamFacts) {}

  get omitted(): readonly string[] {
    return this.facts.omitted;
  }

  get isEventStream(): boolean {
    return this.facts.isEventStream;
  }

  get statedPrompt(): ReportedPrompt | null {
    return this.reader.assembler.statedPrompt;
  }

  next(): Promise<Step> {
    if (this.#handedOut < this.#events.length && !this.#done) return Promise.resolve(this.#handOut());
    return this.#readOn();
  }

  /**
   * Reads until there are events. It loops because a server may send many empty events, and recursive promises would accumulate. A broken connection
   * does not affect a finished reply.
   */
  async #readOn(): Promise<Step> {
    while (!this.#done) {
      if (this.#failure !== null) throw this.#fail(this.#failure);
      try {
        await this.bytes.arrival();
        this.#readArrived();
      } catch (thrown) {
        this.#failure = this.#endedAnyway(asUpstreamFailure(thrown), ['finished', 'stopping']);
      }
      this.#tellOddities();
      // `return` may have ended the stream during the await.
      if (this.#done) break;
      this.#events = this.reader.writer.take();
      this.#handedOut = 0;
      if (this.#events.length > 0) return this.#handOut();
    }
    return DONE;
  }

  return(): Promise<Step> {
    if (!this.#done) {
      this.#done = true;
      this.bytes.cancel();
      if (!this.#answered) this.facts.health.failed(new UpstreamFailure('cancelled', 'the call was cancelled before its first output'));
    }
    return Promise.resolve(DONE);
  }

  /** Decodes what has arrived. Unlike a broken connection, a failure that the reply itself reports affects a finished reply too. */
  #readArrived(): void {
    const pieces = this.bytes.take();
    try {
      this.#feed(pieces);
    } catch (thrown) {
      this.#failure = this.#endedAnyway(asUpstreamFailure(thrown), ['stopping']);
    }
  }

  #tellOddities(): void {
    const oddities = this.reader.writer.takeOddities();
    if (oddities !== null) this.facts.health.noticed?.(oddities);
  }

  #feed(pieces: readonly Uint8Array[] | null): void {
    if (pieces === null) this.reader.end();
    else for (const piece of pieces) this.reader.read(piece);
    const output = this.reader.writer.takeOutputBytes();
    if (output > 0) this.bytes.produced(output);
    if (this.reader.assembler.state === 'stopping') this.bytes.endWithin(FINAL_USAGE_WAIT_MILLISECONDS);
  }

  /**
   * Ends a reply despite the failure if it lacks only its closing event (after a finish reason) or only its usage (after a stop sequence). Returns
   * the failure that remains.
   */
  #endedAnyway(failure: UpstreamFailure, over: readonly ReplyState[]): UpstreamFailure | null {
    const { state } = this.reader.assembler;
    if (!over.includes(state) || failure.reason === 'cancelled' || (state === 'finished' && failure.reason === 'malformed-reply')) return failure;
    try {
      this.reader.end();
      return null;
    } catch (thrown) {
      return asUpstreamFailure(thrown);
    }
  }

  /** Hands out the next batch of the last read. */
  #handOut(): Step {
    if (!this.#answered) this.facts.health.answered();
    this.#answered = true;
    const from = this.#handedOut;
    this.#handedOut += MAX_BATCH_EVENTS;
    const batch = this.#events.length <= MAX_BATCH_EVENTS ? this.#events : this.#events.slice(from, this.#handedOut);
    if (this.#handedOut >= this.#events.length) this.#readAll();
    return { done: false, value: batch };
  }

  #readAll(): void {
    this.#events = NOTHING;
    if (this.reader.assembler.state === 'complete') this.#finish();
  }

  #finish(): void {
    this.#done = true;
    this.bytes.release();
  }

  #fail(failure: UpstreamFailure): UpstreamFailure {
    this.#done = true;
    this.bytes.cancel(failure);
    this.facts.health.failed(failure);
    return failure;
  }
}
