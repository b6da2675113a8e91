import {
  assertNever, type BlockEnd, type BlockOpening, type BlockStart, EMPTY_ARGUMENTS, type EncodeContext, type GatewayError,
  type GenerationEnd, type GenerationEvent, type GenerationEventBatch, type GenerationStart, isBlank, type JsonObject, type StreamEncoder,
} from '@tollgate/core';
import { encodeStreamReceipt, sseFrame } from '@tollgate/wire-kit';
import { encodeError, encodeRedactedThinking, encodeSignature, encodeUsage, stopReasons } from './encode-response.js';

const PIECE_END = '}}\n\n';

/** The frame of an event. Its name is also the data's `type`: clients read one or the other. */
function eventFrame(type: string, data: JsonObject): string {
  return sseFrame(type, JSON.stringify({ type, ...data }));
}

const MESSAGE_STOP_FRAME = eventFrame('message_stop', {});
const EMPTY_TEXT_FRAMES = eventFrame('content_block_start', { index: 0, content_block: { type: 'text', text: '' } })
  + eventFrame('content_block_stop', { index: 0 });

/** Type and field of the delta, by type of block. */
const PIECES: Readonly<Record<BlockOpening['type'], readonly [type: string, field: string]>> = {
  thinking: ['thinking_delta', 'thinking'],
  text: ['text_delta', 'text'],
  'tool-call': ['input_json_delta', 'partial_json'],
};

function encodeOpening(block: BlockOpening): JsonObject {
  switch (block.type) {
    case 'thinking': return { type: 'thinking', thinking: '', signature: '' };
    case 'text': return { type: 'text', text: '' };
    case 'tool-call': return { type: 'tool_use', id: block.id, name: block.name, input: {} };
    default: return assertNever(block);
  }
}

/** Encodes the events of a messages stream. The JSON common to the pieces of a block is printed once per block. */
export class MessagesStreamEncoder implements StreamEncoder {
  #pieceStart = '';
  #openType: BlockOpening['type'] | null = null;
  /** The start of a thinking block, held until text shows that it is not redacted. */
  #heldStart = '';
  #isEmpty = true;
  /** True if the open block is a tool call without arguments so far. */
  #awaitsArguments = false;
  #fallbackUsed = false;

  constructor(private readonly context: EncodeContext) {}

  encode(events: GenerationEventBatch): string {
    let frames = '';
    for (const event of events) frames += this.#encodeEvent(event);
    return frames;
  }

  encodeError(error: GatewayError): string {
    return sseFrame('error', JSON.stringify(encodeError(error, this.context.requestId)));
  }

  #encodeEvent(event: GenerationEvent): string {
    switch (event.type) {
      case 'block-delta': return this.#encodePiece(event.delta);
      case 'block-start': return this.#openBlock(event);
      case 'block-end': return this.#closeBlock(event);
      case 'generation-start': return this.#begin(event);
      case 'generation-end': return this.#end(event);
      default: return assertNever(event);
    }
  }

  #begin({ servedBy, fallbackUsed }: GenerationStart): string {
    this.#fallbackUsed = fallbackUsed;
    return eventFrame('message_start', {
      message: {
        id: this.context.responseId,
        type: 'message',
        role: 'assistant',
        model: servedBy,
        content: [],
        stop_reason: null,
        stop_sequence: null,
        usage: { input_tokens: 0, output_tokens: 0 },
      },
    });
  }

  #openBlock({ index, block }: BlockStart): string {
    const [type, field] = PIECES[block.type];
    this.#pieceStart = `event: content_block_delta\ndata: {"type":"content_block_delta","index":${index},"delta":{"type":"${type}","${field}":`;
    this.#openType = block.type;
    this.#awaitsArguments = block.type === 'tool-call';
    this.#isEmpty = false;
    const start = eventFrame('content_block_start', { index, content_block: encodeOpening(block) });
    if (block.type !== 'thinking') return start;
    this.#heldStart = start;
    return '';
  }

  #encodePiece(piece: string): string {
    if (this.#awaitsArguments && !isBlank(piece)) this.#awaitsArguments = false;
    return `${this.#takeHeldStart()}${this.#pieceStart}${JSON.stringify(piece)}${PIECE_END}`;
  }

  /** Ends a block. Thinking gets exactly one signature, and a call without arguments gets an empty object. */
  #closeBlock({ index, signature, form = 'signature' }: BlockEnd): string {
    const stop = eventFrame('content_block_stop', { index });
    if (this.#awaitsArguments) return this.#encodePiece(EMPTY_ARGUMENTS) + stop;
    if (this.#openType !== 'thinking') return stop;
    const start = this.#takeHeldStart();
    if (form === 'redacted-thinking' && signature !== null) return eventFrame('content_block_start', { index, content_block: encodeRedactedThinking(signature) }) + stop;
    return start + eventFrame('content_block_delta', { index, delta: { type: 'signature_delta', signature: encodeSignature({ signature, form }) } }) + stop;
  }

  #takeHeldStart(): string {
    const start = this.#heldStart;
    this.#heldStart = '';
    return start;
  }

  #end({ stopReason, usage, settlement }: GenerationEnd): string {
    const delta = eventFrame('message_delta', {
      delta: { stop_reason: stopReasons[stopReason], stop_sequence: null },
      usage: { ...encodeUsage(usage), ...encodeStreamReceipt(settlement, this.#fallbackUsed) },
    });
    return `${this.#isEmpty ? EMPTY_TEXT_FRAMES : ''}${delta}${MESSAGE_STOP_FRAME}`;
  }
}
