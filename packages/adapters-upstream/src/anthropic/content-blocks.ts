import { isBlank, type JsonObject, jsonTextOf } from '@tollgate/core';
import { asObject, asText } from '../json-access.js';
import type { BlockWriter } from '../reply/block-writer.js';
import { GuardedText } from '../reply/guarded-text.js';
import type { ReplyTerms } from '../reply/reply-assembler.js';
import { UpstreamFailure } from '../upstream-failure.js';

interface OpenBlock {
  readonly index: number;
  /** `unknown`: of a type that says nothing to us. */
  readonly type: 'text' | 'thinking' | 'tool-call' | 'unknown';
  signature: string | null;
  /** Arguments that came with the start of a call; they hold unless some come after it. */
  wholeInput: JsonObject | null;
}

/** Writes the blocks of a reply, of which one is open at a time. */
export class ContentBlocks {
  toolCallCount = 0;
  readonly #text: GuardedText;
  #open: OpenBlock | null = null;
  /** White space after a call, held until text follows it: models often close their calls with a line end, which says nothing. */
  #space = '';
  #hasText = false;

  constructor(private readonly writer: BlockWriter, private readonly terms: ReplyTerms) {
    this.#text = new GuardedText(terms.localStopSequences, (text) => this.#writeText(text));
  }

  /** Opens a block with what it already holds. One that was left open ends here. Tells when a stop sequence ends the reply. */
  start(index: number, block: JsonObject): 'goes-on' | 'stopped' {
    this.#stopOpen();
    switch (asText(block['type']) ?? '') {
      case 'text':
        this.#open = { index, type: 'text', signature: null, wholeInput: null };
        return this.#text.push(asText(block['text']) ?? '');
      case 'thinking':
        this.#open = { index, type: 'thinking', signature: asText(block['signature']) || null, wholeInput: null };
        this.writer.append('thinking', asText(block['thinking']) ?? '');
        return 'goes-on';
      case 'tool_use':
        this.#startToolCall(index, block);
        return 'goes-on';
      default:
        this.#open = { index, type: 'unknown', signature: null, wholeInput: null };
        return 'goes-on';
    }
  }

  /** Adds a piece to the open block. Tells when a stop sequence ends the reply; throws `UpstreamFailure` when the block is not open. */
  add(index: number, delta: JsonObject): 'goes-on' | 'stopped' {
    const open = this.#open;
    if (open === null || open.index !== index) throw new UpstreamFailure('malformed-reply', 'the upstream sent a piece of a block that is not open');
    if (open.type === 'text') return this.#text.push(asText(delta['text']) ?? '');
    if (open.type === 'thinking') this.#addThinking(open, delta);
    else if (open.type === 'tool-call') this.#addArguments(open, asText(delta['partial_json']) ?? '');
    return 'goes-on';
  }

  stop(index: number): void {
    if (this.#open?.index === index) this.#stopOpen();
  }

  /** Ends the block that was left open, if there is one. */
  finish(): void {
    this.#stopOpen();
  }

  #writeText(text: string): void {
    if (this.toolCallCount > 0 && !this.#hasText && isBlank(text)) {
      this.#space += text;
      return;
    }
    this.writer.append('text', this.#space + text);
    this.#hasText = true;
    this.#space = '';
  }

  #startToolCall(index: number, block: JsonObject): void {
    const name = asText(block['name']) ?? '';
    if (name === '') throw new UpstreamFailure('malformed-reply', 'the upstream sent a tool call without a name');
    this.writer.open({ type: 'tool-call', id: asText(block['id']) || this.terms.newToolCallId(), name });
    this.toolCallCount += 1;
    this.#open = { index, type: 'tool-call', signature: null, wholeInput: asObject(block['input']) };
  }

  #addThinking(open: OpenBlock, delta: JsonObject): void {
    this.writer.append('thinking', asText(delta['thinking']) ?? '');
    open.signature = asText(delta['signature']) || open.signature;
  }

  #addArguments(open: OpenBlock, piece: string): void {
    if (piece === '') return;
    open.wholeInput = null;
    this.writer.write(piece);
  }

  #stopOpen(): void {
    const open = this.#open;
    if (open === null) return;
    this.#open = null;
    this.#hasText = false;
    switch (open.type) {
      case 'text':
        this.#text.flush();
        this.#space = '';
        return this.writer.close();
      case 'thinking': return this.writer.closeThinking(open.signature);
      case 'tool-call':
        if (open.wholeInput !== null && Object.keys(open.wholeInput).length > 0) this.writer.write(jsonTextOf(open.wholeInput));
        return this.writer.close();
      case 'unknown':
    }
  }
}
