import type { StopReason } from '@tollgate/core';

/** What servers that speak chat completions say of why they stopped. */
export const FINISH_REASONS: Readonly<Record<string, StopReason>> = {
  stop: 'end',
  length: 'max-tokens',
  max_tokens: 'max-tokens',
  tool_calls: 'tool-call',
  function_call: 'tool-call',
  content_filter: 'content-filter',
  insufficient_system_resource: 'capacity',
  // What vLLM and SGLang say of a generation that the server itself gave up.
  abort: 'capacity',
};
