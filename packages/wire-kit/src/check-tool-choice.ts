import type { Tool, ToolChoice } from '@tollgate/core';
import { invalidField } from './invalid-request.js';

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
