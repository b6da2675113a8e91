import type { AssistantBlock, ContentBlock, Conversation, SystemTurn, TextBlock, Tool, ToolChoice, Turn, UserBlock } from '@tollgate/core';
import { characterCount } from './decode-values.js';
import { invalidField, type Place } from './decoder.js';
import { MAX_MESSAGE_CHARACTERS } from './request-limits.js';

function textsOf(blocks: readonly ContentBlock[]): readonly string[] {
  return blocks.flatMap((block) => (block.type === 'text' ? [block.text] : block.type === 'tool-result' ? textsOf(block.content) : []));
}

function codeUnitsOf(blocks: readonly ContentBlock[]): number {
  let units = 0;
  for (const block of blocks) {
    if (block.type === 'text') units += block.text.length;
    else if (block.type === 'tool-result') units += codeUnitsOf(block.content);
  }
  return units;
}

/** Refuses a message whose text parts together exceed the limit. Characters are counted only where code units exceed it. */
export function checkMessageText(blocks: readonly ContentBlock[], message: Place): void {
  if (codeUnitsOf(blocks) <= MAX_MESSAGE_CHARACTERS) return;
  const characters = textsOf(blocks).reduce((sum, text) => sum + characterCount(text), 0);
  if (characters > MAX_MESSAGE_CHARACTERS) {
    throw invalidField(message, 'content', `must have at most ${MAX_MESSAGE_CHARACTERS} characters of text`);
  }
}

/** Refuses a turn in which two tool calls, or two results, bear one id: nobody could tell which belongs to which. */
export function checkToolIds(blocks: readonly (AssistantBlock | UserBlock)[], list: Place): void {
  const seen = new Set<string>();
  for (const block of blocks) {
    const id = block.type === 'tool-call' ? block.id : block.type === 'tool-result' ? block.toolCallId : null;
    if (id === null) continue;
    if (seen.has(id)) throw invalidField(list.within, list.key, `uses the tool call id ${JSON.stringify(id)} twice`);
    seen.add(id);
  }
}

/**
 * Holds a choice against the tools it chooses from, under the field name that both formats share.
 * Without tools, `auto` and `none` say nothing and become `null`; what demands a call is refused.
 */
export function checkToolChoice(choice: ToolChoice | null, tools: readonly Tool[]): ToolChoice | null {
  if (choice === null) return null;
  if (choice.kind === 'tool') {
    if (!tools.some((tool) => tool.name === choice.name)) {
      throw invalidField(null, 'tool_choice', `names a tool that is not in 'tools': ${JSON.stringify(choice.name)}`);
    }
    return choice;
  }
  if (tools.length > 0) return choice;
  if (choice.kind === 'any') throw invalidField(null, 'tool_choice', `demands a tool call, but 'tools' has none`);
  return null;
}

function isSystemTurn(turn: Turn): turn is SystemTurn {
  return turn.role === 'system';
}

/**
 * Puts the instructions ahead of the first other turn into `system`; later ones stay in their place.
 * A conversation of nothing but instructions keeps them as its turns, so that it has something to answer.
 */
export function arrangeTurns(system: readonly TextBlock[], messages: readonly Turn[]): Conversation {
  const first = messages.findIndex((turn) => !isSystemTurn(turn));
  if (first <= 0) return { system, turns: messages };
  const leading = messages.slice(0, first).filter(isSystemTurn).flatMap((turn) => turn.content);
  return { system: [...system, ...leading], turns: messages.slice(first) };
}
