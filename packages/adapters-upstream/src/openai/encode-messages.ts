import {
  type AssistantBlock, assertNever, type AssistantTurn, type Conversation, type ImageBlock, isSignedBy, type JsonObject, type JsonValue, type TextBlock, type ThinkingBlock, type ToolCallBlock,
  type ToolResultBlock, type UserTurn, type SystemTurnStyle,
} from '@tollgate/core';
import { argumentsObject } from '@tollgate/json-text';
import { asObject } from '../reply/json-values.js';
import { detailsIn, parseOpaque } from './opaque-fields.js';
import { joinTexts, mergeTurns } from '../http/request-body.js';

/** Plain text where there are no images, since not every server takes a list of parts. */
function encodeUserContent(blocks: readonly (TextBlock | ImageBlock)[]): JsonValue {
  const texts = blocks.filter((block) => block.type === 'text');
  if (texts.length === blocks.length) return joinTexts(texts);
  return blocks.map((block) => (block.type === 'text' ? { type: 'text', text: block.text } : encodeImage(block)));
}

/** The text of a tool's result, with what the format has no field for said in words. */
function encodeToolResultText({ content, isError }: ToolResultBlock): string {
  const text = content.filter((block) => block.type === 'text').map((block) => block.text).join('\n');
  const said = text === '' && content.some((block) => block.type === 'image') ? 'The result is an image. It follows in the next user message.' : text;
  return isError ? `Error: ${said}` : said;
}

function encodeImage({ source }: ImageBlock): JsonObject {
  const url = source.kind === 'url' ? source.url : `data:${source.mediaType || 'image/jpeg'};base64,${source.data}`;
  return { type: 'image_url', image_url: { url } };
}

export interface MessageTerms {
  /** Whether reasoning goes back to the model that made it. */
  readonly reasoning: 'sent' | 'omitted';
  /** Whether servers of this kind get back what they gave to be brought back. */
  readonly opaque: 'sent' | 'omitted';
  /** Whether the server refuses calls without a thought signature. */
  readonly needsSignatures: boolean;
  readonly systemTurns: SystemTurnStyle;
}

/** What the vendor documents for calls whose signature is lost, or that another model made. */
const SIGNATURE_PLACEHOLDER: JsonObject = { google: { thought_signature: 'skip_thought_signature_validator' } };

/** Sent for a conversation without texts: servers refuse an empty list. */
const SILENCE = { role: 'user', content: '' };

/** The conversation as chat messages. Every tool call is directly followed by its results, in the client's order. */
export function encodeMessages({ system, turns }: Conversation, terms: MessageTerms): readonly JsonObject[] {
  const messages: JsonObject[] = system.length === 0 ? [] : [encodeSystem(system)];
  const kept = turns.filter((turn) => turn.role !== 'assistant' || hasSomethingToSay(turn, terms));
  /** Instructions that would come between a call and its results wait until after them. */
  let waiting: JsonObject[] = [];
  let awaitingResults = false;
  for (const turn of mergeTurns(kept, terms.systemTurns)) {
    switch (turn.role) {
      case 'system': {
        const place = awaitingResults ? waiting : messages;
        place.push(encodeSystem(turn.content));
        break;
      }
      case 'user':
        messages.push(...encodeResults(turn), ...waiting, ...encodeUser(turn));
        waiting = [];
        awaitingResults = false;
        break;
      case 'assistant':
        messages.push(...waiting, encodeAssistant(turn, terms));
        waiting = [];
        awaitingResults = turn.content.some((block) => block.type === 'tool-call');
        break;
      default: assertNever(turn);
    }
  }
  messages.push(...waiting);
  return messages.length === 0 ? [SILENCE] : messages;
}

function hasSomethingToSay({ content }: AssistantTurn, { reasoning }: MessageTerms): boolean {
  return content.some((block) => block.type === 'tool-call' || (block.text !== '' && (block.type === 'text' || reasoning === 'sent')));
}

function encodeSystem(content: readonly TextBlock[]): JsonObject {
  return { role: 'system', content: joinTexts(content) };
}

function encodeResults({ content }: UserTurn): readonly JsonObject[] {
  return content.filter((block) => block.type === 'tool-result')
    .map((block) => ({ role: 'tool', tool_call_id: block.toolCallId, content: encodeToolResultText(block) }));
}

/** All but the results' texts: their images come first, since a tool message cannot show them. */
function encodeUser({ content }: UserTurn): readonly JsonObject[] {
  const images: ImageBlock[] = [];
  const rest: (TextBlock | ImageBlock)[] = [];
  for (const block of content) {
    if (block.type === 'tool-result') images.push(...block.content.filter((part) => part.type === 'image'));
    else rest.push(block);
  }
  const shown = [...images, ...rest];
  if (shown.length === 0 && content.length > 0) return [];
  return [{ role: 'user', content: encodeUserContent(shown) }];
}

/** With tool calls, a reasoning model always gets its reasoning back, even when there was none: DeepSeek insists on it. */
function encodeAssistant({ content }: AssistantTurn, terms: MessageTerms): JsonObject {
  const text = joinTexts(content.filter((block) => block.type === 'text'));
  const reasoning = content.map((block) => (block.type === 'thinking' ? block.text : '')).join('');
  const parts = new OpaqueParts(terms);
  for (const block of content) parts.add(block);
  const { toolCalls, fields } = parts;
  const sendsReasoning = terms.reasoning === 'sent' && (reasoning !== '' || toolCalls.length > 0);
  return {
    role: 'assistant',
    content: text === '' && toolCalls.length > 0 ? null : text,
    ...(sendsReasoning ? { reasoning_content: reasoning } : {}),
    ...fields,
    ...(toolCalls.length === 0 ? {} : { tool_calls: toolCalls }),
  };
}

/** The calls of a turn, and the fields of its message, with what servers of this kind gave to be brought back with them. */
class OpaqueParts {
  readonly toolCalls: JsonObject[] = [];
  readonly #details: JsonObject[] = [];
  #messageExtra: JsonObject | null = null;
  /** Of the next call. */
  #extra: JsonObject | null = null;

  constructor(private readonly terms: MessageTerms) {}

  get fields(): JsonObject {
    return {
      ...(this.#messageExtra === null ? {} : { extra_content: this.#messageExtra }),
      ...(this.#details.length === 0 ? {} : { reasoning_details: this.#details }),
    };
  }

  add(block: AssistantBlock): void {
    if (block.type === 'tool-call') this.#addCall(block);
    else if (block.type === 'thinking' && this.terms.opaque === 'sent' && isSignedBy('openai', block)) this.#addOpaque(block);
  }

  /** Of calls side by side, the first has the signature. */
  #addCall(call: ToolCallBlock): void {
    const placeholder = this.terms.needsSignatures && this.toolCalls.length === 0 ? SIGNATURE_PLACEHOLDER : null;
    const extra = this.#extra ?? placeholder;
    this.toolCalls.push({ ...encodeToolCall(call), ...(extra === null ? {} : { extra_content: extra }) });
    this.#extra = null;
  }

  #addOpaque({ form, signature }: ThinkingBlock): void {
    const value = parseOpaque(signature);
    if (form === 'call-extra') this.#extra = asObject(value);
    else if (form === 'message-extra') this.#messageExtra = asObject(value);
    else for (const detail of detailsIn(value)) this.#details.push(detail);
  }
}

/** Servers parse the arguments and fail on anything but an object: one call that was cut off would end its conversation. */
function encodeToolCall({ id, name, argumentsJson }: ToolCallBlock): JsonObject {
  return { id, type: 'function', function: { name, arguments: argumentsObject(argumentsJson).text } };
}
