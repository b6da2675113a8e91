import {
  FINAL_USAGE_WAIT_MILLISECONDS, type JsonObject, type ProviderEvent, type ProviderEventBatch, type ProviderStream, type ReportedPrompt,
} from '@tollgate/core';
import { asUpstreamFailure, UpstreamFailure } from '../upstream/upstream-failure.js';
import type { BlockWriter, ReplyOddities } from './block-writer.js';

/** Told how one call goes. */
export interface CallHealth {
  /** First output arrived. */
  answered(): void;
  failed(failure: UpstreamFailure): void;
  /** Of a reply that goes on or ends as it would without them. */
  noticed?(oddities: ReplyOddities): void;
}

/** The bytes of a reply, by pull; an `UpstreamCall` has them. */
export interface ReplyBytes {
  /** Resolves once there is something to take, or the reply is over. Rejects with `UpstreamFailure`. */
  arrival(): Promise<void>;
  /** All that has arrived since it was last taken; `null` at the end of the reply. */
  take(): readonly Uint8Array[] | null;
  /** Tells of output that was found in what was taken, in bytes. */
  produced(bytes: number): void;
  cancel(cause?: unknown): void;
  release(): void;
  endWithin(milliseconds: number): void;
}

type Step = IteratorResult<ProviderEventBatch, undefined>;

const NOTHING: ProviderEventBatch = [];
const DONE: IteratorReturnResult<undefined> = { done: true, value: undefined };

/**
 * Most events of one batch. A client that stops reading pays for the batch on its way to it, and a fast upstream's single read brings
 * hundreds of events.
 */
const MAX_BATCH_EVENTS = 64;

/** What is known of a reply besides its bytes. */
export interface StreamFacts {
  readonly health: CallHealth;
  /** See `ProviderStream.omitted`. */
  readonly omitted: readonly string[];
  /** See `ProviderStream.isEventStream`. */
  readonly isEventStream: boolean;
}

/** A reply on its way: what one read brings travels as one batch, or as several if it is much. Tells the call's health how it goes. */
export class UpstreamStream implements ProviderStream {
  #done = false;
  #answered = false;
  #failure: UpstreamFailure | null = null;
  /** Events that the last batch had no room for. */
  #rest: ProviderEventBatch = NOTHING;

  constructor(private readonly bytes: ReplyBytes, private readonly reader: ReplyReader, private readonly facts: StreamFacts) {}

  get omitted(): readonly string[] {
    return this.facts.omitted;
  }

  get isEventStream(): boolean {
    return this.facts.isEventStream;
  }

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
      await this.#readNext();
      this.#tellOddities();
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
      this.bytes.cancel();
      if (!this.#answered) this.facts.health.failed(new UpstreamFailure('cancelled', 'the call was cancelled before its first output'));
    }
    return Promise.resolve(DONE);
  }

  /** A connection that breaks takes nothing away from a reply that is over; a failure that the reply itself tells of does. */
  async #readNext(): Promise<void> {
    let pieces: readonly Uint8Array[] | null;
    try {
      await this.bytes.arrival();
      pieces = this.bytes.take();
    } catch (thrown) {
      this.#failure = this.#endedAnyway(asUpstreamFailure(thrown), ['finished', 'stopping']);
      return;
    }
    try {
      this.#feed(pieces);
    } catch (thrown) {
      this.#failure = this.#endedAnyway(asUpstreamFailure(thrown), ['stopping']);
    }
  }

  #tellOddities(): void {
    const oddities = this.reader.takeOddities();
    if (oddities !== null) this.facts.health.noticed?.(oddities);
  }

  #feed(pieces: readonly Uint8Array[] | null): void {
    if (pieces === null) this.reader.end();
    else for (const piece of pieces) this.reader.read(piece);
    const output = this.reader.takeOutputBytes();
    if (output > 0) this.bytes.produced(output);
    if (this.reader.state === 'stopping') this.bytes.endWithin(FINAL_USAGE_WAIT_MILLISECONDS);
  }

  /** After the server has said why it stopped, only its closing event can be missing; after a stop sequence, only its usage. */
  #endedAnyway(failure: UpstreamFailure, over: readonly ReplyState[]): UpstreamFailure | null {
    const { state } = this.reader;
    if (!over.includes(state) || failure.reason === 'cancelled' || (state === 'finished' && failure.reason === 'malformed-reply')) return failure;
    try {
      this.reader.end();
      return null;
    } catch (thrown) {
      return asUpstreamFailure(thrown);
    }
  }

  #handOut(events: ProviderEventBatch): Step {
    if (!this.#answered) this.facts.health.answered();
    this.#answered = true;
    if (events.length > MAX_BATCH_EVENTS) {
      this.#rest = events.slice(MAX_BATCH_EVENTS);
      return { done: false, value: events.slice(0, MAX_BATCH_EVENTS) };
    }
    this.#rest = NOTHING;
    if (this.reader.state === 'complete') this.#finish();
    return { done: false, value: events };
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

/**
 * `finished`: the server has said why it stopped, so that a broken connection takes nothing away;
 * `stopping`: a stop sequence of the gateway's own has ended the text, and only the usage is waited for;
 * `complete`: the end has been written, only the connection's own end is to come.
 */
export type ReplyState = 'reading' | 'finished' | 'stopping' | 'complete';

/** Makes provider events of a reply's bytes. One per reply. */
export abstract class ReplyReader {
  constructor(protected readonly writer: BlockWriter, protected readonly assembler: ReplyAssembler) {}

  /** Reads bytes that may be split anywhere. Throws when they are no reply; earlier events can still be taken. */
  abstract read(bytes: Uint8Array): void;

  /** The bytes are over. Throws when the reply is not. */
  abstract end(): void;

  get state(): ReplyState {
    return this.assembler.state;
  }

  /** The prompt as the server has counted it; `null` until the server states it. */
  get statedPrompt(): ReportedPrompt | null {
    return this.assembler.statedPrompt;
  }

  /** The events since the last time they were taken. */
  take(): readonly ProviderEvent[] {
    return this.writer.take();
  }

  /** The output since the last time it was taken, in bytes; what waits for its place in the reply is counted as it arrives. */
  takeOutputBytes(): number {
    return this.writer.takeOutputBytes();
  }

  /** What was odd since the last time it was taken; `null` if nothing was. */
  takeOddities(): ReplyOddities | null {
    return this.writer.takeOddities();
  }
}

/** Makes provider events of the JSON objects that a reply consists of: the events of a stream, or one whole reply. Each kind of upstream has its own. */
export interface ReplyAssembler {
  /** Throws `UpstreamFailure` when the object tells of a failure. */
  read(object: JsonObject): void;
  /** No object follows. Throws `UpstreamFailure` when the server never said that it was finished. */
  end(): void;
  readonly state: ReplyState;
  /** The prompt as the server has counted it; `null` until it says. */
  readonly statedPrompt: ReportedPrompt | null;
}

/** What a reply is read by, besides itself. */
export interface ReplyTerms {
  readonly newToolCallId: () => string;
  /** Stop sequences that the server was not told of. */
  readonly localStopSequences: readonly string[];
  /** Whether the catalogue declares the model as one that reasons. */
  readonly modelReasons: boolean;
}
