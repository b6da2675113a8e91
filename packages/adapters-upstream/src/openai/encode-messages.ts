import {
  type AssistantBlock, assertNever, type AssistantTurn, type Conversation, type ImageBlock, isSignedBy, type JsonObject, type JsonValue, type TextBlock, type ThinkingBlock, type ToolCallBlock,
  type ToolResultBlock, type UserTurn, type SystemTurnStyle,
} from '@tollgate/core';
import { argumentsObject } from '@tollgate/json-text';
import { asObject } from '../reply/json-values.js';
import { detailsIn, parseOpaque } from './opaque-fields.js';
import { joinTexts } from '../request/join-texts.js';
import { mergeTurns } from '../request/merge-turns.js';

function isText(block: TextBlock | ImageBlock): block is TextBlock {
  return block.type === 'text';
}

/** Encodes content without images as a string: not every server accepts a list. */
function encodeUserContent(blocks: readonly (TextBlock | ImageBlock)[]): JsonValue {
  if (blocks.every(isText)) return joinTexts(blocks);
  return blocks.map((block) => (block.type === 'text' ? { type: 'text', text: block.text } : encodeImage(block)));
}

/** Encodes a result as text. The text also states a failure, because the format has no field for failures. */
function encodeToolResultText({ content, isError }: ToolResultBlock): string {
  let text: string | null = null;
  for (const block of content) if (block.type === 'text') text = text === null ? block.text : `${text}\n${block.text}`;
  const said = !text && !content.every(isText) ? 'The result is an image. It follows in the next user message.' : text ?? '';
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

/** Stands for an empty conversation, because servers refuse an empty list of messages. */
const SILENCE = { role: 'user', content: '' };

/** Encodes the turns in the client's order, but with tool results directly after their calls, before instructions and texts. */
export function encodeMessages({ system, turns }: Conversation, terms: MessageTerms): readonly JsonObject[] {
  const messages: JsonObject[] = system.length === 0 ? [] : [encodeSystem(system)];
  const kept = turns.filter((turn) => turn.role !== 'assistant' || hasSomethingToSay(turn, terms));
  /** System messages that wait until after the tool results of the next turn. */
  let waiting: JsonObject[] = [];
  for (const turn of mergeTurns(kept, terms.systemTurns)) {
    if (turn.role === 'system') {
      waiting.push(encodeSystem(turn.content));
      continue;
    }
    if (turn.role === 'user') addResults(messages, turn);
    if (waiting.length > 0) messages.push(...waiting);
    waiting = [];
    const message = encodeTurn(turn, terms);
    if (message !== null) messages.push(message);
  }
  messages.push(...waiting);
  return messages.length === 0 ? [SILENCE] : messages;
}

function hasSomethingToSay({ content }: AssistantTurn, { reasoning }: MessageTerms): boolean {
  for (const block of content) if (block.type === 'tool-call' || (block.text !== '' && (block.type === 'text' || reasoning === 'sent'))) return true;
  return false;
}

/** Encodes a turn without its results; `null` if it has no other content. */
function encodeTurn(turn: UserTurn | AssistantTurn, terms: MessageTerms): JsonObject | null {
  switch (turn.role) {
    case 'user': return encodeUser(turn);
    case 'assistant': return encodeAssistant(turn, terms);
    default: return assertNever(turn);
  }
}

function encodeSystem(content: readonly TextBlock[]): JsonObject {
  return { role: 'system', content: joinTexts(content) };
}

function addResults(messages: JsonObject[], { content }: UserTurn): void {
  for (const block of content) {
    if (block.type === 'tool-result') messages.push({ role: 'tool', tool_call_id: block.toolCallId, content: encodeToolResultText(block) });
  }
}

function addImages(images: ImageBlock[], { content }: ToolResultBlock): void {
  for (const part of content) if (part.type === 'image') images.push(part);
}

/** Encodes a user turn. Images of results come first, because a tool message cannot contain them. */
function encodeUser({ content }: UserTurn): JsonObject | null {
  const images: ImageBlock[] = [];
  const rest: (TextBlock | ImageBlock)[] = [];
  for (const block of content) {
    if (block.type === 'tool-result') addImages(images, block);
    else rest.push(block);
  }
  if (images.length + rest.length === 0 && content.length > 0) return null;
  return { role: 'user', content: encodeUserContent(images.length === 0 ? rest : [...images, ...rest]) };
}

/** Encodes an assistant turn. DeepSeek requires `reasoning_content` with tool calls, even if it is empty. */
function encodeAssistant({ content }: AssistantTurn, terms: MessageTerms): JsonObject {
  const { texts, reasoning, toolCalls, details, messageExtra } = partsOf(content, terms);
  const text = joinTexts(texts);
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

/** Texts, reasoning and calls of a turn, with opaque data of the calls and of the message. */
interface AssistantParts {
  readonly texts: TextBlock[];
  reasoning: string;
  readonly toolCalls: JsonObject[];
  readonly details: JsonObject[];
  messageExtra: JsonObject | null;
  /** Fields of opaque data that belong to the next call. */
  callExtra: JsonObject | null;
}

function partsOf(content: readonly AssistantBlock[], terms: MessageTerms): AssistantParts {
  const parts: AssistantParts = { texts: [], reasoning: '', toolCalls: [], details: [], messageExtra: null, callExtra: null };
  for (const block of content) addPart(parts, block, terms);
  return parts;
}

function addPart(parts: AssistantParts, block: AssistantBlock, { opaque, needsSignatures }: MessageTerms): void {
  switch (block.type) {
    case 'text':
      parts.texts.push(block);
      break;
    case 'thinking':
      parts.reasoning += block.text;
      if (opaque === 'sent' && isSignedBy('openai', block)) addOpaque(parts, block);
      break;
    case 'tool-call':
      addCall(parts, block, needsSignatures ? SIGNATURE_PLACEHOLDER : null);
      break;
    default: assertNever(block);
  }
}

/** Adds a call. Of parallel calls only the first needs a signature, so only the first gets the placeholder if it has none. */
function addCall(parts: AssistantParts, call: ToolCallBlock, placeholder: JsonObject | null): void {
  const extra = parts.callExtra ?? (parts.toolCalls.length === 0 ? placeholder : null);
  parts.toolCalls.push(encodeToolCall(call, extra));
  parts.callExtra = null;
}

function addOpaque(parts: AssistantParts, { form, signature }: ThinkingBlock): void {
  const value = parseOpaque(signature);
  if (form === 'call-extra') parts.callExtra = asObject(value);
  else if (form === 'message-extra') parts.messageExtra = asObject(value);
  else for (const detail of detailsIn(value)) parts.details.push(detail);
}

/**
 * Encodes a call so that its arguments are an object in any case. Servers parse them, so with truncated ones they would refuse the rest of the
 * conversation.
 */
function encodeToolCall({ id, name, argumentsJson }: ToolCallBlock, extra: JsonObject | null): JsonObject {
  return { id, type: 'function', function: { name, arguments: argumentsObject(argumentsJson).text }, extra_content: extra ?? undefined };
}
