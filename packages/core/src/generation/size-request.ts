import type { ReserveDemand } from '../billing/reservation.js';
import { expectedOutput, reserveDemand } from '../billing/reservation-amount.js';
import type { TokenCount } from '../ids.js';
import type { Catalogue } from '../models/catalogue.js';
import { checkContext } from '../models/check-context.js';
import type { Model } from '../models/model.js';
import { type ModelAccess, permitModel } from '../models/permit-model.js';
import type { TokenEstimator } from '../ports/token-estimator.js';
import type { GenerationRequest } from './generation-request.js';
import { routeModels } from './route-candidates.js';

/** What a request is about to take: the models that may serve it, its tokens, and what to set aside for it. */
export interface RequestSize {
  readonly model: Model;
  /** Every model that may serve, the requested one first. */
  readonly models: readonly Model[];
  readonly promptTokens: TokenCount;
  readonly maxOutputTokens: TokenCount;
  readonly expectedOutputTokens: TokenCount;
  readonly reserve: ReserveDemand;
}

export interface SizedRequest {
  readonly request: GenerationRequest;
  readonly access: ModelAccess;
}

/** Chooses the models and sizes the request. Throws the refusals about the model and the context. */
export function sizeRequest({ request, access }: SizedRequest, { catalogue, estimator }: { readonly catalogue: Catalogue; readonly estimator: TokenEstimator }): RequestSize {
  const model = permitModel(request.model, catalogue, access);
  const promptTokens = estimator.estimatePrompt(request);
  const context = { promptTokens, requestedOutputTokens: request.maxOutputTokens };
  const maxOutputTokens = checkContext(context, model, access.plan.limits);
  const expectedOutputTokens = expectedOutput(maxOutputTokens);
  const models = routeModels({ model, access, ...context }, catalogue);
  const { minimumReservation: minimum } = catalogue;
  return {
    model, models, promptTokens, maxOutputTokens, expectedOutputTokens,
    reserve: reserveDemand({ promptTokens, outputTokens: expectedOutputTokens, candidates: models, minimum }),
  };
}
