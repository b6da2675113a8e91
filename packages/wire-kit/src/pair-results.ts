import type { AssistantTurn, ImageBlock, TextBlock, ToolResultBlock, Turn, UserBlock } from '@tollgate/core';

export type ResultContent = readonly (TextBlock | ImageBlock)[];

/** The result that is added for an unanswered call, as agents do themselves. */
export const ABORTED: ResultContent = [{ type: 'text', text: 'aborted' }];

function aborted(toolCallId: string): ToolResultBlock {
  return { type: 'tool-result', toolCallId, content: ABORTED, isError: false };
}

const NO_CALLS: readonly string[] = [];

function callIdsIn({ content }: AssistantTurn): readonly string[] {
  const ids: string[] = [];
  for (const block of content) if (block.type === 'tool-call') ids.push(block.id);
  return ids;
}

function isResult(block: UserBlock): block is ToolResultBlock {
  return block.type === 'tool-result';
}

/** True if the results of a turn are those of the calls, in order. */
function hasResultsOf(calls: readonly string[], { content }: Turn): boolean {
  let results = 0;
  for (const block of content) {
    if (block.type !== 'tool-result') continue;
    if (block.toolCallId !== calls[results]) return false;
    results += 1;
  }
  return results === calls.length;
}

/** True for the usual case: unique ids, and all results in the next turn in order. */
function arePaired(turns: readonly Turn[]): boolean {
  let calls = NO_CALLS;
  for (const turn of turns) {
    if (!hasResultsOf(calls, turn)) return false;
    calls = turn.role === 'assistant' ? callIdsIn(turn) : NO_CALLS;
    if (calls.length > 1 && new Set(calls).size < calls.length) return false;
  }
  return calls.length === 0;
}

/** Keeps the first result of each open call; the content of other results becomes user content. */
function withOpenResults(turn: Turn, open: Set<string>): Turn {
  if (turn.role !== 'user' || !turn.content.some(isResult)) return turn;
  return { ...turn, content: turn.content.flatMap((block): readonly UserBlock[] => (isResult(block) && !open.delete(block.toolCallId) ? block.content : [block])) };
}

/** The turn without its results; no turn if it has only results. */
function withoutResults(turn: Turn): readonly Turn[] {
  if (turn.role !== 'user' || !turn.content.some(isResult)) return [turn];
  const content = turn.content.filter((block) => !isResult(block));
  return content.length === 0 ? [] : [{ ...turn, content }];
}

/** Arranges the turns that follow calls of the model, up to its next turn. The first of the returned turns has one result for each open call. */
function answering(open: Set<string>, turns: readonly Turn[]): readonly Turn[] {
  const answers = turns.map((turn) => withOpenResults(turn, open));
  const head = answers[0]?.role === 'user' ? answers[0] : null;
  const rest = head === null ? answers : answers.slice(1);
  const later = rest.flatMap((turn) => (turn.role === 'user' ? turn.content.filter(isResult) : []));
  if (open.size === 0 && later.length === 0) return answers;
  const content: readonly UserBlock[] = [...Array.from(open, aborted), ...head?.content ?? [], ...later];
  return [{ role: 'user', content }, ...rest.flatMap(withoutResults)];
}

/** A run of consecutive model turns with its open calls. It ends before a reused call id, since the first call can get no result after that. */
function callingRun(turns: readonly Turn[], from: number): { readonly end: number; readonly open: Set<string> } {
  const open = new Set<string>();
  let end = from;
  for (let turn = turns[end]; turn?.role === 'assistant'; turn = turns[end]) {
    const ids = callIdsIn(turn);
    if (end > from && ids.some((id) => open.has(id))) break;
    for (const id of ids) open.add(id);
    end += 1;
  }
  return { end, open };
}

function endOfReplies(turns: readonly Turn[], from: number): number {
  let end = from;
  for (let turn = turns[end]; turn !== undefined && turn.role !== 'assistant'; turn = turns[end]) end += 1;
  return end;
}

/**
 * Ensures exactly one result per call, directly after the turn of the call, or after the last of consecutive turns of the model, because servers
 * refuse anything else. Interrupted agents leave calls without results, agents that drop old turns leave results without calls, and other agents
 * insert instructions between a call and its result.
 */
export function pairResults(turns: readonly Turn[]): readonly Turn[] {
  if (arePaired(turns)) return turns;
  const paired: Turn[] = [];
  for (let from = 0; from < turns.length;) {
    const { end, open } = callingRun(turns, from);
    const next = endOfReplies(turns, end);
    paired.push(...turns.slice(from, end), ...answering(open, turns.slice(end, next)));
    from = next;
  }
  return paired;
}
