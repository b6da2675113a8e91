import { GatewayError } from '../errors/gateway-error.js';
import { type TokenCount, tokenCount } from '../ids.js';
import type { PlanLimits } from '../plans/plan.js';
import type { Model } from './model.js';

export interface ContextDemand {
  readonly promptTokens: TokenCount;
  /** `null` when the client left it to the model. */
  readonly requestedOutputTokens: TokenCount | null;
}

/** Whether a prompt of this size, with room for at least one token of output, fits a model. */
export function fitsContext(demand: ContextDemand, model: Model): boolean {
  const wanted = Math.min(demand.requestedOutputTokens ?? 1, model.maxOutputTokens);
  return demand.promptTokens + wanted <= model.contextWindowTokens;
}

/** The most output that a model has room for after a prompt of this size. */
export function roomForOutput(promptTokens: TokenCount, model: Model): TokenCount {
  return tokenCount(Math.min(model.maxOutputTokens, model.contextWindowTokens - promptTokens));
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
  if (!fitsContext(demand, model)) {
    const output = Math.min(requestedOutputTokens ?? 1, model.maxOutputTokens);
    throw new GatewayError(
      'context_length_exceeded',
      `input length and \`max_tokens\` exceed context limit: ${promptTokens} + ${output} > ${window}`,
      { param: 'max_tokens' },
    );
  }
  return tokenCount(Math.min(requestedOutputTokens ?? model.maxOutputTokens, roomForOutput(promptTokens, model)));
}
