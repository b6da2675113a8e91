import type { ProviderEvent, ReportedPrompt } from '@tollgate/core';
import { parseExactly } from '@tollgate/json-text';
import { parseObject } from '../json-access.js';
import { SseParser } from '../sse/sse-parser.js';
import { UpstreamFailure } from '../upstream-failure.js';
import type { BlockWriter } from './block-writer.js';
import type { ReplyAssembler } from './reply-assembler.js';
import type { ReplyReader, ReplyState } from './reply-reader.js';

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
