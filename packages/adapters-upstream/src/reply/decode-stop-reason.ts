import type { StopReason } from '@tollgate/core';

/** What a server's reason stands for. A plain stop with tool calls waits for their results; a reason nobody knows is an ordinary end. */
export function decodeStopReason(reason: string, known: Readonly<Record<string, StopReason>>, toolCallCount: number): StopReason {
  const stopReason = Object.hasOwn(known, reason) ? known[reason] ?? 'end' : 'end';
  if (stopReason === 'end' && toolCallCount > 0) return 'tool-call';
  return stopReason === 'tool-call' && toolCallCount === 0 ? 'end' : stopReason;
}
