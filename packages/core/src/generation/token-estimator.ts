import type { TokenCount } from '../primitives/primitives.js';
import type { GenerationRequest, OutputSchema } from './generation-request.js';

/** Counts the tokens of a text that arrives in parts. */
export interface TokenCounter {
  add(text: string): void;
  /**
   * Replaces the last added text by its longest prefix for which the count is at most `tokens`. Returns the prefix's length in
   * UTF-16 code units; does not split characters.
   */
  clipLast(text: string, tokens: number): number;
  readonly tokens: TokenCount;
}

/** Runs in time linear in the text. */
export interface TokenEstimator {
  /** System, turns and tools; at least 1. */
  estimatePrompt(request: GenerationRequest): TokenCount;
  /** As the server adds it to the prompt. */
  estimateSchema(schema: OutputSchema): TokenCount;
  startCounter(): TokenCounter;
}
