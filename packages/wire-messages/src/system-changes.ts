import type { Reasoning, RequestLimits, Tool, Turn } from '@tollgate/core';
import {
  beyondLimit, decodeEffort, decodeNonEmptyString, decodeObject, type Decoder, decodeString, type FieldPath, type Fields, optional, required,
} from '@tollgate/wire-kit';
import { decodeTool } from './decode-tools.js';

/** A tool that a system message adds or removes. `tool` is its definition; `null` if the message only names the tool. */
interface ToolChange {
  readonly name: string;
  readonly tool: Tool | null;
  readonly isOffered: boolean;
}

/** What a system message changes besides its text. */
interface SystemChanges {
  /** Place of the message among all messages. */
  readonly index: number;
  readonly effort: Reasoning | null;
  /** `null` for an added tool that runs on a vendor's servers, which is omitted. */
  readonly tools: readonly (ToolChange | null)[];
  /** True if the text counts only until the next message of the user. */
  readonly isPassing: boolean;
}

/** The turns that the model reads, and what system messages among them change. */
export interface ChangedMessages {
  readonly turns: readonly Turn[];
  /** Effort of the next reply; `null` if no message states one. */
  readonly effort: Reasoning | null;
  readonly toolChanges: readonly ToolChange[];
  /** True if messages also add tools that run on a vendor's servers, which are omitted. */
  readonly hasServerTools: boolean;
}

/** Decodes a change; `null` for the definition of a tool that runs on a vendor's servers. */
function decodeToolChange(block: Fields, isOffered: boolean): readonly (ToolChange | null)[] {
  const named = required(block, 'tool', decodeObject);
  const type = required(named, 'type', decodeString);
  if (type === 'tool_reference') return [{ name: required(named, 'name', decodeNonEmptyString), tool: null, isOffered }];
  if (type !== 'tool_definition' || !isOffered) return [];
  const tool = required(named, 'definition', decodeTool);
  return [tool === null ? null : { name: tool.name, tool, isOffered }];
}

/** Decodes the blocks that change tools. */
function decodeToolChanges({ values, place }: Fields): readonly (ToolChange | null)[] {
  const { content } = values;
  if (!Array.isArray(content)) return [];
  return content.flatMap((value, index) => {
    const block = decodeObject(value, { within: place, key: 'content' }, index);
    const { type } = block.values;
    return type === 'tool_addition' || type === 'tool_removal' ? decodeToolChange(block, type === 'tool_addition') : [];
  });
}

const decodeOutputConfig: Decoder<Reasoning | null> = (value, within, key) => optional(decodeObject(value, within, key), 'effort', decodeEffort);

function isSystem(message: unknown): boolean {
  const { role } = message as { readonly role?: unknown };
  return role === 'system' || role === 'developer';
}

/** What the system messages of a decoded list change. */
function changesIn(messages: readonly unknown[], list: FieldPath): readonly SystemChanges[] {
  const found: SystemChanges[] = [];
  for (const [index, message] of messages.entries()) {
    if (!isSystem(message)) continue;
    const fields = decodeObject(message, list, index);
    const effort = optional(fields, 'output_config', decodeOutputConfig);
    const tools = decodeToolChanges(fields);
    const isPassing = optional(fields, 'clear_at', decodeString) === 'next_user_message';
    if (effort !== null || tools.length > 0 || isPassing) found.push({ index, effort, tools, isPassing });
  }
  return found;
}

/** True for a user turn with more than tool results. */
function isInput(turn: Turn | undefined): boolean {
  return turn?.role === 'user' && turn.content.some(({ type }) => type !== 'tool-result');
}

/**
 * An effort applies from the user input directly before the message that states it, or else from the next user input, until another effort replaces
 * it.
 */
function effortAfter(turns: readonly Turn[], changes: readonly SystemChanges[]): Reasoning | null {
  const efforts = new Map(changes.map(({ index, effort }) => [index, effort]));
  let inForce: Reasoning | null = null;
  let next: Reasoning | null = null;
  let isAfterInput = false;
  for (const [index, turn] of turns.entries()) {
    if (turn.role !== 'system') isAfterInput = isInput(turn);
    next = efforts.get(index) ?? next;
    if (!isAfterInput || next === null) continue;
    inForce = next;
    next = null;
  }
  return inForce;
}

/**
 * Reads what system messages change. Drops the turn of a message with changes if it has no text, or if its text counted only until the next user turn
 * and that turn has followed.
 */
export function followChanges(turns: readonly Turn[], messages: readonly unknown[], list: FieldPath): ChangedMessages {
  const changes = changesIn(messages, list);
  if (changes.length === 0) return { turns, effort: null, toolChanges: [], hasServerTools: false };
  const tools = changes.flatMap((change) => change.tools);
  const toolChanges = tools.filter((change) => change !== null);
  const lastUser = turns.findLastIndex(({ role }) => role === 'user');
  const silent = new Set(changes.filter(({ index, isPassing }) => (isPassing && index < lastUser) || turns[index]?.content.length === 0).map(({ index }) => index));
  return {
    turns: turns.filter((_turn, index) => !silent.has(index)),
    effort: effortAfter(turns, changes),
    toolChanges,
    hasServerTools: toolChanges.length < tools.length,
  };
}

/** The tools on offer after all changes. Of two definitions with one name the later one counts. */
export function toolsAfter(tools: readonly Tool[], changes: readonly ToolChange[], { tools: most }: RequestLimits): readonly Tool[] {
  if (changes.length === 0) return tools;
  const defined = new Map(tools.map((tool) => [tool.name, tool]));
  const offered = new Map(defined);
  for (const { name, tool, isOffered } of changes) {
    if (tool !== null) defined.set(name, tool);
    const known = defined.get(name);
    if (isOffered && known !== undefined) offered.set(name, known);
    else offered.delete(name);
  }
  if (offered.size > most) throw beyondLimit({ within: null, key: 'messages', name: 'tools', most, noun: 'tools in all', count: offered.size });
  return [...offered.values()];
}
