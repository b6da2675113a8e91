import type { AssistantTurn, Turn, UserTurn } from '@tollgate/core';
import type { SystemTurnStyle } from '../upstream-definition.js';

/** Makes one turn of neighbours of the same role, since some servers take only turns that alternate. Contents keep their order. */
export function mergeTurns(turns: readonly Turn[], systemTurns: SystemTurnStyle): readonly Turn[] {
  const merged: Turn[] = [];
  for (const turn of turns) {
    const next = turn.role === 'system' && systemTurns === 'as-user' ? { role: 'user' as const, content: turn.content } : turn;
    const last = merged.at(-1);
    if (last?.role === 'user' && next.role === 'user') merged[merged.length - 1] = mergeUsers(last, next);
    else if (last?.role === 'assistant' && next.role === 'assistant') merged[merged.length - 1] = mergeAssistants(last, next);
    else merged.push(next);
  }
  return merged;
}

function mergeUsers(first: UserTurn, second: UserTurn): UserTurn {
  return { role: 'user', content: [...first.content, ...second.content] };
}

function mergeAssistants(first: AssistantTurn, second: AssistantTurn): AssistantTurn {
  return { role: 'assistant', content: [...first.content, ...second.content] };
}
