import { hash } from 'node:crypto';
import type { AssistantBlock, GenerationRequest, Tool, ToolCallBlock, ToolChoice, ToolResultBlock, Turn, UserBlock } from '@tollgate/core';
import { oncePer } from '@tollgate/json-text';

/** Vendors' common limit. */
export const MAX_SENT_NAME_CHARACTERS = 64;

const HASH_CHARACTERS = 16;
const FOREIGN_CHARACTER = /[^\w-]/;
const EVERY_FOREIGN_CHARACTER = /[^\w-]/g;

function hashOf(text: string, characters: number): string {
  return hash('sha256', text, 'hex').slice(0, characters);
}

/** The beginning of the text and a hash, together at most `limit` characters. Deterministic; different texts stay different. */
function cut(text: string, limit: number, beginning = text): string {
  const kept = limit - HASH_CHARACTERS - 1;
  return kept < 1 ? hashOf(text, limit) : `${beginning.slice(0, kept)}_${hashOf(text, HASH_CHARACTERS)}`;
}

/** In the characters and length that every vendor accepts. */
export function sentName(name: string): string {
  if (name.length <= MAX_SENT_NAME_CHARACTERS && !FOREIGN_CHARACTER.test(name)) return name;
  return cut(name, MAX_SENT_NAME_CHARACTERS, name.slice(0, MAX_SENT_NAME_CHARACTERS).replace(EVERY_FOREIGN_CHARACTER, '_'));
}

/** In the length that the server accepts. */
export function sentId(id: string, limit: number): string {
  return id.length <= limit ? id : cut(id, limit);
}

/** With names and ids that the server accepts, and the client's names of renamed tools. */
export interface SendableRequest {
  readonly request: GenerationRequest;
  readonly clientNames: ReadonlyMap<string, string>;
}

interface SentTools {
  readonly tools: readonly Tool[];
  readonly clientNames: ReadonlyMap<string, string>;
}

/**
 * Cached by list: agents send the same tools with every request. Unchanged if all names are valid. Of tools with one name, which servers
 * refuse, the last counts.
 */
const sentTools = oncePer((tools: readonly Tool[]): SentTools => {
  const byName = new Map(tools.map((tool) => [sentName(tool.name), tool] as const));
  const clientNames = new Map([...byName].map(([sent, { name }]) => [sent, name] as const).filter(([sent, name]) => sent !== name));
  if (clientNames.size === 0 && byName.size === tools.length) return { tools, clientNames };
  return { tools: Array.from(byName, ([name, tool]) => ({ ...tool, name })), clientNames };
});

/** Shortens tool names and call ids in tools, choice, calls and results. */
export function sendableRequest(request: GenerationRequest, idLimit: number): SendableRequest {
  const { tools, clientNames } = sentTools(request.tools);
  const turns = request.conversation.turns.map((turn) => sentTurn(turn, idLimit));
  const isUnchanged = tools === request.tools && turns.every((turn, index) => turn === request.conversation.turns[index]);
  if (isUnchanged) return { request, clientNames };
  return { request: { ...request, tools, toolChoice: sentChoice(request.toolChoice), conversation: { ...request.conversation, turns } }, clientNames };
}

function sentChoice(choice: ToolChoice | null): ToolChoice | null {
  return choice?.kind === 'tool' ? { ...choice, name: sentName(choice.name) } : choice;
}

function sentTurn(turn: Turn, idLimit: number): Turn {
  switch (turn.role) {
    case 'system': return turn;
    case 'user': return turn.content.some((block) => block.type === 'tool-result' && block.toolCallId.length > idLimit)
      ? { ...turn, content: turn.content.map((block): UserBlock => (block.type === 'tool-result' ? sentResult(block, idLimit) : block)) }
      : turn;
    case 'assistant': return turn.content.some((block) => block.type === 'tool-call' && !isSendable(block, idLimit))
      ? { ...turn, content: turn.content.map((block): AssistantBlock => (block.type === 'tool-call' ? sentCall(block, idLimit) : block)) }
      : turn;
  }
}

function isSendable({ id, name }: ToolCallBlock, idLimit: number): boolean {
  return id.length <= idLimit && name.length <= MAX_SENT_NAME_CHARACTERS && !FOREIGN_CHARACTER.test(name);
}

function sentCall(call: ToolCallBlock, idLimit: number): ToolCallBlock {
  return { ...call, id: sentId(call.id, idLimit), name: sentName(call.name) };
}

function sentResult(result: ToolResultBlock, idLimit: number): ToolResultBlock {
  return { ...result, toolCallId: sentId(result.toolCallId, idLimit) };
}
