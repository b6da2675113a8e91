import { isBlank, type JsonObject, type SignatureForm } from '@tollgate/core';
import { jsonDocument } from '@tollgate/json-text';
import { asObject, asText } from '../reply/json-values.js';
import type { BlockWriter } from '../reply/block-writer.js';
import type { ReplyTerms } from '../reply/reply-assembler.js';
import { GuardedText } from '../reply/stop-sequences.js';
import { ToolCallIds } from '../reply/tool-call-ids.js';
import { UpstreamFailure } from '../upstream/upstream-failure.js';

type Progress = 'goes-on' | 'stopped';

interface Block {
  readonly index: number;
  /** `unknown` is a block of a type that the gateway drops. */
  readonly type: 'text' | 'refusal' | 'thinking' | 'tool-call' | 'unknown';
  readonly call: CallStart | null;
  /** Text or arguments that are written once the block opens. */
  held: string;
  signature: string | null;
  form: SignatureForm;
  /** True once no piece can be added to the block. */
  isOver: boolean;
  /** True for the continuation of an interrupted block; its signature is ignored, since it covers more than this text. */
  readonly isRest: boolean;
}

interface CallStart {
  readonly id: string | null;
  readonly name: string;
  /** The arguments in the start event; deltas replace them. */
  readonly wholeInput: string | null;
}

/**
 * Writes blocks in the order of their starts, however their events interleave. Text and thinking end when another block starts; later pieces form a
 * new block. A tool call ends at its stop, and blocks that start before the stop are held until then.
 */
export class ContentBlocks {
  toolCallCount = 0;
  readonly #text: GuardedText;
  readonly #ids: ToolCallIds;
  /** The latest block of each index. */
  readonly #latest = new Map<number, Block>();
  readonly #waiting = new Set<Block>();
  /** Block whose pieces are forwarded as they arrive; other blocks wait. */
  #current: Block | null = null;
  #newest: Block | null = null;
  #currentHasPieces = false;
  /** Whitespace after a call, held until text follows: models often end calls with a line break. */
  #space = '';
  #hasText = false;

  constructor(private readonly writer: BlockWriter, terms: ReplyTerms) {
    this.#ids = new ToolCallIds(terms.newToolCallId);
    this.#text = new GuardedText(terms.localStopSequences, (text) => this.#writeText(text));
  }

  /** Begins a block with its initial content. Returns `stopped` if the content contains a stop sequence. */
  start(index: number, content: JsonObject): Progress {
    const replaced = this.#latest.get(index);
    if (replaced !== undefined) replaced.isOver = true;
    return this.#enqueue(blockOf(index, content));
  }

  /**
   * Adds a piece to a block. Returns `stopped` at a stop sequence; throws `UpstreamFailure` for a block that never started or a call that has ended.
   */
  add(index: number, delta: JsonObject): Progress {
    const block = this.#latest.get(index);
    if (block === undefined || (block.isOver && block.type === 'tool-call')) {
      throw new UpstreamFailure('malformed-reply', 'the upstream sent a delta for a block that is not open');
    }
    const piece = pieceFor(block, delta);
    if (block.isOver) return piece === '' ? 'goes-on' : this.#enqueue({ ...block, held: piece, signature: null, isOver: false, isRest: true });
    if (block.type === 'thinking' && !block.isRest) this.#sign(block, delta);
    if (block === this.#current) return this.#write(block, piece);
    this.writer.count(piece);
    block.held += piece;
    return 'goes-on';
  }

  /** Ends a block. Returns `stopped` if text that was held until now contains a stop sequence. */
  stop(index: number): Progress {
    const block = this.#latest.get(index);
    if (block === undefined) return 'goes-on';
    block.isOver = true;
    return this.#advance();
  }

  /** Ends all open blocks. Returns `stopped` as `stop` does. */
  finish(): Progress {
    for (const block of this.#latest.values()) block.isOver = true;
    return this.#advance();
  }

  #sign(block: Block, { signature, encrypted_content: encrypted }: JsonObject): void {
    block.signature = asText(signature) || asText(encrypted) || block.signature;
    if (asText(encrypted)) block.form = 'encrypted-reasoning';
  }

  #enqueue(block: Block): Progress {
    this.#latest.set(block.index, block);
    if (block.type === 'unknown') return 'goes-on';
    if (this.#newest !== null && this.#newest.type !== 'tool-call') this.#newest.isOver = true;
    this.#newest = block;
    this.#waiting.add(block);
    return this.#advance();
  }

  /** Ends the current block if it is complete, and writes held blocks up to the first incomplete one. */
  #advance(): Progress {
    if (this.#current?.isOver === true) this.#close(this.#current);
    for (const block of this.#waiting) {
      if (this.#current !== null) break;
      this.#waiting.delete(block);
      if (this.#open(block) === 'stopped') return 'stopped';
      if (block.isOver) this.#close(block);
    }
    return 'goes-on';
  }

  #open(block: Block): Progress {
    this.#current = block;
    this.#currentHasPieces = false;
    if (block.call !== null) this.#openCall(block.call);
    return this.#write(block, block.held);
  }

  #openCall({ id, name }: CallStart): void {
    if (name === '') throw new UpstreamFailure('malformed-reply', 'the upstream sent a tool call without a name');
    this.writer.open({ type: 'tool-call', id: this.#ids.next(id), name });
    this.toolCallCount += 1;
  }

  #write(block: Block, piece: string): Progress {
    if (piece === '') return 'goes-on';
    this.#currentHasPieces = true;
    if (block.type === 'text') return this.#text.push(piece);
    if (block.type === 'thinking' || block.type === 'refusal') this.writer.append(block.type, piece);
    else this.writer.write(piece);
    return 'goes-on';
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

  #close({ type, call, signature, form }: Block): void {
    this.#current = null;
    if (type === 'thinking') {
      this.writer.closeThinking(signature, form);
      return;
    }
    if (type === 'text') this.#closeText();
    else if (!this.#currentHasPieces) this.writer.write(call?.wholeInput ?? '');
    this.writer.close();
  }

  #closeText(): void {
    this.#text.flush();
    this.#space = '';
    this.#hasText = false;
  }
}

function blockOf(index: number, content: JsonObject): Block {
  const fresh: Omit<Block, 'type'> = { index, call: null, held: '', signature: null, form: 'signature', isOver: false, isRest: false };
  switch (asText(content['type']) ?? '') {
    case 'text': return { ...fresh, type: 'text', held: asText(content['text']) ?? '' };
    case 'refusal': return { ...fresh, type: 'refusal' };
    case 'thinking': return { ...fresh, type: 'thinking', held: asText(content['thinking']) ?? '', signature: asText(content['signature']) || null };
    case 'redacted_thinking': return { ...fresh, type: 'thinking', signature: asText(content['data']) || null, form: 'redacted-thinking' };
    case 'tool_use': return { ...fresh, type: 'tool-call', call: decodeCallStart(content) };
    default: return { ...fresh, type: 'unknown' };
  }
}

function pieceFor({ type }: Block, delta: JsonObject): string {
  switch (type) {
    case 'text':
    case 'refusal': return asText(delta['text']) ?? '';
    case 'thinking': return asText(delta['thinking']) ?? '';
    case 'tool-call': return asText(delta['partial_json']) ?? '';
    case 'unknown': return '';
  }
}

function decodeCallStart(content: JsonObject): CallStart {
  const input = asObject(content['input']);
  const isEmpty = input === null || Object.keys(input).length === 0;
  return { id: asText(content['id']) || null, name: asText(content['name']) ?? '', wholeInput: isEmpty ? null : jsonDocument(input).text };
}
