import { type JsonObject, type JsonValue, perPromptPart, type PromptPart, promptPartsOf, type ReportedUsage } from '@tollgate/core';
import { asNumber, asObject } from './json-values.js';

export type UsageFigure = 'prompt' | PromptPart | 'output' | 'reasoning' | 'total';

/** Field names of each figure in chat completions and responses; the first that is not 0 counts. A dot leads into a nested object. */
export const USAGE_FIELDS: Readonly<Record<UsageFigure, readonly string[]>> = {
  prompt: ['prompt_tokens', 'input_tokens'],
  cachedPromptTokens: ['prompt_tokens_details.cached_tokens', 'input_tokens_details.cached_tokens', 'prompt_cache_hit_tokens', 'cached_tokens', 'cache_read_input_tokens'],
  cacheCreationTokens: [
    'prompt_tokens_details.cache_write_tokens', 'input_tokens_details.cache_write_tokens', 'prompt_tokens_details.cache_creation_tokens',
    'input_tokens_details.cache_creation_tokens', 'prompt_tokens_details.cache_creation_input_tokens', 'cache_write_tokens', 'cache_creation_input_tokens',
  ],
  output: ['completion_tokens', 'output_tokens'],
  reasoning: ['completion_tokens_details.reasoning_tokens', 'output_tokens_details.reasoning_tokens', 'reasoning_tokens'],
  total: ['total_tokens'],
};

const PATHS = Object.fromEntries(Object.entries(USAGE_FIELDS).map(([figure, fields]) => [figure, fields.map((field) => field.split('.'))])) as
  unknown as Readonly<Record<UsageFigure, readonly (readonly [string, string?])[]>>;

/**
 * The first figure that is not 0, else 0 if a field states it: some servers state 0 under the usual name, and the figure under a name of their own.
 */
function figureIn(usage: JsonObject, figure: UsageFigure): number | null {
  let zero: number | null = null;
  for (const path of PATHS[figure]) {
    const stated = usage[path[0]];
    if (stated === undefined) continue;
    const value = asNumber(path[1] === undefined ? stated : asObject(stated)?.[path[1]]);
    if (value !== null && value !== 0) return value;
    zero = value ?? zero;
  }
  return zero;
}

/** The reading for servers whose output excludes reasoning: adds it. */
function reasoningApart(usage: ReportedUsage): ReportedUsage {
  return { ...usage, outputTokens: usage.outputTokens + (usage.reasoningTokens ?? 0) };
}

/** The reading for servers whose prompt excludes cached tokens: adds them. */
function cacheApart(usage: ReportedUsage): ReportedUsage {
  return { ...usage, promptTokens: usage.promptTokens + usage.cachedPromptTokens + usage.cacheCreationTokens };
}

/** The reading for servers whose total includes reasoning that they do not state. */
function reasoningUnstated(usage: ReportedUsage): ReportedUsage {
  const rest = (usage.totalTokens ?? 0) - usage.promptTokens - usage.outputTokens;
  return rest > 0 && (usage.reasoningTokens ?? 0) === 0 ? { ...usage, outputTokens: usage.outputTokens + rest, reasoningTokens: rest } : usage;
}

const READINGS = [(usage: ReportedUsage) => usage, reasoningApart, cacheApart, (usage: ReportedUsage) => reasoningApart(cacheApart(usage))];
const READINGS_OF_REASONING_MODELS = [...READINGS, reasoningUnstated];

/** True if no part exceeds its whole, and prompt and output add up to the total. */
function addsUp(report: ReportedUsage): boolean {
  const { promptTokens, outputTokens, reasoningTokens, totalTokens } = report;
  return promptPartsOf(report) <= promptTokens && (reasoningTokens ?? 0) <= outputTokens && promptTokens + outputTokens === totalTokens;
}

/**
 * The server's figures, with a prompt and an output that include their parts; `null` unless both are stated. The stated total decides which of the
 * server's figures include others. Without a total, or if no reading adds up to it, the figures stay as stated. @param modelReasons true if the
 * missing part of a total may be reasoning.
 */
export function readUsage(value: JsonValue | undefined, modelReasons: boolean): ReportedUsage | null {
  const usage = asObject(value);
  if (usage === null) return null;
  const promptTokens = figureIn(usage, 'prompt');
  const outputTokens = figureIn(usage, 'output');
  if (promptTokens === null || outputTokens === null) return null;
  const stated: ReportedUsage = {
    ...perPromptPart((part) => figureIn(usage, part) ?? 0),
    promptTokens,
    outputTokens,
    reasoningTokens: figureIn(usage, 'reasoning'),
    totalTokens: figureIn(usage, 'total'),
  };
  if (stated.totalTokens === null) return stated;
  for (const read of modelReasons ? READINGS_OF_REASONING_MODELS : READINGS) {
    const reading = read(stated);
    if (addsUp(reading)) return reading;
  }
  return stated;
}
