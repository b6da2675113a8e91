import type { JsonObject, JsonValue, ReportedUsage } from '@tollgate/core';
import { asNumber, asObject } from '../json-access.js';

const COUNTS = ['input_tokens', 'cache_read_input_tokens', 'cache_creation_input_tokens', 'output_tokens'] as const;
type Count = (typeof COUNTS)[number];

/** What a reply says of its usage, here and there. Counts are totals: the last one given holds. */
export class UsageReport {
  readonly #counts: Partial<Record<Count, number>> = {};
  #thinkingTokens: number | null = null;

  /** What is known before there is any output, whose count here is none yet. */
  readStart(value: JsonValue | undefined): void {
    this.#read(asObject(value), COUNTS.filter((count) => count !== 'output_tokens'));
  }

  read(value: JsonValue | undefined): void {
    const usage = asObject(value);
    this.#read(usage, COUNTS);
    this.#thinkingTokens = asNumber(asObject(usage?.['output_tokens_details'])?.['thinking_tokens']) ?? this.#thinkingTokens;
  }

  /** The server's own figures, untouched; `null` when it gave no totals. The prompt's classes are apart in this format. */
  get reported(): ReportedUsage | null {
    const { input_tokens: input, output_tokens: output, cache_read_input_tokens: cached = 0, cache_creation_input_tokens: creation = 0 } = this.#counts;
    if (input === undefined || output === undefined) return null;
    return {
      promptTokens: input + cached + creation,
      cachedPromptTokens: cached,
      cacheCreationTokens: creation,
      outputTokens: output,
      reasoningTokens: this.#thinkingTokens,
      totalTokens: null,
    };
  }

  #read(usage: JsonObject | null, counts: readonly Count[]): void {
    for (const count of counts) {
      const value = asNumber(usage?.[count]);
      if (value !== null) this.#counts[count] = value;
    }
  }
}
