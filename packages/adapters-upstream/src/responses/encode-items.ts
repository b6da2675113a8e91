import {
  type AssistantBlock, assertNever, type AssistantTurn, type Conversation, type ImageBlock, isSignedBy, type JsonObject, type JsonValue,
  type ResponsesOptions, type SystemTurnStyle, type TextBlock, type ToolResultBlock, type Turn, type UserTurn,
} from '@tollgate/core';
import { argumentsObject } from '@tollgate/json-text';
import { joinTexts } from '../request/join-texts.js';
import { mergeTurns } from '../request/merge-turns.js';

export interface ItemTerms {
  /** Which reasoning of earlier turns is sent. */
  readonly reasoning: ResponsesOptions['reasoningReplay'];
  readonly systemTurns: SystemTurnStyle;
}

/** Encodes the turns in the client's order, but with tool results directly after their calls, before instructions and texts. */
export function encodeItems({ turns }: Conversation, terms: ItemTerms): readonly JsonObject[] {
  const items: JsonObject[] = [];
  /** Items of system turns that wait until after the tool results of the next turn. */
  let waiting: JsonObject[] = [];
  for (const turn of mergeTurns(turns, terms.systemTurns)) {
    const [results, rest] = itemsOf(turn, terms);
    if (turn.role === 'system') {
      waiting.push(...rest);
      continue;
    }
    items.push(...results, ...waiting, ...rest);
    waiting = [];
  }
  items.push(...waiting);
  return items.length === 0 ? [message('user', [inputText('')])] : items;
}

function itemsOf(turn: Turn, terms: ItemTerms): readonly [results: readonly JsonObject[], rest: readonly JsonObject[]] {
  switch (turn.role) {
    case 'system': return [[], turn.content.length === 0 ? [] : [message('developer', [inputText(joinTexts(turn.content))])]];
    case 'user': return userItems(turn);
    case 'assistant': return [[], assistantItems(turn, terms)];
    default: return assertNever(turn);
  }
}

function message(role: 'user' | 'developer' | 'assistant', content: readonly JsonValue[]): JsonObject {
  return { type: 'message', role, content };
}

function inputText(text: string): JsonObject {
  return { type: 'input_text', text };
}

function userItems({ content }: UserTurn): readonly [readonly JsonObject[], readonly JsonObject[]] {
  const results: JsonObject[] = [];
  const parts: JsonObject[] = [];
  for (const block of content) {
    if (block.type === 'tool-result') results.push({ type: 'function_call_output', call_id: block.toolCallId, output: encodeOutput(block) });
    else parts.push(encodePart(block));
  }
  if (parts.length > 0) return [results, [message('user', parts)]];
  return [results, results.length > 0 ? [] : [message('user', [inputText('')])]];
}

function encodePart(block: TextBlock | ImageBlock): JsonObject {
  if (block.type === 'text') return inputText(block.text);
  const { source } = block;
  const url = source.kind === 'url' ? source.url : `data:${source.mediaType || 'image/jpeg'};base64,${source.data}`;
  return { type: 'input_image', image_url: url, detail: 'auto' };
}

/**
 * Encodes a result. Without images it is a string, because not every server accepts a list. The text also states a failure, because the format has no
 * field for failures.
 */
function encodeOutput({ content, isError }: ToolResultBlock): JsonValue {
  const text = content.filter((part) => part.type === 'text').map((part) => part.text).join('\n');
  const said = isError ? `Error: ${text}` : text;
  const images = content.filter((part) => part.type === 'image');
  if (images.length === 0) return said;
  return [...(said === '' ? [] : [inputText(said)]), ...images.map(encodePart)];
}

/** Encodes an assistant turn. A turn that consists of reasoning alone is omitted, because servers refuse it. */
function assistantItems({ content }: AssistantTurn, terms: ItemTerms): readonly JsonObject[] {
  if (!content.some((block) => block.type === 'tool-call' || (block.type === 'text' && block.text !== ''))) return [];
  return content.flatMap((block) => assistantItem(block, terms));
}

function assistantItem(block: AssistantBlock, { reasoning }: ItemTerms): readonly JsonObject[] {
  switch (block.type) {
    case 'text': return block.text === '' ? [] : [message('assistant', [{ type: 'output_text', text: block.text }])];
    case 'tool-call': return [{ type: 'function_call', call_id: block.id, name: block.name, arguments: argumentsObject(block.argumentsJson).text }];
    case 'thinking':
      if (isSignedBy('responses', block) && reasoning !== 'omitted') return [{ type: 'reasoning', summary: summaryOf(block.text), encrypted_content: block.signature }];
      return reasoning === 'sent' && block.text !== '' ? [{ type: 'reasoning', summary: [], content: [{ type: 'reasoning_text', text: block.text }] }] : [];
    default: return assertNever(block);
  }
}

function summaryOf(text: string): readonly JsonObject[] {
  return text === '' ? [] : [{ type: 'summary_text', text }];
}
