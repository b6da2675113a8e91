import {
  type AssistantBlock, assertNever, type AssistantTurn, type Conversation, type ImageBlock, isSignedBy, type JsonObject, type JsonValue, type TextBlock, type ThinkingBlock, type ToolCallBlock,
  type ToolResultBlock, type UserTurn, type SystemTurnStyle,
} from '@tollgate/core';
import { argumentsObject } from '@tollgate/json-text';
import { asObject } from '../reply/json-values.js';
import { detailsIn, parseOpaque } from './opaque-fields.js';
import { joinTexts } from '../request/join-texts.js';
import { mergeTurns } from '../request/merge-turns.js';

function isText(block: AssistantBlock | ImageBlock): block is TextBlock {
  return block.type === 'text';
}

/** Returns the same list if all are texts. */
function textsIn(blocks: readonly (AssistantBlock | ImageBlock)[]): readonly TextBlock[] {
  return blocks.every(isText) ? blocks : blocks.filter(isText);
}

/** A string without images: not every server accepts a list. */
function encodeUserContent(blocks: readonly (TextBlock | ImageBlock)[]): JsonValue {
  if (blocks.every(isText)) return joinTexts(blocks);
  return blocks.map((block) => (block.type === 'text' ? { type: 'text', text: block.text } : encodeImage(block)));
}

/** Failures are stated in the text; the format has no field for them. */
function encodeToolResultText({ content, isError }: ToolResultBlock): string {
  const text = textsIn(content).map((block) => block.text).join('\n');
  const said = text === '' && content.some((block) => block.type === 'image') ? 'The result is an image. It follows in the next user message.' : text;
  return isError ? `Error: ${said}` : said;
}

function encodeImage({ source }: ImageBlock): JsonObject {
  const url = source.kind === 'url' ? source.url : `data:${source.mediaType || 'image/jpeg'};base64,${source.data}`;
  return { type: 'image_url', image_url: { url } };
}

export interface MessageTerms {
  /** Whether reasoning of earlier turns is sent. */
  readonly reasoning: 'sent' | 'omitted';
  /** Whether opaque data of servers of this kind is sent back. */
  readonly opaque: 'sent' | 'omitted';
  /** True if the server refuses calls without a thought signature. */
  readonly needsSignatures: boolean;
  readonly systemTurns: SystemTurnStyle;
}

/** The vendor's documented placeholder for lost or foreign signatures. */
const SIGNATURE_PLACEHOLDER: JsonObject = { google: { thought_signature: 'skip_thought_signature_validator' } };

/** Servers refuse an empty list of messages. */
const SILENCE = { role: 'user', content: '' };

/** Every tool call is directly followed by its results, in the client's order. */
export function encodeMessages({ system, turns }: Conversation, terms: MessageTerms): readonly JsonObject[] {
  const messages: JsonObject[] = system.length === 0 ? [] : [encodeSystem(system)];
  const kept = turns.filter((turn) => turn.role !== 'assistant' || hasSomethingToSay(turn, terms));
  /** Instructions between a call and its results, moved behind them. */
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

/** Images of results come first; a tool message cannot contain them. */
function encodeUser({ content }: UserTurn): readonly JsonObject[] {
  const rest = content.filter((block) => block.type !== 'tool-result');
  if (rest.length === content.length) return [{ role: 'user', content: encodeUserContent(rest) }];
  const images = content.flatMap((block) => (block.type === 'tool-result' ? block.content.filter((part) => part.type === 'image') : []));
  return images.length + rest.length === 0 ? [] : [{ role: 'user', content: encodeUserContent([...images, ...rest]) }];
}

/** DeepSeek requires `reasoning_content` with tool calls, even if empty. */
function encodeAssistant({ content }: AssistantTurn, terms: MessageTerms): JsonObject {
  const text = joinTexts(textsIn(content));
  const reasoning = terms.reasoning === 'sent' ? content.map((block) => (block.type === 'thinking' ? block.text : '')).join('') : '';
  const parts = new OpaqueParts(terms);
  for (const block of content) parts.add(block);
  const { toolCalls, details, messageExtra } = parts;
  const sendsReasoning = terms.reasoning === 'sent' && (reasoning !== '' || toolCalls.length > 0);
  return {
    role: 'assistant',
    content: text === '' && toolCalls.length > 0 ? null : text,
    reasoning_content: sendsReasoning ? reasoning : undefined,
    extra_content: messageExtra ?? undefined,
    reasoning_details: details.length === 0 ? undefined : details,
    tool_calls: toolCalls.length === 0 ? undefined : toolCalls,
  };
}

/** Calls of a turn, with opaque data for them and for the message. */
class OpaqueParts {
  readonly toolCalls: JsonObject[] = [];
  readonly details: JsonObject[] = [];
  messageExtra: JsonObject | null = null;
  /** Fields that belong to the next call. */
  #extra: JsonObject | null = null;

  constructor(private readonly terms: MessageTerms) {}

  add(block: AssistantBlock): void {
    if (block.type === 'tool-call') this.#addCall(block);
    else if (block.type === 'thinking' && this.terms.opaque === 'sent' && isSignedBy('openai', block)) this.#addOpaque(block);
  }

  /** Of parallel calls, only the first has the signature. */
  #addCall(call: ToolCallBlock): void {
    const placeholder = this.terms.needsSignatures && this.toolCalls.length === 0 ? SIGNATURE_PLACEHOLDER : null;
    this.toolCalls.push(encodeToolCall(call, this.#extra ?? placeholder));
    this.#extra = null;
  }

  #addOpaque({ form, signature }: ThinkingBlock): void {
    const value = parseOpaque(signature);
    if (form === 'call-extra') this.#extra = asObject(value);
    else if (form === 'message-extra') this.messageExtra = asObject(value);
    else for (const detail of detailsIn(value)) this.details.push(detail);
  }
}

/** Servers parse the arguments and fail unless they are an object, so a truncated call would end its conversation. */
function encodeToolCall({ id, name, argumentsJson }: ToolCallBlock, extra: JsonObject | null): JsonObject {
  return { id, type: 'function', function: { name, arguments: argumentsObject(argumentsJson).text }, extra_content: extra ?? undefined };
}
