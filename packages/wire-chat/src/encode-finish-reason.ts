import type { StopReason } from '@tollgate/core';

/** What `finish_reason` says for each way a generation stops. */
export const finishReasons: Readonly<Record<StopReason, string>> = {
  end: 'stop',
  'max-tokens': 'length',
  'tool-call': 'tool_calls',
  'content-filter': 'content_filter',
  capacity: 'insufficient_system_resource',
};
