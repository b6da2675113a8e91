import { type TokenCount, tokenCount } from '../ids.js';
import { outputTokensOf, type Usage } from './usage.js';

/** What an upstream says it used, as it says it: not yet trusted. Totals, not disjoint classes. */
export interface ReportedUsage {
  /** The whole prompt, cached part included. */
  readonly promptTokens: number;
  readonly cachedPromptTokens: number;
  readonly cacheCreationTokens: number;
  /** The whole output, reasoning included. */
  readonly outputTokens: number;
  /** `null` when the upstream does not state it. */
  readonly reasoningTokens: number | null;
}

/** What a report is held against. */
export interface UsageBounds {
  readonly contextWindowTokens: TokenCount;
  readonly maxOutputTokens: TokenCount;
  readonly counted: Usage;
}

/** A report of less visible output than this share of what we counted is taken for wrong. */
const LEAST_SHARE_OF_COUNTED = 1 / 8;
/** Below this many counted tokens the share says nothing: one word may be one token or five. */
const SHARE_APPLIES_FROM = 64;

function isCount(value: number): boolean {
  return Number.isSafeInteger(value) && value >= 0;
}

function isPlausible(report: ReportedUsage, { contextWindowTokens, maxOutputTokens, counted }: UsageBounds): boolean {
  const counts = [report.promptTokens, report.cachedPromptTokens, report.cacheCreationTokens, report.outputTokens, report.reasoningTokens ?? 0];
  if (!counts.every(isCount)) return false;
  if (report.promptTokens === 0 || report.promptTokens > contextWindowTokens) return false;
  if (report.cachedPromptTokens + report.cacheCreationTokens > report.promptTokens) return false;
  if ((report.reasoningTokens ?? 0) > report.outputTokens || report.outputTokens > maxOutputTokens) return false;
  const countedOutput = outputTokensOf(counted);
  if (countedOutput > 0 && report.outputTokens === 0) return false;
  return countedOutput < SHARE_APPLIES_FROM || report.outputTokens >= countedOutput * LEAST_SHARE_OF_COUNTED;
}

/** Upstreams that do not count reasoning leave it out or report 0: then what was seen is counted, as a share of the output where the count exceeds it. */
function reasoningTokensOf({ reasoningTokens, outputTokens }: ReportedUsage, counted: Usage): TokenCount {
  if (reasoningTokens !== null && reasoningTokens > 0) return tokenCount(reasoningTokens);
  const countedOutput = outputTokensOf(counted);
  if (countedOutput <= outputTokens) return counted.reasoningTokens;
  return tokenCount(Math.floor(outputTokens * (counted.reasoningTokens / countedOutput)));
}

/** The report as disjoint classes when it can be true, else our own count. */
export function trustedUsage(report: ReportedUsage | null, bounds: UsageBounds): Usage {
  if (report === null || !isPlausible(report, bounds)) return bounds.counted;
  const reasoningTokens = reasoningTokensOf(report, bounds.counted);
  return {
    uncachedPromptTokens: tokenCount(report.promptTokens - report.cachedPromptTokens - report.cacheCreationTokens),
    cachedPromptTokens: tokenCount(report.cachedPromptTokens),
    cacheCreationTokens: tokenCount(report.cacheCreationTokens),
    reasoningTokens,
    visibleOutputTokens: tokenCount(report.outputTokens - reasoningTokens),
    source: 'reported',
    reasoningWithheld: bounds.counted.reasoningWithheld,
  };
}
