import type { JsonObject, JsonValue, ReportedUsage } from '@tollgate/core';
import { asNumber, asObject } from './json-values.js';

/** The figures of a usage. */
export type UsageFigure = 'prompt' | 'cached' | 'creation' | 'output' | 'reasoning' | 'total';

/**
 * Where servers of chat completions and responses state each figure; the first that is there counts.
 * A name after a dot is that of a field inside the details.
 */
export const USAGE_FIELDS: Readonly<Record<UsageFigure, readonly string[]>> = {
  prompt: ['prompt_tokens', 'input_tokens'],
  cached: ['prompt_tokens_details.cached_tokens', 'input_tokens_details.cached_tokens', 'prompt_cache_hit_tokens', 'cached_tokens', 'cache_read_input_tokens'],
  creation: [
    'prompt_tokens_details.cache_write_tokens', 'input_tokens_details.cache_write_tokens', 'prompt_tokens_details.cache_creation_tokens',
    'input_tokens_details.cache_creation_tokens', 'cache_write_tokens', 'cache_creation_input_tokens',
  ],
  output: ['completion_tokens', 'output_tokens'],
  reasoning: ['completion_tokens_details.reasoning_tokens', 'output_tokens_details.reasoning_tokens', 'reasoning_tokens'],
  total: ['total_tokens'],
};

const PATHS = Object.fromEntries(Object.entries(USAGE_FIELDS).map(([figure, fields]) => [figure, fields.map((field) => field.split('.'))])) as
  unknown as Readonly<Record<UsageFigure, readonly (readonly [string, string?])[]>>;

function figureIn(usage: JsonObject, figure: UsageFigure): number | null {
  for (const [field, inside] of PATHS[figure]) {
    const value = asNumber(inside === undefined ? usage[field] : asObject(usage[field])?.[inside]);
    if (value !== null) return value;
  }
  return null;
}

/** Adds the reasoning to the output, for servers whose output is the visible one. */
function reasoningApart(usage: ReportedUsage): ReportedUsage {
  return { ...usage, outputTokens: usage.outputTokens + (usage.reasoningTokens ?? 0) };
}

/** Adds the cached tokens to the prompt, for servers whose prompt is what was not in their cache. */
function cacheApart(usage: ReportedUsage): ReportedUsage {
  return { ...usage, promptTokens: usage.promptTokens + usage.cachedPromptTokens + usage.cacheCreationTokens };
}

/** What the total holds besides prompt and output, for servers that state no reasoning although it is in their total. */
function reasoningUnstated(usage: ReportedUsage): ReportedUsage {
  const rest = (usage.totalTokens ?? 0) - usage.promptTokens - usage.outputTokens;
  return rest > 0 && (usage.reasoningTokens ?? 0) === 0 ? { ...usage, outputTokens: usage.outputTokens + rest, reasoningTokens: rest } : usage;
}

const READINGS = [(usage: ReportedUsage) => usage, reasoningApart, cacheApart, (usage: ReportedUsage) => reasoningApart(cacheApart(usage))];

/** Whether parts are no larger than what they are parts of, and together make the total. */
function addsUp({ promptTokens, cachedPromptTokens, cacheCreationTokens, outputTokens, reasoningTokens, totalTokens }: ReportedUsage): boolean {
  return cachedPromptTokens + cacheCreationTokens <= promptTokens && (reasoningTokens ?? 0) <= outputTokens && promptTokens + outputTokens === totalTokens;
}

/**
 * The server's own figures, with the prompt and the output as wholes; `null` when it gave no totals.
 * Which figures are parts of others is told by the stated total. Without one, or where it fits no reading, they stay as they are.
 * @param modelReasons whether the model is known to reason, so that what is missing from a total may be its reasoning.
 */
export function readUsage(value: JsonValue | undefined, modelReasons: boolean): ReportedUsage | null {
  const usage = asObject(value);
  if (usage === null) return null;
  const promptTokens = figureIn(usage, 'prompt');
  const outputTokens = figureIn(usage, 'output');
  if (promptTokens === null || outputTokens === null) return null;
  const stated: ReportedUsage = {
    promptTokens,
    cachedPromptTokens: figureIn(usage, 'cached') ?? 0,
    cacheCreationTokens: figureIn(usage, 'creation') ?? 0,
    outputTokens,
    reasoningTokens: figureIn(usage, 'reasoning'),
    totalTokens: figureIn(usage, 'total'),
  };
  if (stated.totalTokens === null) return stated;
  const readings = modelReasons ? [...READINGS, reasoningUnstated] : READINGS;
  return readings.map((read) => read(stated)).find(addsUp) ?? stated;
}
