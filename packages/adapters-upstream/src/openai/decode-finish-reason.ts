import type { StopReason } from '@tollgate/core';

const STOP_REASONS: Readonly<Record<string, StopReason>> = {
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

/** A plain stop with tool calls waits for their results; a reason nobody knows is an ordinary end. */
export function decodeFinishReason(reason: string, toolCallCount: number): StopReason {
  const stopReason = Object.hasOwn(STOP_REASONS, reason) ? STOP_REASONS[reason] ?? 'end' : 'end';
  if (stopReason === 'end' && toolCallCount > 0) return 'tool-call';
  return stopReason === 'tool-call' && toolCallCount === 0 ? 'end' : stopReason;
}
