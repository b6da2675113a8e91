import {
  assertNever, type AssistantTurn, type Conversation, type ImageBlock, JsonText, printList, type TextBlock, type TextPrinter, type ToolCallBlock, type UserTurn,
} from '@tollgate/core';
import { mergeTurns } from '../encoding/merge-turns.js';
import { joinTexts } from '../encoding/join-texts.js';
import type { SystemTurnStyle } from '../upstream-definition.js';
import { encodeToolResultText, encodeUserContent } from './encode-content.js';

export interface MessageTerms {
  /** Whether reasoning goes back to the model that made it. */
  readonly reasoning: 'sent' | 'omitted';
  readonly systemTurns: SystemTurnStyle;
  readonly texts: TextPrinter;
}

/** What is sent of a conversation in which nobody said anything: servers refuse an empty list. */
const SILENCE = new JsonText('{"role":"user","content":""}');

/** The conversation as chat messages. Every tool call is directly followed by its results, in the client's order. */
export function encodeMessages({ system, turns }: Conversation, terms: MessageTerms): JsonText {
  const messages: JsonText[] = system.length === 0 ? [] : [encodeSystem(system, terms)];
  const kept = turns.filter((turn) => turn.role !== 'assistant' || hasSomethingToSay(turn, terms));
  /** Instructions that would come between a call and its results wait until after them. */
  let waiting: JsonText[] = [];
  let awaitingResults = false;
  for (const turn of mergeTurns(kept, terms.systemTurns)) {
    switch (turn.role) {
      case 'system': {
        const place = awaitingResults ? waiting : messages;
        place.push(encodeSystem(turn.content, terms));
        break;
      }
      case 'user':
        messages.push(...encodeResults(turn, terms), ...waiting, ...encodeUser(turn, terms));
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
  return printList(messages.length === 0 ? [SILENCE] : messages);
}

function hasSomethingToSay({ content }: AssistantTurn, { reasoning }: MessageTerms): boolean {
  return content.some((block) => block.type === 'tool-call' || (block.text !== '' && (block.type === 'text' || reasoning === 'sent')));
}

/** Messages are written out, since conversations consist of texts that are only copied. */
function encodeSystem(content: readonly TextBlock[], { texts }: MessageTerms): JsonText {
  return new JsonText(`{"role":"system","content":${texts.print(joinTexts(content))}}`);
}

function encodeResults({ content }: UserTurn, { texts }: MessageTerms): readonly JsonText[] {
  return content.filter((block) => block.type === 'tool-result')
    .map((block) => new JsonText(`{"role":"tool","tool_call_id":${texts.print(block.toolCallId)},"content":${texts.print(encodeToolResultText(block))}}`));
}

/** All but the results' texts: their images come first, since a tool message cannot show them. */
function encodeUser({ content }: UserTurn, { texts }: MessageTerms): readonly JsonText[] {
  const images: ImageBlock[] = [];
  const rest: (TextBlock | ImageBlock)[] = [];
  for (const block of content) {
    if (block.type === 'tool-result') images.push(...block.content.filter((part) => part.type === 'image'));
    else rest.push(block);
  }
  const shown = [...images, ...rest];
  if (shown.length === 0 && content.length > 0) return [];
  return [new JsonText(`{"role":"user","content":${encodeUserContent(shown, texts).text}}`)];
}

/** With tool calls, a reasoning model always gets its reasoning back, even when there was none: DeepSeek insists on it. */
function encodeAssistant({ content }: AssistantTurn, terms: MessageTerms): JsonText {
  const blocks: TextBlock[] = [];
  const toolCalls: ToolCallBlock[] = [];
  let reasoning = '';
  for (const block of content) {
    if (block.type === 'text') blocks.push(block);
    else if (block.type === 'thinking') reasoning += block.text;
    else toolCalls.push(block);
  }
  const text = joinTexts(blocks);
  const sendsReasoning = terms.reasoning === 'sent' && (reasoning !== '' || toolCalls.length > 0);
  const said = text === '' && toolCalls.length > 0 ? 'null' : terms.texts.print(text);
  const thought = sendsReasoning ? `,"reasoning_content":${terms.texts.print(reasoning)}` : '';
  const called = toolCalls.length === 0 ? '' : `,"tool_calls":[${toolCalls.map((call) => encodeToolCall(call, terms)).join(',')}]`;
  return new JsonText(`{"role":"assistant","content":${said}${thought}${called}}`);
}

function encodeToolCall({ id, name, argumentsJson }: ToolCallBlock, { texts }: MessageTerms): string {
  const passed = argumentsJson.trim() === '' ? '{}' : argumentsJson;
  return `{"id":${texts.print(id)},"type":"function","function":{"name":${texts.print(name)},"arguments":${texts.print(passed)}}}`;
}
