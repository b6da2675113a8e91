import { type ModelSlug, type PlanId, type TokenCount, tokenCount } from '../primitives.js';
import { GatewayError } from '../errors/gateway-error.js';
import type { Catalogue, Model } from './catalogue.js';

/** Limits of an account, across all its keys. */
export interface PlanLimits {
  readonly requestsPerMinute: number;
  readonly tokensPerMinute: TokenCount;
  readonly concurrentRequests: number;
  /** Caps the prompt size, whatever the model's window. */
  readonly maxContextTokens: TokenCount;
  readonly activeKeys: number;
  /** `null`: no cap. */
  readonly tokensPerDay: TokenCount | null;
  readonly tokensPerMonth: TokenCount | null;
}

export interface Plan {
  readonly id: PlanId;
  readonly name: string;
  readonly limits: PlanLimits;
  readonly excludedModels: ReadonlySet<ModelSlug>;
}

type Row = readonly [
  id: string, name: string, requestsPerMinute: number, tokensPerMinute: number,
  concurrentRequests: number, maxContextTokens: number, activeKeys: number,
];

/** The plans of the specification, section 8.1; 128K is 128,000 tokens and 256K is 256,000. */
const PAY_AS_YOU_GO_ROW: Row = ['pay-as-you-go', 'Pay as you go', 60, 200_000, 4, 128_000, 5];
const ROWS: readonly Row[] = [
  PAY_AS_YOU_GO_ROW,
  ['starter', 'Starter', 60, 300_000, 4, 128_000, 5],
  ['pro', 'Pro', 300, 1_000_000, 10, 256_000, 20],
  ['power', 'Power', 1_000, 4_000_000, 30, 256_000, 50],
  ['business', 'Business', 3_000, 15_000_000, 100, 256_000, 200],
];

function planOf([id, name, requests, tokens, concurrent, context, keys]: Row): Plan {
  return {
    id: id as PlanId,
    name,
    limits: {
      requestsPerMinute: requests,
      tokensPerMinute: tokenCount(tokens),
      concurrentRequests: concurrent,
      maxContextTokens: tokenCount(context),
      activeKeys: keys,
      tokensPerDay: null,
      tokensPerMonth: null,
    },
    excludedModels: new Set(),
  };
}

export const STANDARD_PLANS: readonly Plan[] = ROWS.map(planOf);
export const PAY_AS_YOU_GO = 'pay-as-you-go' as PlanId;
/** As the specification has it, whatever a catalogue makes of it. */
export const PAY_AS_YOU_GO_PLAN: Plan = planOf(PAY_AS_YOU_GO_ROW);

/** What bounds the models that a request may use. */
export interface ModelAccess {
  readonly plan: Plan;
  /** The models of the key; `null`: all that the plan includes. */
  readonly keyModels: ReadonlySet<ModelSlug> | null;
}

export function isInPlan(model: Model, plan: Plan): boolean {
  return !plan.excludedModels.has(model.slug);
}

function isInKey({ slug }: Model, keyModels: ModelAccess['keyModels']): boolean {
  return keyModels === null || keyModels.has(slug);
}

/** Whether both the plan and the key include a model. */
export function mayUse(model: Model, { plan, keyModels }: ModelAccess): boolean {
  return isInPlan(model, plan) && isInKey(model, keyModels);
}

/** An empty catalogue is one whose upstream has not told its models yet; the model may well exist. */
function noModelYet(): GatewayError {
  return new GatewayError('provider_unavailable', 'No model is available yet. Please try again.');
}

/** The model a request names; refuses names the catalogue does not know and models outside the caller's plan or key. */
export function permitModel(slugOrAlias: string, catalogue: Catalogue, { plan, keyModels }: ModelAccess): Model {
  if (catalogue.models.length === 0) throw noModelYet();
  const model = catalogue.resolve(slugOrAlias);
  if (model === null) throw new GatewayError('model_not_found', 'The requested model does not exist.', { param: 'model' });
  if (!isInPlan(model, plan)) {
    throw new GatewayError('model_not_in_plan', `The model ${model.slug} is not included in your plan.`, { param: 'model' });
  }
  if (!isInKey(model, keyModels)) {
    throw new GatewayError('model_not_in_key', `This API key may not use the model ${model.slug}.`, { param: 'model' });
  }
  return model;
}
