import type { ReportedUsage } from '@tollgate/core';
import { endStep, type Gate, type ProviderScript, textSteps } from '@tollgate/testkit';

/** What the provider of a test gateway reports for every reply. */
export const REPORTED_USAGE: ReportedUsage = {
  promptTokens: 9, cachedPromptTokens: 2, cacheCreationTokens: 0, outputTokens: 3, reasoningTokens: 0, totalTokens: 12,
};

/** A reply of one text. */
export function textReply(...pieces: readonly string[]): ProviderScript {
  return { steps: [...textSteps(...pieces), endStep(REPORTED_USAGE)] };
}

/** A reply whose first piece comes at once and the rest when a gate opens. */
export function haltedReply(gate: Gate, ...pieces: readonly string[]): ProviderScript {
  const [first, ...rest] = textSteps('Hello', ...pieces, '!');
  return { steps: [...(first === undefined ? [] : [first]), { type: 'wait', gate }, ...rest, endStep(REPORTED_USAGE)] };
}
