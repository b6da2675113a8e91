import { GatewayError } from '../errors/gateway-error.js';
import type { ModelSlug } from '../primitives/ids.js';
import type { Catalogue, Model } from './catalogue.js';
import { shutdownText } from './model-shutdown.js';
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

/** Refusal while the upstream has not listed its models; the requested one may exist. */
function noModelYet(): GatewayError {
  return new GatewayError('provider_unavailable', 'No model is available yet. Please try again.');
}

function noSuchModel(slugOrAlias: string, catalogue: Catalogue): GatewayError {
  const retired = catalogue.retired(slugOrAlias);
  return new GatewayError('model_not_found', retired === null ? 'The requested model does not exist.' : shutdownText(retired), { param: 'model' });
}

/** Throws for a model that the catalogue, the plan or the key lacks, and `provider_unavailable` while the catalogue has no models. */
export function permitModel(slugOrAlias: string, catalogue: Catalogue, { plan, keyModels }: ModelAccess): Model {
  if (!catalogue.hasModels) throw noModelYet();
  const model = catalogue.resolve(slugOrAlias);
  if (model === null) throw noSuchModel(slugOrAlias, catalogue);
  if (!isInPlan(model, plan)) {
    throw new GatewayError('model_not_in_plan', `The model ${model.slug} is not included in your plan.`, { param: 'model' });
  }
  if (!isInKey(model, keyModels)) {
    throw new GatewayError('model_not_in_key', `This API key may not use the model ${model.slug}.`, { param: 'model' });
  }
  return model;
}
