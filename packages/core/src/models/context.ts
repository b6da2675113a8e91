import type { ContextOverflow } from '../errors/refusal-details.js';
import { type TokenCount, tokenCount } from '../primitives/primitives.js';
import type { Model } from './catalogue.js';
import type { PlanLimits } from './plan.js';

export interface ContextDemand {
  readonly promptTokens: TokenCount;
  /** `null` when the client left it to the model. */
  readonly requestedOutputTokens: TokenCount | null;
}

/** The border zone at the end of a model's window, on both sides of it: there an estimate is too coarse to decide, and the upstream decides. */
const BORDER_PERCENT = 15;
const BORDER_TOKENS = 256;
/** The output asked for in the border zone where the client names no maximum. */
const BORDER_OUTPUT_TOKENS = 256;

function isInBorderZone(promptTokens: number, { contextWindowTokens }: Model): boolean {
  return Math.abs(contextWindowTokens - promptTokens) <= Math.floor(contextWindowTokens * BORDER_PERCENT / 100) + BORDER_TOKENS;
}

/** Whether the estimate says that a prompt, with as much of the output as the model gives at most, fits a model; a fallback must. */
export function fitsContext({ promptTokens, requestedOutputTokens }: ContextDemand, model: Model): boolean {
  const wanted = Math.min(requestedOutputTokens ?? BORDER_OUTPUT_TOKENS, model.maxOutputTokens);
  return promptTokens + wanted <= model.contextWindowTokens;
}

/** What a prompt may take beyond its estimate: a share of it, and what a chat template writes around it. */
const UNDERESTIMATED_SHARE = 1 / 8;
const UNDERESTIMATED_TOKENS = 256;

/**
 * The most output to ask a model for, in the border zone whether or not it fits. Where the client names no maximum, it leaves room for a prompt that is longer than its estimate,
 * since some servers refuse a request whose prompt and maximum output together exceed the window.
 */
export function roomForOutput({ promptTokens, requestedOutputTokens }: ContextDemand, model: Model): TokenCount {
  if (isInBorderZone(promptTokens, model)) return tokenCount(Math.min(model.maxOutputTokens, requestedOutputTokens ?? BORDER_OUTPUT_TOKENS));
  const left = model.contextWindowTokens - promptTokens;
  const spare = Math.min(Math.floor(left / 2), Math.ceil(promptTokens * UNDERESTIMATED_SHARE) + UNDERESTIMATED_TOKENS);
  return tokenCount(Math.min(model.maxOutputTokens, left, requestedOutputTokens ?? left - spare));
}

/** Why a request does not fit the model and the plan, with the figures; `null` if it fits, or if the upstream decides in the border zone. */
export function checkContext({ promptTokens, requestedOutputTokens }: ContextDemand, model: Model, limits: PlanLimits): ContextOverflow | null {
  const windowTokens = model.contextWindowTokens;
  const planTokens = limits.maxContextTokens;
  if (promptTokens > planTokens && planTokens < windowTokens) return { kind: 'prompt', promptTokens, maximumTokens: planTokens, bound: 'plan' };
  if (promptTokens > planTokens) return { kind: 'prompt', promptTokens, maximumTokens: windowTokens, bound: 'model' };
  if (isInBorderZone(promptTokens, model)) return null;
  if (promptTokens > windowTokens) return { kind: 'prompt', promptTokens, maximumTokens: windowTokens, bound: 'model' };
  const outputTokens = requestedOutputTokens ?? 0;
  return promptTokens + outputTokens > windowTokens ? { kind: 'output', promptTokens, outputTokens, windowTokens } : null;
}

/** Why an upstream refused a request whose estimate may fit. The figures are the estimate, or the least that the refusal implies. */
export function refusedContext(demand: ContextDemand, model: Model): ContextOverflow {
  const windowTokens = model.contextWindowTokens;
  const outputTokens = roomForOutput(demand, model);
  const promptTokens = Math.max(demand.promptTokens, windowTokens - outputTokens + 1);
  if (promptTokens > windowTokens) return { kind: 'prompt', promptTokens, maximumTokens: windowTokens, bound: 'model' };
  if (demand.requestedOutputTokens !== null) return { kind: 'output', promptTokens, outputTokens, windowTokens };
  return { kind: 'prompt', promptTokens, maximumTokens: windowTokens - outputTokens, bound: 'reply' };
}
