import type { AssistantBlock, GenerationRequest, Tool, ToolCallBlock, ToolChoice, ToolResultBlock, Turn, UserBlock } from '@tollgate/core';
import { oncePer } from '@tollgate/json-text';
import { isSentName, sentId, sentName } from './sent-names.js';

/** A request with names and ids that the server accepts, and the client's names of renamed tools. */
export interface SendableRequest {
  readonly request: GenerationRequest;
  readonly clientNames: ReadonlyMap<string, string>;
}

interface SentTools {
  readonly tools: readonly Tool[];
  readonly clientNames: ReadonlyMap<string, string>;
}

/**
 * Renames tools. The result is cached per list, because agents send the same tools with every request. Returns the same list if all names are valid.
 * Of several tools with the same name, which servers refuse, the last counts.
 */
const sentTools = oncePer((tools: readonly Tool[]): SentTools => {
  const byName = new Map(tools.map((tool) => [sentName(tool.name), tool] as const));
  const clientNames = new Map([...byName].map(([sent, { name }]) => [sent, name] as const).filter(([sent, name]) => sent !== name));
  if (clientNames.size === 0 && byName.size === tools.length) return { tools, clientNames };
  return { tools: Array.from(byName, ([name, tool]) => ({ ...tool, name })), clientNames };
});

const NO_NAMES: ReadonlyMap<string, string> = new Map();

/** Makes tool names and call ids acceptable to the server: in tools, choice, calls and results. */
export function sendableRequest(request: GenerationRequest, idLimit: number): SendableRequest {
  const { tools, clientNames } = request.tools.length === 0 ? { tools: request.tools, clientNames: NO_NAMES } : sentTools(request.tools);
  const turns = sentTurns(request.conversation.turns, idLimit);
  if (tools === request.tools && turns === request.conversation.turns) return { request, clientNames };
  return { request: { ...request, tools, toolChoice: sentChoice(request.toolChoice), conversation: { ...request.conversation, turns } }, clientNames };
}

function sentChoice(choice: ToolChoice | null): ToolChoice | null {
  return choice?.kind === 'tool' ? { ...choice, name: sentName(choice.name) } : choice;
}

/** Returns the same list if the server accepts all names and ids. */
function sentTurns(turns: readonly Turn[], idLimit: number): readonly Turn[] {
  for (const turn of turns) if (!isSendable(turn, idLimit)) return turns.map((each) => (isSendable(each, idLimit) ? each : sentTurn(each, idLimit)));
  return turns;
}

function isSendable({ content }: Turn, idLimit: number): boolean {
  for (const block of content) {
    if (block.type === 'tool-result' && block.toolCallId.length > idLimit) return false;
    if (block.type === 'tool-call' && (block.id.length > idLimit || !isSentName(block.name))) return false;
  }
  return true;
}

function sentTurn(turn: Turn, idLimit: number): Turn {
  switch (turn.role) {
    case 'system': return turn;
    case 'user': return { ...turn, content: turn.content.map((block): UserBlock => (block.type === 'tool-result' ? sentResult(block, idLimit) : block)) };
    case 'assistant': return { ...turn, content: turn.content.map((block): AssistantBlock => (block.type === 'tool-call' ? sentCall(block, idLimit) : block)) };
  }
}

function sentCall(call: ToolCallBlock, idLimit: number): ToolCallBlock {
  return { ...call, id: sentId(call.id, idLimit), name: sentName(call.name) };
}

function sentResult(result: ToolResultBlock, idLimit: number): ToolResultBlock {
  return { ...result, toolCallId: sentId(result.toolCallId, idLimit) };
}
