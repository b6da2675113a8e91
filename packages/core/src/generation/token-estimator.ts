import type { TokenCount } from '../primitives/primitives.js';
import type { GenerationRequest, OutputSchema } from './generation-request.js';

/** Counts the tokens of a text that arrives in pieces. */
export interface TokenCounter {
  add(text: string): void;
  /**
   * Takes back the text that was added last, and adds as much of its beginning as keeps the count at `tokens` or below.
   * Returns the length of that beginning in UTF-16 code units; a character is never cut in two.
   */
  clipLast(text: string, tokens: number): number;
  readonly tokens: TokenCount;
}

/** Estimates token counts in time linear in the text. */
export interface TokenEstimator {
  /** System, turns and tools; at least 1. */
  estimatePrompt(request: GenerationRequest): TokenCount;
  /** What a server makes of the schema that a reply is to follow. */
  estimateSchema(schema: OutputSchema): TokenCount;
  startCounter(): TokenCounter;
}
