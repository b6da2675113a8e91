import type { ProviderEvent } from '@tollgate/core';
import type { ReplyReader } from '../http/reply-reader.js';
import { parseObject } from '../json-access.js';
import { SseParser } from '../sse/sse-parser.js';
import { UpstreamFailure } from '../upstream-failure.js';
import { BlockWriter } from './block-writer.js';
import { ChatReplyAssembler, type ReplyTerms } from './chat-reply-assembler.js';

const LAST_EVENT = '[DONE]';

/** Reads a stream of chunks; `[DONE]` or the end of the bytes ends it. */
export class StreamedChatReader implements ReplyReader {
  readonly #parser = new SseParser();
  readonly #writer = new BlockWriter();
  readonly #assembler: ChatReplyAssembler;
  #stopped = false;

  constructor(terms: ReplyTerms) {
    this.#assembler = new ChatReplyAssembler(this.#writer, terms);
  }

  get state(): ReplyReader['state'] {
    if (this.#assembler.ended) return this.#stopped ? 'stopped' : 'complete';
    return this.#assembler.finished ? 'finished' : 'reading';
  }

  read(bytes: Uint8Array): void {
    for (const event of this.#parser.push(bytes)) this.#readEvent(event);
  }

  end(): void {
    for (const event of this.#parser.end()) this.#readEvent(event);
    this.#assembler.end();
  }

  take(): readonly ProviderEvent[] {
    return this.#writer.take();
  }

  #readEvent(event: string): void {
    if (this.#assembler.ended || event === '') return;
    if (event.trim() === LAST_EVENT) {
      this.#assembler.end();
      return;
    }
    const chunk = parseObject(event);
    if (chunk === null) throw new UpstreamFailure('malformed-reply', 'the upstream sent an event that is no JSON object', event.slice(0, 1_000));
    this.#assembler.read(chunk);
    this.#stopped = this.#assembler.ended;
  }
}

/** Reads one chat completion. */
export class WholeChatReader implements ReplyReader {
  readonly #pieces: Uint8Array[] = [];
  readonly #writer = new BlockWriter();
  readonly #assembler: ChatReplyAssembler;

  constructor(terms: ReplyTerms) {
    this.#assembler = new ChatReplyAssembler(this.#writer, terms);
  }

  get state(): ReplyReader['state'] {
    return this.#assembler.ended ? 'complete' : 'reading';
  }

  read(bytes: Uint8Array): void {
    this.#pieces.push(bytes);
  }

  end(): void {
    const text = Buffer.concat(this.#pieces).toString('utf8');
    const completion = parseObject(text);
    if (completion === null) throw new UpstreamFailure('malformed-reply', 'the upstream sent a reply that is no JSON object', text.slice(0, 1_000));
    this.#assembler.read(completion);
    this.#assembler.end();
  }

  take(): readonly ProviderEvent[] {
    return this.#writer.take();
  }
}
