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
  /** The text of arguments that came with the start of a call; they hold unless some come after it. */
  wholeInput: string | null;
}

/** What the start of a call says. */
interface CallStart {
  readonly id: string | null;
  readonly name: string;
  readonly wholeInput: string | null;
}

/** A call that began while another one was open. */
interface WaitingCall {
  readonly start: CallStart;
  argumentsText: string;
  isOver: boolean;
}

/**
 * Writes the blocks of a reply, of which one is open at a time. Some servers keep parallel calls open side by side:
 * the first is written as it arrives, the others wait for its end.
 */
export class ContentBlocks {
  toolCallCount = 0;
  readonly #text: GuardedText;
  #open: OpenBlock | null = null;
  readonly #waiting = new Map<number, WaitingCall>();
  /** White space after a call, held until text follows it: models often close their calls with a line end, which says nothing. */
  #space = '';
  #hasText = false;

  constructor(private readonly writer: BlockWriter, private readonly terms: ReplyTerms) {
    this.#text = new GuardedText(terms.localStopSequences, (text) => this.#writeText(text));
  }

  /** Opens a block with what it already holds. Unless both are calls, one that was left open ends here. Tells when a stop sequence ends the reply. */
  start(index: number, block: JsonObject): 'goes-on' | 'stopped' {
    if (this.#isBesideOpenCall(index, block)) {
      this.#waiting.set(index, { start: decodeCallStart(block), argumentsText: '', isOver: false });
      return 'goes-on';
    }
    this.finish();
    switch (asText(block['type']) ?? '') {
      case 'text':
        this.#open = { index, type: 'text', signature: null, wholeInput: null };
        return this.#text.push(asText(block['text']) ?? '');
      case 'thinking':
        this.#open = { index, type: 'thinking', signature: asText(block['signature']) || null, wholeInput: null };
        this.writer.append('thinking', asText(block['thinking']) ?? '');
        return 'goes-on';
      case 'tool_use':
        this.#startToolCall(index, decodeCallStart(block));
        return 'goes-on';
      default:
        this.#open = { index, type: 'unknown', signature: null, wholeInput: null };
        return 'goes-on';
    }
  }

  /** Adds a piece to an open block. Tells when a stop sequence ends the reply; throws `UpstreamFailure` when the block is not open. */
  add(index: number, delta: JsonObject): 'goes-on' | 'stopped' {
    const waiting = this.#waiting.get(index);
    if (waiting !== undefined) {
      waiting.argumentsText += asText(delta['partial_json']) ?? '';
      return 'goes-on';
    }
    const open = this.#open;
    if (open === null || open.index !== index) throw new UpstreamFailure('malformed-reply', 'the upstream sent a piece of a block that is not open');
    if (open.type === 'text') return this.#text.push(asText(delta['text']) ?? '');
    if (open.type === 'thinking') this.#addThinking(open, delta);
    else if (open.type === 'tool-call') this.#addArguments(open, asText(delta['partial_json']) ?? '');
    return 'goes-on';
  }

  stop(index: number): void {
    const waiting = this.#waiting.get(index);
    if (waiting !== undefined) waiting.isOver = true;
    if (this.#open?.index !== index) return;
    this.#stopOpen();
    this.#writeWaiting();
  }

  /** Ends the blocks that were left open, if there are any. */
  finish(): void {
    this.#stopOpen();
    for (const call of this.#waiting.values()) call.isOver = true;
    this.#writeWaiting();
  }

  #isBesideOpenCall(index: number, block: JsonObject): boolean {
    return this.#open?.type === 'tool-call' && this.#open.index !== index && !this.#waiting.has(index) && block['type'] === 'tool_use';
  }

  /** Writes the calls that waited, up to the first that is not over: from there on it is written as it arrives. */
  #writeWaiting(): void {
    for (const [index, { start, argumentsText, isOver }] of this.#waiting) {
      this.#waiting.delete(index);
      const call = this.#startToolCall(index, start);
      this.#addArguments(call, argumentsText);
      if (!isOver) return;
      this.#stopOpen();
    }
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

  #startToolCall(index: number, { id, name, wholeInput }: CallStart): OpenBlock {
    if (name === '') throw new UpstreamFailure('malformed-reply', 'the upstream sent a tool call without a name');
    this.writer.open({ type: 'tool-call', id: id ?? this.terms.newToolCallId(), name });
    this.toolCallCount += 1;
    const call: OpenBlock = { index, type: 'tool-call', signature: null, wholeInput };
    this.#open = call;
    return call;
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
        if (open.wholeInput !== null) this.writer.write(open.wholeInput);
        return this.writer.close();
      case 'unknown':
    }
  }
}

function decodeCallStart(block: JsonObject): CallStart {
  const input = asObject(block['input']);
  const isEmpty = input === null || Object.keys(input).length === 0;
  return { id: asText(block['id']) || null, name: asText(block['name']) ?? '', wholeInput: isEmpty ? null : jsonTextOf(input) };
}
