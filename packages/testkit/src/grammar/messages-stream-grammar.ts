import { type Demand, GrammarBreach } from './grammar-breach.js';
import { demandCounts, demandError, demandKeys, demandReceipt, isShape, parseShape, receiptFieldsOf, type Shape } from './shape-demands.js';
import { type SseFrame, sseFramesOf } from './sse-frames.js';

export type StreamedBlock =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'thinking'; readonly thinking: string; readonly signature: string }
  | { readonly type: 'redacted_thinking'; readonly data: string }
  | { readonly type: 'tool_use'; readonly id: string; readonly name: string; readonly inputJson: string };

export interface CheckedMessagesStream {
  /** The data of all events, pings included. */
  readonly events: readonly Shape[];
  /** The message in `message_start`. */
  readonly message: Shape | null;
  readonly blocks: readonly StreamedBlock[];
  readonly stopReason: string | null;
  /** The usage in `message_delta`, or `null` if the stream ended in an error. */
  readonly usage: Shape | null;
  /** The error that ended the stream, or `null` if it ended normally. */
  readonly error: Shape | null;
}

const STOP_REASONS: ReadonlySet<unknown> = new Set(['end_turn', 'max_tokens', 'tool_use']);
const USAGE_COUNTS = ['input_tokens', 'cache_creation_input_tokens', 'cache_read_input_tokens', 'output_tokens'];

interface OpenBlock {
  readonly opening: Shape;
  pieces: string;
  signature: string | null;
}

class MessagesStreamReading {
  readonly events: Shape[] = [];
  message: Shape | null = null;
  readonly blocks: StreamedBlock[] = [];
  stopReason: string | null = null;
  usage: Shape | null = null;
  error: Shape | null = null;
  #open: OpenBlock | null = null;
  #stopped = false;

  get isComplete(): boolean {
    return this.#stopped || this.error !== null;
  }

  read(frame: SseFrame, demand: Demand): void {
    demand(!this.isComplete, 'nothing may follow the end');
    demand(frame.data !== null && frame.event !== null, 'every frame has an event line and a data line');
    const event = parseShape(frame.data, demand);
    demand(event['type'] === frame.event, 'the type of the data is the name of the event');
    this.events.push(event);
    if (frame.event === 'error') return this.#readError(event, demand);
    if (frame.event === 'message_start') return this.#readStart(event, demand);
    demand(this.message !== null, 'message_start comes first');
    if (frame.event === 'ping') return demandKeys(event, ['type'], demand);
    if (frame.event === 'message_stop') return this.#readStop(event, demand);
    demand(this.usage === null, 'only message_stop may follow message_delta');
    this.#readBody(event, demand);
  }

  #readBody(event: Shape, demand: Demand): void {
    switch (event['type']) {
      case 'content_block_start': return this.#readBlockStart(event, demand);
      case 'content_block_delta': return this.#readBlockDelta(event, demand);
      case 'content_block_stop': return this.#readBlockStop(event, demand);
      case 'message_delta': return this.#readMessageDelta(event, demand);
      default: return demand(false, 'no client knows an event of this name');
    }
  }

  #readError(event: Shape, demand: Demand): void {
    demandKeys(event, ['type', 'error'], demand);
    demandError(event['error'], demand);
    this.error = event['error'];
  }

  #readStart(event: Shape, demand: Demand): void {
    demand(this.message === null && this.events.length === 1, 'message_start comes once, first');
    demandKeys(event, ['type', 'message'], demand);
    const { message } = event;
    demand(isShape(message), 'message_start has a message');
    demandKeys(message, ['id', 'type', 'role', 'model', 'content', 'stop_reason', 'stop_sequence', 'usage'], demand);
    const { id, type, role, model, content, usage } = message;
    demand(typeof id === 'string' && typeof model === 'string' && type === 'message' && role === 'assistant', 'the message says what it is');
    demand(Array.isArray(content) && content.length === 0, 'the message starts empty');
    demand(message['stop_reason'] === null && message['stop_sequence'] === null && isShape(usage), 'the message starts unfinished');
    demand(usage['input_tokens'] === 0 && usage['output_tokens'] === 0, 'token counts come at the end only');
    this.message = message;
  }

  #readBlockStart(event: Shape, demand: Demand): void {
    demandKeys(event, ['type', 'index', 'content_block'], demand);
    const opening = event['content_block'];
    demand(this.#open === null, 'one block is open at a time');
    demand(event['index'] === this.blocks.length, 'blocks are numbered in order');
    demand(isShape(opening), 'a block starts with its shape');
    demandOpening(opening, demand);
    this.#open = { opening, pieces: '', signature: null };
  }

  #readBlockDelta(event: Shape, demand: Demand): void {
    demandKeys(event, ['type', 'index', 'delta'], demand);
    const open = this.#openBlock(event, demand);
    const { delta } = event;
    demand(isShape(delta), 'a delta must be an object');
    demand(open.signature === null, 'the signature is the last delta of a block');
    if (delta['type'] === 'signature_delta') {
      demandKeys(delta, ['type', 'signature'], demand);
      const { signature } = delta;
      demand(open.opening['type'] === 'thinking' && typeof signature === 'string' && signature !== '', 'only thinking is signed, with something');
      open.signature = signature;
      return;
    }
    const [type, field] = DELTAS[String(open.opening['type'])] ?? ['', ''];
    demandKeys(delta, ['type', field], demand);
    const piece = delta[field];
    demand(delta['type'] === type && typeof piece === 'string' && piece !== '', `the delta of this block is a ${type} with something in it`);
    open.pieces += piece;
  }

  #readBlockStop(event: Shape, demand: Demand): void {
    demandKeys(event, ['type', 'index'], demand);
    const { opening, pieces, signature } = this.#openBlock(event, demand);
    if (opening['type'] === 'text') this.blocks.push({ type: 'text', text: pieces });
    else if (opening['type'] === 'redacted_thinking') this.blocks.push({ type: 'redacted_thinking', data: String(opening['data']) });
    else if (opening['type'] === 'thinking') {
      demand(signature !== null, 'thinking is signed before it stops');
      this.blocks.push({ type: 'thinking', thinking: pieces, signature });
    } else {
      demand(pieces.trim() !== '', 'the fragments of a tool call must make an object');
      this.blocks.push({ type: 'tool_use', id: String(opening['id']), name: String(opening['name']), inputJson: pieces });
    }
    this.#open = null;
  }

  #openBlock(event: Shape, demand: Demand): OpenBlock {
    demand(this.#open !== null && event['index'] === this.blocks.length, 'it belongs to the open block');
    return this.#open;
  }

  #readMessageDelta(event: Shape, demand: Demand): void {
    demandKeys(event, ['type', 'delta', 'usage'], demand);
    demand(this.#open === null, 'all blocks stop before the message does');
    const { delta, usage } = event;
    demand(isShape(delta) && isShape(usage), 'message_delta has a delta and usage');
    demandKeys(delta, ['stop_reason', 'stop_sequence'], demand);
    const reason = delta['stop_reason'];
    demand(typeof reason === 'string' && STOP_REASONS.has(reason) && delta['stop_sequence'] === null, 'the stop reason must be one of the three, without a sequence');
    demandKeys(usage, [...USAGE_COUNTS, ...receiptFieldsOf(usage)], demand);
    demandCounts(usage, USAGE_COUNTS, demand);
    demandReceipt(usage, demand);
    this.stopReason = reason;
    this.usage = usage;
  }

  #readStop(event: Shape, demand: Demand): void {
    demandKeys(event, ['type'], demand);
    demand(this.usage !== null, 'message_delta comes before message_stop');
    this.#stopped = true;
  }
}

/** For each type of block: the type of its deltas, and the field with their content. */
const DELTAS: Readonly<Record<string, readonly [type: string, field: string]>> = {
  text: ['text_delta', 'text'],
  thinking: ['thinking_delta', 'thinking'],
  tool_use: ['input_json_delta', 'partial_json'],
};

function demandOpening(opening: Shape, demand: Demand): void {
  switch (opening['type']) {
    case 'text':
      demandKeys(opening, ['type', 'text'], demand);
      return demand(opening['text'] === '', 'text starts empty');
    case 'thinking':
      demandKeys(opening, ['type', 'thinking', 'signature'], demand);
      return demand(opening['thinking'] === '' && opening['signature'] === '', 'thinking starts empty and unsigned');
    case 'redacted_thinking':
      demandKeys(opening, ['type', 'data'], demand);
      return demand(typeof opening['data'] === 'string' && opening['data'] !== '', 'redacted thinking has data');
    case 'tool_use': {
      demandKeys(opening, ['type', 'id', 'name', 'input'], demand);
      const { id, name, input } = opening;
      demand(typeof id === 'string' && id !== '' && typeof name === 'string' && name !== '', 'a tool call has an id and a name');
      demand(isShape(input), 'a tool call starts with an empty input');
      return demandKeys(input, [], demand);
    }
    default: return demand(false, 'no client knows a block of this type');
  }
}

/** Checks a whole stream and returns its contents. Throws `GrammarBreach` at the first frame that violates the format. */
export function checkMessagesStream(stream: string): CheckedMessagesStream {
  const reading = new MessagesStreamReading();
  const frames = sseFramesOf(stream);
  for (const frame of frames) {
    reading.read(frame, (condition, why) => {
      if (!condition) throw new GrammarBreach(frame.number, why, frame.text);
    });
  }
  if (!reading.isComplete) throw new GrammarBreach(frames.length, 'the stream ends without message_stop or an error', '');
  const { events, message, blocks, stopReason, usage, error } = reading;
  return { events, message, blocks, stopReason, usage, error };
}
