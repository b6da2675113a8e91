import type { Conversation, SystemTurn, TextBlock, Turn } from '@tollgate/core';

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
