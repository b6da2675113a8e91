import type { JsonObject, JsonValue, ReportedPrompt, ReportedUsage } from '@tollgate/core';
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

  /** The prompt, from the first event on that states it; `null` before. */
  get statedPrompt(): ReportedPrompt | null {
    const { input_tokens: input, cache_read_input_tokens: cached = 0, cache_creation_input_tokens: creation = 0 } = this.#counts;
    if (input === undefined) return null;
    return { promptTokens: input + cached + creation, cachedPromptTokens: cached, cacheCreationTokens: creation };
  }

  /** The server's own figures, untouched; `null` when it gave no totals. The prompt's classes are apart in this format. */
  get reported(): ReportedUsage | null {
    const prompt = this.statedPrompt;
    const output = this.#counts.output_tokens;
    if (prompt === null || output === undefined) return null;
    return {
      ...prompt,
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
