import { GatewayError } from '../errors/gateway-error.js';
import { type TokenCount, tokenCount } from '../ids.js';
import type { PlanLimits } from '../plans/plan.js';
import type { Model } from './model.js';

export interface ContextDemand {
  readonly promptTokens: TokenCount;
  /** `null` when the client left it to the model. */
  readonly requestedOutputTokens: TokenCount | null;
}

/** Whether a prompt of this size, with as much of the output as the model gives at most, fits a model. */
export function fitsContext(demand: ContextDemand, model: Model): boolean {
  const wanted = Math.min(demand.requestedOutputTokens ?? 1, model.maxOutputTokens);
  return demand.promptTokens + wanted <= model.contextWindowTokens;
}

/** What a prompt may take beyond its estimate: a share of it, and what a chat template writes around it. */
const UNDERESTIMATED_SHARE = 1 / 8;
const UNDERESTIMATED_TOKENS = 256;

/**
 * The most output to ask a model for. Output that nobody asked for leaves room for a prompt that is longer than its estimate,
 * since some servers refuse a request whose prompt and maximum output together exceed the window.
 */
export function roomForOutput({ promptTokens, requestedOutputTokens }: ContextDemand, model: Model): TokenCount {
  const left = model.contextWindowTokens - promptTokens;
  const spare = Math.min(Math.floor(left / 2), Math.ceil(promptTokens * UNDERESTIMATED_SHARE) + UNDERESTIMATED_TOKENS);
  return tokenCount(Math.min(model.maxOutputTokens, left, requestedOutputTokens ?? left - spare));
}

/**
 * The most tokens the model may generate for this prompt.
 * Throws `context_length_exceeded` in the two wordings that clients of the messages format recover from by themselves.
 */
export function checkContext(demand: ContextDemand, model: Model, limits: PlanLimits): TokenCount {
  const { promptTokens, requestedOutputTokens } = demand;
  const window = model.contextWindowTokens;
  const promptMaximum = Math.min(window, limits.maxContextTokens);
  if (promptTokens > promptMaximum) {
    throw new GatewayError('context_length_exceeded', `prompt is too long: ${promptTokens} tokens > ${promptMaximum} maximum`, { param: 'messages' });
  }
  const output = requestedOutputTokens ?? 1;
  if (promptTokens + output > window) {
    throw new GatewayError(
      'context_length_exceeded',
      `input length and \`max_tokens\` exceed context limit: ${promptTokens} + ${output} > ${window}`,
      { param: 'max_tokens' },
    );
  }
  return roomForOutput(demand, model);
}
