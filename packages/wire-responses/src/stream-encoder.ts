import {
  assertNever, type BlockEnd, type BlockStart, type EncodeContext, type GatewayError, type GenerationEnd, type GenerationEvent,
  type GenerationEventBatch, type GenerationStart, invariant, type StreamEncoder,
} from '@tollgate/core';
import { JsonText, printObject } from '@tollgate/json-text';
import {
  encodeContent, encodeOpening, encodePart, encodeSummaryPart, ItemEncoder, type ItemEnd, type ItemKind, type ItemOpening, missingArguments,
} from './encode-items.js';
import { echoOf, encodeErrorFields, encodeReply, type EncoderPorts, incompleteReasons, lastItemEnd, type ReplyState } from './encode-response.js';

/** An SSE comment, which clients ignore. */
export const COMMENT_FRAME = ': keep-alive\n\n';

const EMPTY_TEXT = new JsonText('""');
/** Name of the model if a stream fails before a model serves. */
const NO_MODEL = 'unknown';
const PIECE_END = '}\n\n';

/** Types of the events with a piece, by kind of item; `null` if the content is sent only when it is complete. */
const PIECE_EVENTS: Readonly<Record<ItemKind, string | null>> = {
  message: 'response.output_text.delta',
  refusal: 'response.refusal.delta',
  reasoning: 'response.reasoning_summary_text.delta',
  function: 'response.function_call_arguments.delta',
  custom: null,
  search: null,
};

interface OpenItem extends ItemOpening {
  /** JSON of the fields that all its content events have. */
  readonly place: string;
  /** Signature of reasoning, known at the end of its block. */
  signature: string | null;
  form: BlockEnd['form'];
}

function placeOf({ kind, id }: ItemOpening, index: number): string {
  const place = `"item_id":${JSON.stringify(id)},"output_index":${index}`;
  if (kind === 'message' || kind === 'refusal') return `${place},"content_index":0`;
  return kind === 'reasoning' ? `${place},"summary_index":0` : place;
}

/**
 * Encodes the events of a responses stream. The JSON common to an item's pieces is written once per item. An item is closed when the next one begins,
 * because only the end of the reply shows whether the last item was truncated.
 */
export class ResponsesStreamEncoder implements StreamEncoder {
  /** Sequence number of the next event. */
  #sequence = 0;
  #model = NO_MODEL;
  #fallbackUsed = false;
  #items: ItemEncoder | null = null;
  #hasBegun = false;
  readonly #output: JsonText[] = [];
  #open: OpenItem | null = null;
  #text = '';
  /** JSON of a piece up to its sequence number; empty while pieces are held. `#pieceMiddle` is the JSON from the number to the text. */
  #pieceStart = '';
  #pieceMiddle = '';
  /** True if the open item is visible reasoning without text so far. */
  #awaitsSummary = false;

  constructor(private readonly context: EncodeContext, private readonly ports: EncoderPorts) {}

  encode(events: GenerationEventBatch): string {
    let frames = '';
    for (const event of events) frames += this.#encodeEvent(event);
    return frames;
  }

  /** Ends the stream with two events: each client recognises one of them as a failure. Open items stay open. */
  encodeError(error: GatewayError): string {
    const start = this.#hasBegun ? '' : this.#startFrames();
    const { param } = error;
    const fields = { ...encodeErrorFields(error, this.context.requestId, this.ports.clock), param };
    const { code, message } = error;
    const frame = this.#frame('error', printObject({ code, message, param, error: fields }).text.slice(1, -1));
    return `${start}${frame}${this.#responseFrame('response.failed', this.#printReply({ status: 'failed', error }))}`;
  }

  /**
   * Repeats an event, because comments do not reset clients' idle timers; before the first event, sends a comment. The event contains all items,
   * because some clients forget items that are not in it.
   */
  keepAlive(): string {
    if (!this.#hasBegun) return COMMENT_FRAME;
    return this.#responseFrame('response.in_progress', this.#printReply({ status: 'in_progress', output: this.#outputSoFar() }));
  }

  #outputSoFar(): readonly JsonText[] {
    const item = this.#open;
    if (item === null) return this.#output;
    return [...this.#output, this.#pieceStart === '' ? encodeOpening(item) : this.#itemEncoder().encodeUnfinished(item, this.#text)];
  }

  #encodeEvent(event: GenerationEvent): string {
    switch (event.type) {
      case 'block-delta': return this.#encodePiece(event.delta);
      case 'block-start': return this.#closeItem('completed') + this.#openItem(event);
      case 'block-end': return this.#endBlock(event);
      case 'generation-start': return this.#begin(event);
      case 'generation-end': return this.#end(event);
      default: return assertNever(event);
    }
  }

  #begin({ servedBy, fallbackUsed, upstreamModel }: GenerationStart): string {
    this.#model = servedBy;
    this.#fallbackUsed = fallbackUsed;
    this.#items = new ItemEncoder(echoOf(this.context), { seal: this.ports.seal, upstreamModel });
    return this.#startFrames();
  }

  #startFrames(): string {
    this.#hasBegun = true;
    const reply = this.#printReply({ status: 'in_progress', output: [] });
    return this.#responseFrame('response.created', reply) + this.#responseFrame('response.in_progress', reply);
  }

  #openItem({ index, block }: BlockStart): string {
    const items = this.#itemEncoder();
    const opening = items.open(block, { responseId: this.context.responseId, index });
    const { kind } = opening;
    const place = placeOf(opening, index);
    const pieceEvent = kind === 'reasoning' && !items.showsReasoning ? null : PIECE_EVENTS[kind];
    this.#open = { ...opening, place, signature: null, form: undefined };
    this.#text = '';
    this.#awaitsSummary = kind === 'reasoning' && items.showsReasoning;
    this.#pieceStart = pieceEvent === null ? '' : `event: ${pieceEvent}\ndata: {"type":"${pieceEvent}","sequence_number":`;
    this.#pieceMiddle = `,${place}${kind === 'message' ? ',"logprobs":[]' : ''},"delta":`;
    const added = this.#frame('response.output_item.added', `"output_index":${index},"item":${encodeOpening(opening).text}`);
    if (kind !== 'message' && kind !== 'refusal') return added;
    return added + this.#frame('response.content_part.added', `${place},"part":${encodePart(kind, EMPTY_TEXT).text}`);
  }

  #encodePiece(piece: string): string {
    this.#text += piece;
    if (this.#pieceStart === '') return '';
    const summary = this.#awaitsSummary ? this.#openSummary() : '';
    return `${summary}${this.#pieceStart}${this.#sequence++}${this.#pieceMiddle}${JSON.stringify(piece)}${PIECE_END}`;
  }

  #openSummary(): string {
    this.#awaitsSummary = false;
    return this.#frame('response.reasoning_summary_part.added', `${this.#openedItem().place},"part":${encodeSummaryPart(EMPTY_TEXT).text}`);
  }

  #endBlock({ signature, form }: BlockEnd): string {
    Object.assign(this.#openedItem(), { signature, form });
    return '';
  }

  #closeItem(end: ItemEnd): string {
    const item = this.#open;
    if (item === null) return '';
    const text = this.#text;
    const content = encodeContent(item.kind, text, end);
    const printed = this.#itemEncoder().encode(item, { end, text, content, signature: item.signature, form: item.form });
    const closing = this.#closeContent(item, content, end);
    const index = this.#output.push(printed) - 1;
    this.#open = null;
    return `${closing}${this.#frame('response.output_item.done', `"output_index":${index},"item":${printed.text}`)}`;
  }

  #closeContent(item: OpenItem, content: JsonText, end: ItemEnd): string {
    const { kind, place, call } = item;
    switch (kind) {
      case 'message': return this.#frame('response.output_text.done', `${place},"logprobs":[],"text":${content.text}`)
        + this.#frame('response.content_part.done', `${place},"part":${encodePart(kind, content).text}`);
      case 'refusal': return this.#frame('response.refusal.done', `${place},"refusal":${content.text}`)
        + this.#frame('response.content_part.done', `${place},"part":${encodePart(kind, content).text}`);
      case 'reasoning': return this.#closeSummary(place, content);
      case 'function': {
        const missing = missingArguments(this.#text, end);
        const rest = missing === '' ? '' : this.#encodePiece(missing);
        return `${rest}${this.#frame('response.function_call_arguments.done', `${place},"name":${JSON.stringify(call['name'])},"arguments":${content.text}`)}`;
      }
      case 'custom': {
        const delta = content.text === EMPTY_TEXT.text ? '' : this.#frame('response.custom_tool_call_input.delta', `${place},"delta":${content.text}`);
        return `${delta}${this.#frame('response.custom_tool_call_input.done', `${place},"input":${content.text}`)}`;
      }
      case 'search': return '';
      default: return assertNever(kind);
    }
  }

  /** Ends the summary of reasoning; withheld or empty reasoning has none. */
  #closeSummary(place: string, content: JsonText): string {
    if (this.#pieceStart === '' || this.#awaitsSummary) return '';
    return this.#frame('response.reasoning_summary_text.done', `${place},"text":${content.text}`)
      + this.#frame('response.reasoning_summary_part.done', `${place},"part":${encodeSummaryPart(content).text}`);
  }

  #end({ stopReason, usage, settlement }: GenerationEnd): string {
    const closing = this.#closeItem(lastItemEnd(stopReason));
    const receipt = { usage, settlement, fallbackUsed: this.#fallbackUsed };
    const reply = this.#printReply({ status: 'ended', stopReason, output: this.#output, receipt, isKept: echoOf(this.context).keptBody !== null });
    return closing + this.#responseFrame(incompleteReasons[stopReason] === null ? 'response.completed' : 'response.incomplete', reply);
  }

  #itemEncoder(): ItemEncoder {
    invariant(this.#items !== null, 'a generation begins before its first block');
    return this.#items;
  }

  #openedItem(): OpenItem {
    invariant(this.#open !== null, 'a block begins before its pieces and its end');
    return this.#open;
  }

  #printReply(state: ReplyState): string {
    return encodeReply(state, this.#model, { context: this.context, clock: this.ports.clock }).text;
  }

  #responseFrame(type: string, reply: string): string {
    return this.#frame(type, `"response":${reply}`);
  }

  /** The frame of an event. `fields` are its printed members besides type and sequence number. */
  #frame(type: string, fields: string): string {
    return `event: ${type}\ndata: {"type":"${type}","sequence_number":${this.#sequence++},${fields}}\n\n`;
  }
}
