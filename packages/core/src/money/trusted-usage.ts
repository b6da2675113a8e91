import { type TokenCount, tokenCount } from '../primitives/token-count.js';
import { perPromptPart, PROMPT_PARTS, type PromptPart } from './token-classes.js';
import { clipOutput, outputTokensOf, type Usage } from './usage.js';

export interface ReportedPrompt extends Readonly<Record<PromptPart, number>> {
  /** Includes the parts of the prompt. */
  readonly promptTokens: number;
}

/** Usage from the upstream, before validation. Totals, not disjoint classes. */
export interface ReportedUsage extends ReportedPrompt {
  /** Includes reasoning. */
  readonly outputTokens: number;
  /** `null` if not reported. */
  readonly reasoningTokens: number | null;
  /** `null` if not reported. */
  readonly totalTokens: number | null;
}

/** Bounds against which a report is validated. */
export interface UsageBounds {
  /** See `largestCrediblePrompt`. */
  readonly largestPromptTokens: TokenCount;
  readonly maxOutputTokens: TokenCount;
  readonly counted: Usage;
}

/** Minimum output of a report, as a share of the gateway's count. */
const MIN_SHARE_OF_COUNTED = 1 / 8;
/** Counted output from which `MIN_SHARE_OF_COUNTED` applies, in tokens; estimates of shorter texts are too coarse. */
const SHARE_APPLIES_FROM = 64;

/** A report that exceeds the maximum output by at most this percentage is charged as the maximum. */
const OUTPUT_TOLERANCE_PERCENT = 2;
/** A reported prompt is credible up to this multiple of the estimate, plus a constant. */
const CREDIBLE_ESTIMATES = 4;
const CREDIBLE_TOKENS = 2048;
/** The tokens of an image are unknown before the upstream reports them. */
const CREDIBLE_TOKENS_PER_IMAGE = 8192;
/** Tokens of a hundred pages, each read as text and as an image. */
const CREDIBLE_TOKENS_PER_DOCUMENT = 300_000;

export interface EstimatedPrompt {
  readonly promptTokens: TokenCount;
  readonly imageCount: number;
  /** Default: 0. */
  readonly documentCount?: number;
}

export function largestCrediblePrompt({ promptTokens, imageCount, documentCount = 0 }: EstimatedPrompt): TokenCount {
  return tokenCount(CREDIBLE_ESTIMATES * promptTokens + CREDIBLE_TOKENS + CREDIBLE_TOKENS_PER_IMAGE * imageCount + CREDIBLE_TOKENS_PER_DOCUMENT * documentCount);
}

function isCount(value: number): boolean {
  return Number.isSafeInteger(value) && value >= 0;
}

/** True if the report adds up and its output exceeds the maximum. */
export function passesMaximum(report: ReportedUsage, maxOutputTokens: TokenCount): boolean {
  return isCount(report.outputTokens) && report.outputTokens > maxOutputTokens && addsUp(report);
}

export function promptPartsOf(report: Readonly<Record<PromptPart, number>>): number {
  let total = 0;
  for (const part of PROMPT_PARTS) total += report[part];
  return total;
}

function isCrediblePrompt(report: ReportedPrompt, largestPromptTokens: TokenCount): boolean {
  const { promptTokens } = report;
  if (!isCount(promptTokens)) return false;
  for (const part of PROMPT_PARTS) if (!isCount(report[part])) return false;
  return promptTokens > 0 && promptTokens <= largestPromptTokens && promptPartsOf(report) <= promptTokens;
}

type PromptClasses = Pick<Usage, PromptPart | 'uncachedPromptTokens'>;

function promptClassesOf(report: ReportedPrompt): PromptClasses {
  return { ...perPromptPart((part) => tokenCount(report[part])), uncachedPromptTokens: tokenCount(report.promptTokens - promptPartsOf(report)) };
}

/** `null` if there is no report or it is implausible. */
export function trustedPrompt(stated: ReportedPrompt | null, largestPromptTokens: TokenCount): PromptClasses | null {
  return stated !== null && isCrediblePrompt(stated, largestPromptTokens) ? promptClassesOf(stated) : null;
}

function addsUp({ promptTokens, outputTokens, totalTokens }: ReportedUsage): boolean {
  return totalTokens === null || totalTokens === promptTokens + outputTokens;
}

function isPlausible(report: ReportedUsage, bounds: UsageBounds): boolean {
  return isConsistent(report, bounds) && !exceedsMaximum(report, bounds.maxOutputTokens);
}

/** True if the report agrees with itself, the prompt estimate and the gateway's count. Ignores the maximum output. */
export function isConsistent(report: ReportedUsage, { largestPromptTokens, counted }: Omit<UsageBounds, 'maxOutputTokens'>): boolean {
  if (!isCrediblePrompt(report, largestPromptTokens) || !addsUp(report)) return false;
  const reasoningTokens = report.reasoningTokens ?? 0;
  if (!isCount(report.outputTokens) || !isCount(reasoningTokens) || reasoningTokens > report.outputTokens) return false;
  const countedOutput = outputTokensOf(counted);
  if (countedOutput > 0 && report.outputTokens === 0) return false;
  return countedOutput < SHARE_APPLIES_FROM || report.outputTokens >= countedOutput * MIN_SHARE_OF_COUNTED;
}

/** True if the output exceeds the maximum by more than the tolerance. */
function exceedsMaximum({ outputTokens }: ReportedUsage, maxOutputTokens: TokenCount): boolean {
  return outputTokens * 100 > maxOutputTokens * (100 + OUTPUT_TOLERANCE_PERCENT);
}

/** The reported count. If it is absent or 0, the gateway's count, scaled down if the gateway counted more output than was reported. */
function reasoningTokensOf({ reasoningTokens, outputTokens }: ReportedUsage, counted: Usage): TokenCount {
  if (reasoningTokens !== null && reasoningTokens > 0) return tokenCount(reasoningTokens);
  const countedOutput = outputTokensOf(counted);
  if (countedOutput <= outputTokens) return counted.reasoningTokens;
  return tokenCount(Math.floor(outputTokens * (counted.reasoningTokens / countedOutput)));
}

/** The report as disjoint classes, clipped to the maximum output, if it is plausible; otherwise the gateway's count. */
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
