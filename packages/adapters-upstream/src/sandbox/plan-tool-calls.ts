import type { GenerationRequest, Tool } from '@tollgate/core';
import type { Triggers } from './triggers.js';

const MAX_CALLS = 16;

/** Tools to call, in order: those that triggers name, otherwise the one that the request requires. */
export function planToolCalls({ tools, toolChoice, parallelToolCalls }: GenerationRequest, triggers: Triggers): readonly Tool[] {
  if (tools.length === 0 || toolChoice?.kind === 'none') return [];
  const asked = askedTools(tools, triggers);
  const most = parallelToolCalls === false ? 1 : MAX_CALLS;
  if (asked.length > 0) return asked.slice(0, most);
  if (toolChoice?.kind === 'tool') return tools.filter(({ name }) => name === toolChoice.name).slice(0, 1);
  return toolChoice?.kind === 'any' ? tools.slice(0, 1) : [];
}

/** The tools that triggers name. `[[tool]]`: the first; `[[tool:name]]`: the named one; `[[tools:3]]`: three calls, which take the tools in turn. */
function askedTools(tools: readonly Tool[], triggers: Triggers): readonly Tool[] {
  const named = triggers.values('tool').flatMap((name) => tools.find((tool) => name === '' || tool.name === name) ?? []);
  const several = triggers.has('tools') ? triggers.count('tools', MAX_CALLS) ?? 2 : 0;
  const inTurn = Array.from({ length: several }, (_, position) => tools[position % tools.length]).filter((tool) => tool !== undefined);
  return [...named, ...inTurn];
}
