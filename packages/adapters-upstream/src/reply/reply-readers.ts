import type { JsonObject, ProviderEvent, ReportedPrompt, StopReason } from '@tollgate/core';
import { parseExactly } from '@tollgate/json-text';
import { parseObject } from '../json-access.js';
import { SseParser } from './sse-parser.js';
import { UpstreamFailure } from '../upstream-failure.js';
import type { BlockWriter } from './block-writer.js';

/** Ends streams of chat completions; others may send it too. */
const LAST_EVENT = '[DONE]';
const LOGGED_CHARACTERS = 1_000;
/** Where whole replies hold the arguments of a tool call as an object. */
const ARGUMENT_FIELDS: ReadonlySet<string> = new Set(['input', 'arguments']);

/** Reads a stream of JSON objects as server-sent events. */
export class StreamedReplyReader implements ReplyReader {
  readonly #parser = new SseParser();

  constructor(private readonly writer: BlockWriter, private readonly assembler: ReplyAssembler) {}

  get state(): ReplyState {
    return this.assembler.state;
  }

  get statedPrompt(): ReportedPrompt | null {
    return this.assembler.statedPrompt;
  }

  read(bytes: Uint8Array): void {
    for (const event of this.#parser.push(bytes)) this.#readEvent(event);
  }

  end(): void {
    // What is left of an event that was broken off says nothing any more once the text has ended.
    if (this.state !== 'stopping') for (const event of this.#parser.end()) this.#readEvent(event);
    this.assembler.end();
  }

  take(): readonly ProviderEvent[] {
    return this.writer.take();
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

/** Reads a whole reply: one JSON object. */
export class WholeReplyReader implements ReplyReader {
  readonly #pieces: Uint8Array[] = [];

  constructor(private readonly writer: BlockWriter, private readonly assembler: ReplyAssembler) {}

  get state(): ReplyState {
    return this.assembler.state;
  }

  get statedPrompt(): ReportedPrompt | null {
    return this.assembler.statedPrompt;
  }

  read(bytes: Uint8Array): void {
    this.#pieces.push(bytes);
  }

  end(): void {
    const text = Buffer.concat(this.#pieces).toString('utf8');
    const reply = parseObject(text, parseReply);
    if (reply === null) throw malformed('a reply that is no JSON object', text);
    this.assembler.read(reply);
    this.assembler.end();
  }

  take(): readonly ProviderEvent[] {
    return this.writer.take();
  }
}

function parseReply(text: string): unknown {
  return parseExactly(text, ARGUMENT_FIELDS);
}

function malformed(what: string, text: string): UpstreamFailure {
  return new UpstreamFailure('malformed-reply', `the upstream sent ${what}`, text.slice(0, LOGGED_CHARACTERS));
}

/**
 * `finished`: the server has said why it stopped, so that a broken connection takes nothing away;
 * `stopping`: a stop sequence of the gateway's own has ended the text, and only the usage is waited for;
 * `complete`: the end has been written, only the connection's own end is to come.
 */
export type ReplyState = 'reading' | 'finished' | 'stopping' | 'complete';

/** Makes provider events of a reply's bytes. One per reply. */
export interface ReplyReader {
  /** Reads bytes that may be split anywhere. Throws when they are no reply; what came before can still be taken. */
  read(bytes: Uint8Array): void;
  /** The bytes are over. Throws when the reply is not. */
  end(): void;
  /** The events since the last time they were taken. */
  take(): readonly ProviderEvent[];
  /** The prompt as the server has counted it; `null` until it says. */
  readonly statedPrompt: ReportedPrompt | null;
  readonly state: ReplyState;
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
