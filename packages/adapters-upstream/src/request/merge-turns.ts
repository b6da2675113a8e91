import type { ContentBlock, SystemTurnStyle, Turn } from '@tollgate/core';

/**
 * Merges adjacent user turns and adjacent assistant turns, because some servers require alternating roles. Contents keep their order. With `as-user`,
 * system turns become user turns.
 */
export function mergeTurns(turns: readonly Turn[], systemTurns: SystemTurnStyle): readonly Turn[] {
  if (alternate(turns)) return turns;
  const runs: [Turn, ...Turn[]][] = [];
  for (const turn of turns) {
    const next = turn.role === 'system' && systemTurns === 'as-user' ? { role: 'user' as const, content: turn.content } : turn;
    const run = runs.at(-1);
    if (run !== undefined && next.role !== 'system' && run[0].role === next.role) run.push(next);
    else runs.push([next]);
  }
  return runs.map(joinTurns);
}

/** True if roles alternate and there is no system turn, so that there is nothing to merge. */
function alternate(turns: readonly Turn[]): boolean {
  let previous: Turn['role'] | null = null;
  for (const { role } of turns) {
    if (role === 'system' || role === previous) return false;
    previous = role;
  }
  return true;
}

/** Joins turns in linear time: there may be thousands of turns and blocks. */
function joinTurns(run: readonly [Turn, ...Turn[]]): Turn {
  const [first] = run;
  return run.length === 1 ? first : { role: first.role, content: run.flatMap(({ content }): readonly ContentBlock[] => content) } as Turn;
}
