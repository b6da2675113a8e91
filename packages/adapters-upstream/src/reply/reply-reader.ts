import { type BlockOpening, invariant, type JsonObject, type ProviderEvent, type ReportedPrompt, type ReportedUsage, type StopReason } from '@tollgate/core';
import { parseExactly } from '@tollgate/json-text';
import { UpstreamFailure } from '../upstream/upstream-failure.js';
import { parseObject } from '../upstream/json-access.js';
import { SseParser } from './sse-parser.js';
import { StopSequenceCutter } from './stop-sequences.js';

/**
 * `finished`: the server has said why it stopped, so that a broken connection takes nothing away;
 * `stopping`: a stop sequence of the gateway's own has ended the text, and only the usage is waited for;
 * `complete`: the end has been written, only the connection's own end is to come.
 */
export type ReplyState = 'reading' | 'finished' | 'stopping' | 'complete';

/** Makes provider events of a reply's bytes. One per reply. */
export abstract class ReplyReader {
  constructor(private readonly writer: BlockWriter, protected readonly assembler: ReplyAssembler) {}

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
}

/** Ends streams of chat completions; others may send it too. */
const LAST_EVENT = '[DONE]';

/** Reads a stream of JSON objects as server-sent events. */
export class StreamedReplyReader extends ReplyReader {
  readonly #parser = new SseParser();

  override read(bytes: Uint8Array): void {
    for (const event of this.#parser.push(bytes)) this.#readEvent(event);
  }

  override end(): void {
    // Once a stop sequence has ended the text, an incomplete event says nothing more.
    if (this.state !== 'stopping') for (const event of this.#parser.end()) this.#readEvent(event);
    this.assembler.end();
  }

  #readEvent(event: string): void {
    if (event === '' || this.state === 'complete') return;
    if (event.trim() === LAST_EVENT) {
      this.assembler.end();
      return;
    }
    const object = parseObject(event);
    if (object === null) throw malformed('an event that is no JSON object', event);
    this.assembler.read(object);
  }
}

/** Where whole replies hold the arguments of a tool call as an object. */
const ARGUMENT_FIELDS: ReadonlySet<string> = new Set(['input', 'arguments']);

/** Reads a whole reply: one JSON object. */
export class WholeReplyReader extends ReplyReader {
  readonly #pieces: Uint8Array[] = [];

  override read(bytes: Uint8Array): void {
    this.#pieces.push(bytes);
  }

  override end(): void {
    const text = Buffer.concat(this.#pieces).toString('utf8');
    const reply = parseObject(text, (json) => parseExactly(json, ARGUMENT_FIELDS));
    if (reply === null) throw malformed('a reply that is no JSON object', text);
    this.assembler.read(reply);
    this.assembler.end();
  }
}

const LOGGED_CHARACTERS = 1_000;

function malformed(what: string, text: string): UpstreamFailure {
  return new UpstreamFailure('malformed-reply', `the upstream sent ${what}`, text.slice(0, LOGGED_CHARACTERS));
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
}

/** What a server's reason stands for. A plain stop with tool calls waits for their results; a reason nobody knows is an ordinary end. */
export function decodeStopReason(reason: string, known: Readonly<Record<string, StopReason>>, toolCallCount: number): StopReason {
  const stopReason = Object.hasOwn(known, reason) ? known[reason] ?? 'end' : 'end';
  if (stopReason === 'end' && toolCallCount > 0) return 'tool-call';
  return stopReason === 'tool-call' && toolCallCount === 0 ? 'end' : stopReason;
}

/** Writes events that keep the grammar: one block open at a time, indices without gaps, no empty deltas. */
export class BlockWriter {
  #events: ProviderEvent[] = [];
  #nextIndex = 0;
  #open: BlockOpening['type'] | null = null;

  /** The events written since the last time they were taken. */
  take(): readonly ProviderEvent[] {
    const events = this.#events;
    this.#events = [];
    return events;
  }

  #add(event: ProviderEvent): void {
    // An array that grows is given room for many.
    if (this.#events.length === 0) this.#events = [event];
    else this.#events.push(event);
  }

  /** Opens a block, after the one that was open. */
  open(block: BlockOpening): void {
    this.close();
    this.#open = block.type;
    this.#add({ type: 'block-start', index: this.#nextIndex, block });
  }

  /** Writes to a block of this kind: the open one, else a new one. */
  append(type: 'thinking' | 'text', delta: string): void {
    if (delta === '') return;
    if (this.#open !== type) this.open({ type });
    this.write(delta);
  }

  /** Writes to the open block. */
  write(delta: string): void {
    if (delta === '') return;
    invariant(this.#open !== null, 'a delta belongs to an open block');
    this.#add({ type: 'block-delta', index: this.#nextIndex, delta });
  }

  close(): void {
    this.#close(null);
  }

  /** Closes thinking with the signature of its upstream. Thinking that is kept from us has no text: its signature is all there is of it. */
  closeThinking(signature: string | null): void {
    if (signature !== null && this.#open !== 'thinking') this.open({ type: 'thinking' });
    this.#close(signature);
  }

  #close(signature: string | null): void {
    if (this.#open === null) return;
    this.#add({ type: 'block-end', index: this.#nextIndex, signature });
    this.#open = null;
    this.#nextIndex += 1;
  }

  end(stopReason: StopReason, usage: ReportedUsage | null): void {
    this.close();
    this.#add({ type: 'provider-end', stopReason, usage });
  }
}

/** Passes text on up to the first stop sequence that the server was not told of. */
export class GuardedText {
  readonly #cutter: StopSequenceCutter | null;

  constructor(sequences: readonly string[], private readonly write: (text: string) => void) {
    this.#cutter = sequences.length === 0 ? null : new StopSequenceCutter(sequences);
  }

  /** Whether the text may go on, or has met a stop sequence and is over. */
  push(text: string): 'goes-on' | 'stopped' {
    if (this.#cutter === null) {
      this.write(text);
      return 'goes-on';
    }
    const cut = this.#cutter.push(text);
    this.write(cut.text);
    return cut.stopped ? 'stopped' : 'goes-on';
  }

  /** Passes on what was held back, since something else follows it. */
  flush(): void {
    if (this.#cutter !== null) this.write(this.#cutter.flush());
  }
}
