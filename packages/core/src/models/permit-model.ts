import { GatewayError } from '../errors/gateway-error.js';
import type { Plan } from '../plans/plan.js';
import type { Catalogue } from './catalogue.js';
import type { Model } from './model.js';

export function isInPlan(model: Model, plan: Plan): boolean {
  return !plan.excludedModels.has(model.slug);
}

/** An empty catalogue is one whose upstream has not told its models yet; the model may well exist. */
function noModelYet(): GatewayError {
  return new GatewayError('provider_unavailable', 'No model is available yet. Please try again.');
}

/** The model a request names; refuses names the catalogue does not know and models outside the caller's plan. */
export function permitModel(slugOrAlias: string, catalogue: Catalogue, plan: Plan): Model {
  if (catalogue.models.length === 0) throw noModelYet();
  const model = catalogue.resolve(slugOrAlias);
  if (model === null) throw new GatewayError('model_not_found', 'The requested model does not exist.', { param: 'model' });
  if (!isInPlan(model, plan)) {
    throw new GatewayError('model_not_in_plan', `The model ${model.slug} is not included in your plan.`, { param: 'model' });
  }
  return model;
}
