import { type TokenCount, tokenCount } from '../primitives/primitives.js';
import { clipOutput, outputTokensOf, type Usage } from './usage.js';

/** What an upstream says of the prompt; not yet trusted. */
export interface ReportedPrompt {
  /** The whole prompt, cached part included. */
  readonly promptTokens: number;
  readonly cachedPromptTokens: number;
  readonly cacheCreationTokens: number;
}

/** What an upstream says it used, as it says it: not yet trusted. Totals, not disjoint classes. */
export interface ReportedUsage extends ReportedPrompt {
  /** The whole output, reasoning included. */
  readonly outputTokens: number;
  /** `null` when the upstream does not state it. */
  readonly reasoningTokens: number | null;
  /** `null` when the upstream does not state it. */
  readonly totalTokens: number | null;
}

/** What a report is held against. */
export interface UsageBounds {
  /** See `largestCrediblePrompt`. */
  readonly largestPromptTokens: TokenCount;
  readonly maxOutputTokens: TokenCount;
  readonly counted: Usage;
}

/** A report of less visible output than this share of what we counted is taken for wrong. */
const LEAST_SHARE_OF_COUNTED = 1 / 8;
/** Below this many counted tokens the share says nothing: one word may be one token or five. */
const SHARE_APPLIES_FROM = 64;

/** A report above the maximum output by at most this much is a matter of counting, and is charged as the maximum. */
const OUTPUT_TOLERANCE_PERCENT = 2;
/** A prompt is believed up to so many times its estimate and so many tokens more. */
const CREDIBLE_ESTIMATES = 4;
const CREDIBLE_TOKENS = 2048;
/** An upstream may make so many tokens of an image, of which the estimate knows nothing but that it is there. */
const CREDIBLE_TOKENS_PER_IMAGE = 8192;
/** A hundred pages, each as text and as an image. */
const CREDIBLE_TOKENS_PER_DOCUMENT = 300_000;

export interface EstimatedPrompt {
  readonly promptTokens: TokenCount;
  readonly imageCount: number;
  /** Documents that the model is sent; none unless given. */
  readonly documentCount?: number;
}

/** The largest prompt that an upstream may report for a request with this estimate. */
export function largestCrediblePrompt({ promptTokens, imageCount, documentCount = 0 }: EstimatedPrompt): TokenCount {
  return tokenCount(CREDIBLE_ESTIMATES * promptTokens + CREDIBLE_TOKENS + CREDIBLE_TOKENS_PER_IMAGE * imageCount + CREDIBLE_TOKENS_PER_DOCUMENT * documentCount);
}

function isCount(value: number): boolean {
  return Number.isSafeInteger(value) && value >= 0;
}

/** Whether a running report says that more was put out than allowed; one that contradicts itself says nothing. */
export function passesMaximum(report: ReportedUsage, maxOutputTokens: TokenCount): boolean {
  return isCount(report.outputTokens) && report.outputTokens > maxOutputTokens && addsUp(report);
}

function isCrediblePrompt({ promptTokens, cachedPromptTokens, cacheCreationTokens }: ReportedPrompt, largestPromptTokens: TokenCount): boolean {
  if (![promptTokens, cachedPromptTokens, cacheCreationTokens].every(isCount)) return false;
  return promptTokens > 0 && promptTokens <= largestPromptTokens && cachedPromptTokens + cacheCreationTokens <= promptTokens;
}

type PromptClasses = Pick<Usage, 'uncachedPromptTokens' | 'cachedPromptTokens' | 'cacheCreationTokens'>;

function promptClassesOf({ promptTokens, cachedPromptTokens, cacheCreationTokens }: ReportedPrompt): PromptClasses {
  return {
    uncachedPromptTokens: tokenCount(promptTokens - cachedPromptTokens - cacheCreationTokens),
    cachedPromptTokens: tokenCount(cachedPromptTokens),
    cacheCreationTokens: tokenCount(cacheCreationTokens),
  };
}

/** The prompt as the upstream has stated it where that can be true; else `null`. */
export function trustedPrompt(stated: ReportedPrompt | null, largestPromptTokens: TokenCount): PromptClasses | null {
  return stated !== null && isCrediblePrompt(stated, largestPromptTokens) ? promptClassesOf(stated) : null;
}

function addsUp({ promptTokens, outputTokens, totalTokens }: ReportedUsage): boolean {
  return totalTokens === null || totalTokens === promptTokens + outputTokens;
}

function isPlausible(report: ReportedUsage, bounds: UsageBounds): boolean {
  return canBeTrue(report, bounds) && !exceedsMaximum(report, bounds.maxOutputTokens);
}

/** Whether a report, of however much output, agrees with itself, the prompt and the gateway's count. */
export function canBeTrue(report: ReportedUsage, { largestPromptTokens, counted }: Omit<UsageBounds, 'maxOutputTokens'>): boolean {
  if (!isCrediblePrompt(report, largestPromptTokens) || !addsUp(report)) return false;
  if (![report.outputTokens, report.reasoningTokens ?? 0].every(isCount)) return false;
  if ((report.reasoningTokens ?? 0) > report.outputTokens) return false;
  const countedOutput = outputTokensOf(counted);
  if (countedOutput > 0 && report.outputTokens === 0) return false;
  return countedOutput < SHARE_APPLIES_FROM || report.outputTokens >= countedOutput * LEAST_SHARE_OF_COUNTED;
}

/** Whether a report states more output than the maximum, by more than a matter of counting. */
export function exceedsMaximum({ outputTokens }: ReportedUsage, maxOutputTokens: TokenCount): boolean {
  return outputTokens * 100 > maxOutputTokens * (100 + OUTPUT_TOLERANCE_PERCENT);
}

/** Upstreams that do not count reasoning leave it out or report 0: then what was seen is counted, as a share of the output where the count exceeds it. */
function reasoningTokensOf({ reasoningTokens, outputTokens }: ReportedUsage, counted: Usage): TokenCount {
  if (reasoningTokens !== null && reasoningTokens > 0) return tokenCount(reasoningTokens);
  const countedOutput = outputTokensOf(counted);
  if (countedOutput <= outputTokens) return counted.reasoningTokens;
  return tokenCount(Math.floor(outputTokens * (counted.reasoningTokens / countedOutput)));
}

/** The report as disjoint classes when it can be true, else our own count; never more output than the maximum. */
export function trustedUsage(report: ReportedUsage, bounds: UsageBounds): Usage {
  if (!isPlausible(report, bounds)) return bounds.counted;
  const reasoningTokens = reasoningTokensOf(report, bounds.counted);
  const usage: Usage = {
    ...promptClassesOf(report),
    reasoningTokens,
    visibleOutputTokens: tokenCount(report.outputTokens - reasoningTokens),
    source: 'reported',
    reasoningWithheld: bounds.counted.reasoningWithheld,
  };
  return clipOutput(usage, bounds.maxOutputTokens);
}
