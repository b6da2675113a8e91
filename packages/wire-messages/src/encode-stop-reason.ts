import type { StopReason } from '@tollgate/core';

/** What `stop_reason` says for each way a generation stops; the format knows three. */
export const stopReasons: Readonly<Record<StopReason, 'end_turn' | 'max_tokens' | 'tool_use'>> = {
  end: 'end_turn',
  'max-tokens': 'max_tokens',
  'tool-call': 'tool_use',
  'content-filter': 'end_turn',
  capacity: 'max_tokens',
};
