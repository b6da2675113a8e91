import type { StopReason } from '@tollgate/core';

/** What servers that speak the messages format say of why they stopped. */
export const STOP_REASONS: Readonly<Record<string, StopReason>> = {
  end_turn: 'end',
  stop_sequence: 'end',
  // The server would go on if it were asked again, which a client of the gateway can do.
  pause_turn: 'end',
  max_tokens: 'max-tokens',
  model_context_window_exceeded: 'max-tokens',
  tool_use: 'tool-call',
  refusal: 'content-filter',
};
