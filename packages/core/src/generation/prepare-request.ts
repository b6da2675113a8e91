import type { KeyLimit } from '../billing/key-limit.js';
import { expectedOutput, type ReserveDemand, reserveDemand } from '../billing/reserve-demand.js';
import type { RequestFacts } from '../billing/usage-record.js';
import { contextExceeded } from '../errors/gateway-error.js';
import type { BindingLimits } from '../limits/quota-snapshot.js';
import type { CatalogueSource } from '../models/catalogue-source.js';
import type { Catalogue, Model } from '../models/catalogue.js';
import { checkContext, roomForOutput } from '../models/context.js';
import { permitModel } from '../models/model-access.js';
import { incidentInForce, type PlatformState } from '../platform/platform-snapshot.js';
import type { Clock } from '../primitives/clock.js';
import type { TokenCount } from '../primitives/token-count.js';
import { routeModels } from './candidates.js';
import type { GenerateCommand } from './generation-service.js';
import { PromptEstimate } from './prompt-estimate.js';
import type { SizedRequest } from './size-request.js';
import type { TokenEstimator } from './token-estimator.js';

export interface RequestSize {
  readonly model: Model;
  /** The requested model, then its fallbacks. */
  readonly models: readonly Model[];
  readonly prompt: PromptEstimate;
  /** Estimate for the requested model. */
  readonly promptTokens: TokenCount;
  /** Largest estimate for any of the models. */
  readonly largestPromptTokens: TokenCount;
  readonly maxOutputTokens: TokenCount;
  readonly expectedOutputTokens: TokenCount;
  readonly reserve: ReserveDemand;
}

/** Throws the refusals about the model and the context. */
export function sizeRequest({ request, access }: SizedRequest, { catalogue, estimator }: { readonly catalogue: Catalogue; readonly estimator: TokenEstimator }): RequestSize {
  const model = permitModel(request.model, catalogue, access);
  const prompt = PromptEstimate.of(request, estimator);
  const promptTokens = prompt.tokensFor(model);
  const context = { promptTokens, requestedOutputTokens: request.maxOutputTokens };
  const overflow = checkContext(context, model, access.plan.limits);
  if (overflow !== null) throw contextExceeded(overflow);
  const maxOutputTokens = roomForOutput(context, model);
  const expectedOutputTokens = expectedOutput(maxOutputTokens);
  const models = routeModels({ model, access, prompt, requestedOutputTokens: request.maxOutputTokens }, catalogue);
  const largestPromptTokens = prompt.largestFor(models);
  const { minimumReservation: minimum } = catalogue;
  return {
    model, models, prompt, promptTokens, largestPromptTokens, maxOutputTokens, expectedOutputTokens,
    reserve: reserveDemand({ promptTokens: largestPromptTokens, outputTokens: expectedOutputTokens, candidates: models, minimum }),
  };
}

export interface PreparePorts {
  readonly catalogue: CatalogueSource;
  readonly platform: PlatformState;
  readonly estimator: TokenEstimator;
  readonly clock: Clock;
}

/** Everything that is computed before admission and reservation, so that a failure holds neither slot nor tokens. */
export interface PreparedRequest extends RequestSize {
  readonly facts: RequestFacts;
  readonly binding: BindingLimits;
  readonly keyLimit: KeyLimit | null;
}

/** Throws the refusals about the model and the context. */
export function prepareRequest(command: GenerateCommand, ports: PreparePorts): PreparedRequest {
  const { caller, request, startedAt } = command;
  const catalogue = ports.catalogue.current().inForce(caller.account.priceList, startedAt);
  const size = sizeRequest({ request, access: caller }, { catalogue, estimator: ports.estimator });
  const incident = incidentInForce(ports.platform.current(), size.model.slug, ports.clock.now());
  return {
    ...size,
    facts: factsOf(command, catalogue),
    binding: { limits: caller.plan.limits, incident },
    keyLimit: caller.keyLimit,
  };
}

function factsOf({ caller, request, requestId, format, delivery, startedAt }: GenerateCommand, catalogue: Catalogue): RequestFacts {
  return {
    requestId,
    accountId: caller.account.id,
    keyId: caller.keyId,
    format,
    streamed: delivery === 'stream',
    requestedModel: request.model,
    attribution: request.attribution,
    usdPerServiceToken: catalogue.usdPerServiceToken,
    startedAt,
  };
}
