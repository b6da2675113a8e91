import type { ToolResultBlock, Turn } from '@tollgate/core';
import { invalidField, type Place } from '@tollgate/wire-kit';

/** What a tool returned, as the chat format says it: in a message of its own. */
export interface ToolMessage {
  readonly role: 'tool';
  readonly result: ToolResultBlock;
}

/** Makes one turn of each run of tool messages, since the run answers one assistant turn; it answers no call twice. */
export function joinToolMessages(messages: readonly (ToolMessage | Turn)[], list: Place): readonly Turn[] {
  const turns: Turn[] = [];
  const answered = new Set<string>();
  let run: ToolResultBlock[] | null = null;
  for (const [index, message] of messages.entries()) {
    if (message.role !== 'tool') {
      run = null;
      turns.push(message);
      continue;
    }
    if (run === null) {
      run = [];
      answered.clear();
      turns.push({ role: 'user', content: run });
    }
    const { toolCallId } = message.result;
    if (answered.has(toolCallId)) throw invalidField({ within: list, key: index }, 'tool_call_id', 'answers a tool call that is already answered');
    answered.add(toolCallId);
    run.push(message.result);
  }
  return turns;
}
