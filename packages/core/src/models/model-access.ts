import { GatewayError } from '../errors/gateway-error.js';
import type { ModelSlug } from '../primitives/primitives.js';
import type { Catalogue, Model } from './catalogue.js';
import type { Plan } from './plan.js';

export interface ModelAccess {
  readonly plan: Plan;
  /** `null` for all models of the plan. */
  readonly keyModels: ReadonlySet<ModelSlug> | null;
}

export function isInPlan(model: Model, plan: Plan): boolean {
  return !plan.excludedModels.has(model.slug);
}

function isInKey({ slug }: Model, keyModels: ModelAccess['keyModels']): boolean {
  return keyModels === null || keyModels.has(slug);
}

export function mayUse(model: Model, { plan, keyModels }: ModelAccess): boolean {
  return isInPlan(model, plan) && isInKey(model, keyModels);
}

/** Before the upstream has listed its models; the requested one may exist. */
function noModelYet(): GatewayError {
  return new GatewayError('provider_unavailable', 'No model is available yet. Please try again.');
}

/** Throws for a model that the catalogue, the plan or the key lacks. */
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
