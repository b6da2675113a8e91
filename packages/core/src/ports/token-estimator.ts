import type { GenerationRequest } from '../generation/generation-request.js';
import type { TokenCount } from '../ids.js';

/** Counts the tokens of a text that arrives in pieces. */
export interface TokenCounter {
  add(text: string): void;
  readonly tokens: TokenCount;
}

/** Estimates token counts in time linear in the text. */
export interface TokenEstimator {
  /** System, turns, tools and all; at least 1. */
  estimatePrompt(request: GenerationRequest): TokenCount;
  startCounter(): TokenCounter;
}
