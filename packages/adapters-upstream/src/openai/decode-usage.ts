import type { JsonValue, ReportedUsage } from '@tollgate/core';
import { asNumber, asObject } from '../json-access.js';

/** The server's own figures, untouched; `null` when it gave no totals. Knows OpenAI's and DeepSeek's names for the cached part. */
export function decodeUsage(value: JsonValue | undefined): ReportedUsage | null {
  const usage = asObject(value);
  if (usage === null) return null;
  const promptTokens = asNumber(usage['prompt_tokens']);
  const outputTokens = asNumber(usage['completion_tokens']);
  if (promptTokens === null || outputTokens === null) return null;
  const promptDetails = asObject(usage['prompt_tokens_details']);
  const outputDetails = asObject(usage['completion_tokens_details']);
  return {
    promptTokens,
    cachedPromptTokens: asNumber(promptDetails?.['cached_tokens']) ?? asNumber(usage['prompt_cache_hit_tokens']) ?? 0,
    cacheCreationTokens: asNumber(promptDetails?.['cache_creation_tokens']) ?? asNumber(usage['cache_creation_input_tokens']) ?? 0,
    outputTokens,
    reasoningTokens: asNumber(outputDetails?.['reasoning_tokens']),
    totalTokens: asNumber(usage['total_tokens']),
  };
}
