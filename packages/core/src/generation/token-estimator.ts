import type { TokenCount } from '../primitives/token-count.js';
import type { GenerationRequest, OutputSchema } from './generation-request.js';

/** Counts a text that arrives in parts. */
export interface TokenCounter {
  add(text: string): void;
  /**
   * Replaces the last added text by its longest prefix with which the whole text counts at most `tokens`. Returns the prefix's length in UTF-16 code
   * units; splits no character.
   */
  clipLast(text: string, tokens: number): number;
  readonly tokens: TokenCount;
}

/** Estimates in linear time. */
export interface TokenEstimator {
  /** Estimates system, turns and tools; at least 1. */
  estimatePrompt(request: GenerationRequest): TokenCount;
  /** Tokens that the schema adds to the prompt. */
  estimateSchema(schema: OutputSchema): TokenCount;
  startCounter(): TokenCounter;
}
