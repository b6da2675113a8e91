import type { ContextOverflow } from '../errors/refusal-details.js';
import { type TokenCount, tokenCount } from '../primitives/token-count.js';
import type { Model } from './catalogue.js';
import type { PlanLimits } from './plan.js';

export interface ContextDemand {
  readonly promptTokens: TokenCount;
  /** `null` if the client states no maximum. */
  readonly requestedOutputTokens: TokenCount | null;
}

/** Border zone on either side of the end of a model's window: the estimate is too coarse there, so the upstream decides. */
const BORDER_PERCENT = 15;
const BORDER_TOKENS = 256;
/** Maximum output in the border zone if the client states none. */
const BORDER_OUTPUT_TOKENS = 256;

function isInBorderZone(promptTokens: number, { contextWindowTokens }: Model): boolean {
  return Math.abs(contextWindowTokens - promptTokens) <= Math.floor(contextWindowTokens * BORDER_PERCENT / 100) + BORDER_TOKENS;
}

/** True if the estimated prompt and the output, clipped to the model's maximum, fit the window. Required of fallback models. */
export function fitsContext({ promptTokens, requestedOutputTokens }: ContextDemand, model: Model): boolean {
  const wanted = Math.min(requestedOutputTokens ?? BORDER_OUTPUT_TOKENS, model.maxOutputTokens);
  return promptTokens + wanted <= model.contextWindowTokens;
}

/** Margin for an underestimated prompt: a share of the estimate, and the tokens of a chat template. */
const UNDERESTIMATED_SHARE = 1 / 8;
const UNDERESTIMATED_TOKENS = 256;

/**
 * The maximum output that is sent to the upstream. In the border zone, it may exceed what the window has left. If the client states no maximum, room
 * remains for an underestimated prompt, because some servers refuse a request whose prompt and maximum output exceed the window.
 */
export function roomForOutput({ promptTokens, requestedOutputTokens }: ContextDemand, model: Model): TokenCount {
  if (isInBorderZone(promptTokens, model)) return tokenCount(Math.min(model.maxOutputTokens, requestedOutputTokens ?? BORDER_OUTPUT_TOKENS));
  const left = model.contextWindowTokens - promptTokens;
  const spare = Math.min(Math.floor(left / 2), Math.ceil(promptTokens * UNDERESTIMATED_SHARE) + UNDERESTIMATED_TOKENS);
  return tokenCount(Math.min(model.maxOutputTokens, left, requestedOutputTokens ?? left - spare));
}

/** `null` if the prompt fits the plan, and the request fits the window or is in the border zone, where the upstream decides. */
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

/** The overflow of a request that an upstream refused. Its figures are the estimate, or the minimum that the refusal implies. */
export function refusedContext(demand: ContextDemand, model: Model): ContextOverflow {
  const windowTokens = model.contextWindowTokens;
  const outputTokens = roomForOutput(demand, model);
  const promptTokens = Math.max(demand.promptTokens, windowTokens - outputTokens + 1);
  if (promptTokens > windowTokens) return { kind: 'prompt', promptTokens, maximumTokens: windowTokens, bound: 'model' };
  return { kind: demand.requestedOutputTokens === null ? 'reply' : 'output', promptTokens, outputTokens, windowTokens };
}
