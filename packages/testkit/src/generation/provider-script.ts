import type { ProviderEventBatch, ReportedPrompt, ReportedUsage, StopReason } from '@tollgate/core';
import type { Gate } from '../scripted-upstream/gate.js';

/** What a scripted upstream does next. A script that runs out ends the stream, which before `provider-end` is a failure. */
export type ProviderStep =
  | { readonly type: 'yield'; readonly batch: ProviderEventBatch }
  | { readonly type: 'wait'; readonly gate: Gate }
  | { readonly type: 'fail'; readonly failure: Error }
  /** Says nothing more until it is aborted. */
  | { readonly type: 'hang' };

export interface ProviderScript {
  /** What the upstream says of the prompt from the start; nothing unless given. */
  readonly statedPrompt?: ReportedPrompt;
  /** Accepting the request waits for it. */
  readonly opensAfter?: Gate;
  /** Accepting the request fails. */
  readonly refuses?: Error;
  readonly steps: readonly ProviderStep[];
  /** What a pending or later read does once the signal is aborted; `fails` unless said otherwise. */
  readonly whenAborted?: 'fails' | 'goes-on';
  /** What a pending read does once `return()` is called, and whether that call is ever answered; `ends` unless said otherwise. */
  readonly whenReturned?: 'ends' | 'fails' | 'hangs';
}

/** A step that yields these events together. */
export function yielding(...batch: ProviderEventBatch): ProviderStep {
  return { type: 'yield', batch };
}

/** One text block in as many deltas as there are pieces, each a batch of its own; the first carries the start, the last the end of the block. */
export function textSteps(...pieces: readonly string[]): readonly ProviderStep[] {
  return pieces.map((delta, position) => yielding(
    ...(position === 0 ? [{ type: 'block-start', index: 0, block: { type: 'text' } } as const] : []),
    { type: 'block-delta', index: 0, delta },
    ...(position === pieces.length - 1 ? [{ type: 'block-end', index: 0, signature: null } as const] : []),
  ));
}

/** The provider's end, with the usage it reports. */
export function endStep(usage: ReportedUsage | null, stopReason: StopReason = 'end'): ProviderStep {
  return yielding({ type: 'provider-end', stopReason, usage });
}

/** A report of a prompt and an output, nothing cached and nothing thought. */
export function reported(promptTokens: number, outputTokens: number): ReportedUsage {
  return { promptTokens, cachedPromptTokens: 0, cacheCreationTokens: 0, outputTokens, reasoningTokens: 0, totalTokens: null };
}
