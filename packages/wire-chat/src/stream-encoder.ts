import {
  assertNever, type BlockEnd, type BlockOpening, EMPTY_ARGUMENTS, type EncodeContext, type GatewayError, type GenerationEnd, type GenerationEvent,
  type GenerationEventBatch, type GenerationStart, isBlank, type StreamEncoder, unixSeconds,
} from '@tollgate/core';
import { encodeStreamReceipt, sseFrame } from '@tollgate/wire-kit';
import { encodeError, encodeUsage, finishReasons, type OpaqueFields, opaqueFields, SYSTEM_FINGERPRINT } from './encode-response.js';

const DONE_FRAME = sseFrame(null, '[DONE]');
const UNFINISHED = ',"logprobs":null,"finish_reason":null}]}\n\n';

/**
 * Encodes the events of a chat stream. The JSON common to all chunks is printed once per reply, and that common to the pieces of a block once per
 * block.
 */
export class ChatStreamEncoder implements StreamEncoder {
  /** The data line up to the first field that differs between chunks. */
  #chunkStart = '';
  /** The data line up to the choice's delta. */
  #deltaStart = '';
  #pieceStart = '';
  #pieceEnd = '';
  #toolCalls = 0;
  /** True if the open block is a tool call without arguments so far. */
  #awaitsArguments = false;
  #fallbackUsed = false;
  /** Opaque data for the next call. */
  #callFields: OpaqueFields = {};

  constructor(private readonly context: EncodeContext) {}

  encode(events: GenerationEventBatch): string {
    let frames = '';
    for (const event of events) frames += this.#encodeEvent(event);
    return frames;
  }

  encodeError(error: GatewayError): string {
    return sseFrame(null, JSON.stringify(encodeError(error, this.context.requestId)));
  }

  #encodeEvent(event: GenerationEvent): string {
    switch (event.type) {
      case 'block-delta': return this.#encodePiece(event.delta);
      case 'block-start': return this.#openBlock(event.block);
      case 'block-end': return this.#closeBlock(event);
      case 'generation-start': return this.#begin(event);
      case 'generation-end': return this.#end(event);
      default: return assertNever(event);
    }
  }

  #begin({ servedBy, fallbackUsed }: GenerationStart): string {
    const shared = JSON.stringify({
      id: this.context.responseId,
      object: 'chat.completion.chunk',
      created: unixSeconds(this.context.createdAt),
      model: servedBy,
      system_fingerprint: SYSTEM_FINGERPRINT,
    });
    this.#chunkStart = `data: ${shared.slice(0, -1)},`;
    this.#deltaStart = `${this.#chunkStart}"choices":[{"index":0,"delta":`;
    this.#fallbackUsed = fallbackUsed;
    return `${this.#deltaStart}{"role":"assistant","content":null}${UNFINISHED}`;
  }

  #openBlock(block: BlockOpening): string {
    switch (block.type) {
      case 'text': return this.#openText(block.isRefusal === true ? 'refusal' : 'content');
      case 'thinking': return this.#openText('reasoning_content');
      case 'tool-call': return this.#openToolCall(block);
      default: return assertNever(block);
    }
  }

  #closeBlock({ signature, form }: BlockEnd): string {
    if (form === undefined) return this.#awaitsArguments ? this.#encodePiece(EMPTY_ARGUMENTS) : '';
    const fields = opaqueFields([{ signature, form }]);
    if (form === 'call-extra') {
      this.#callFields = fields;
      return '';
    }
    const delta = JSON.stringify(fields);
    return delta === '{}' ? '' : `${this.#deltaStart}${delta}${UNFINISHED}`;
  }

  #openText(field: 'content' | 'refusal' | 'reasoning_content'): string {
    this.#pieceStart = `${this.#deltaStart}{"${field}":`;
    this.#pieceEnd = `}${UNFINISHED}`;
    return '';
  }

  /** Encodes the start of a tool call. Only this chunk has name and id: clients that concatenate chunks would duplicate them. */
  #openToolCall(block: Extract<BlockOpening, { type: 'tool-call' }>): string {
    const index = this.#toolCalls++;
    this.#pieceStart = `${this.#deltaStart}{"tool_calls":[{"index":${index},"function":{"arguments":`;
    this.#pieceEnd = `}}]}${UNFINISHED}`;
    this.#awaitsArguments = true;
    const call = { index, id: block.id, type: 'function', function: { name: block.name, arguments: '' }, ...this.#callFields };
    this.#callFields = {};
    return `${this.#deltaStart}${JSON.stringify({ tool_calls: [call] })}${UNFINISHED}`;
  }

  #encodePiece(piece: string): string {
    if (this.#awaitsArguments && !isBlank(piece)) this.#awaitsArguments = false;
    return `${this.#pieceStart}${JSON.stringify(piece)}${this.#pieceEnd}`;
  }

  /** Only the last chunk has usage: clients add usages, or keep the last one. */
  #end({ stopReason, usage, settlement }: GenerationEnd): string {
    const receipt = encodeStreamReceipt(settlement, this.#fallbackUsed);
    const last = { choices: [], ...(this.context.includeUsage ? { usage: { ...encodeUsage(usage), ...receipt } } : {}), ...receipt };
    const finish = `${this.#deltaStart}{},"logprobs":null,"finish_reason":"${finishReasons[stopReason]}"}]}\n\n`;
    return `${finish}${this.#chunkStart}${JSON.stringify(last).slice(1)}\n\n${DONE_FRAME}`;
  }
}
