import type { AssistantBlock, UserBlock } from '@tollgate/core';
import { invalidField } from './invalid-request.js';
import type { Place } from './place.js';

/** Refuses a turn in which two tool calls, or two results, bear one id: nobody could tell which belongs to which. */
export function checkToolIds(blocks: readonly (AssistantBlock | UserBlock)[], list: Place): void {
  const seen = new Set<string>();
  for (const block of blocks) {
    const id = block.type === 'tool-call' ? block.id : block.type === 'tool-result' ? block.toolCallId : null;
    if (id === null) continue;
    if (seen.has(id)) throw invalidField(list.within, list.key, `uses the tool call id ${JSON.stringify(id)} twice`);
    seen.add(id);
  }
}
