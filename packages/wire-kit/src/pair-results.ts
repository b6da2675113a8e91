import type { ImageBlock, TextBlock, ToolResultBlock, Turn, UserBlock, UserTurn } from '@tollgate/core';

export type ResultContent = readonly (TextBlock | ImageBlock)[];

/** What agents themselves say of a call that was never answered. */
export const ABORTED: ResultContent = [{ type: 'text', text: 'aborted' }];

function aborted(toolCallId: string): ToolResultBlock {
  return { type: 'tool-result', toolCallId, content: ABORTED, isError: false };
}

function callIdsIn({ content }: Turn): readonly string[] {
  return content.flatMap((block) => (block.type === 'tool-call' ? [block.id] : []));
}

function bringsResult(turn: Turn): turn is UserTurn {
  return turn.role === 'user' && turn.content.some(({ type }) => type === 'tool-result');
}

/** The turn with the first result of each open call; what other results hold becomes what the user says. */
function withOpenResults(turn: UserTurn, open: Set<string>): UserTurn {
  const content = turn.content.flatMap((block): readonly UserBlock[] => (block.type === 'tool-result' && !open.delete(block.toolCallId) ? block.content : [block]));
  return { ...turn, content };
}

/** The turns between two of the model, with one result for each open call of the first. */
function answering(open: Set<string>, turns: readonly Turn[]): readonly Turn[] {
  const answers = turns.map((turn) => (bringsResult(turn) ? withOpenResults(turn, open) : turn));
  if (open.size === 0) return answers;
  const missing = Array.from(open, aborted);
  const at = answers.findIndex(bringsResult);
  const place = at < 0 && answers[0]?.role === 'user' ? 0 : at;
  const turn = answers[place];
  if (turn?.role !== 'user') return [{ role: 'user', content: missing }, ...answers];
  return answers.with(place, { ...turn, content: [...missing, ...turn.content] });
}

/** Neighbouring turns of the model, up to one that uses the id of a call again: no result can come for the first. */
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
 * The turns with exactly one result for each call, between the turn that calls and the next one of the model: servers refuse anything else, and with
 * it the conversation for good. Interrupted agents leave calls without a result, and those that cut old turns off leave results without a call.
 */
export function pairResults(turns: readonly Turn[]): readonly Turn[] {
  const paired: Turn[] = [];
  for (let from = 0; from < turns.length;) {
    const { end, open } = callingRun(turns, from);
    const next = endOfReplies(turns, end);
    paired.push(...turns.slice(from, end), ...answering(open, turns.slice(end, next)));
    from = next;
  }
  return paired;
}
