import type { RequestFacts } from '../billing/usage-record.js';
import { imageCountOf } from '../conversation/conversation.js';
import { NO_TOKENS, type TokenCount } from '../ids.js';
import type { KeyLimit } from '../keys/spending-limit.js';
import { type BindingLimits, incidentInForce } from '../limits/quota-snapshot.js';
import type { Catalogue, Model, UpstreamTarget } from '../models/catalogue.js';
import type { CatalogueSource, TokenEstimator } from '../ports/model-provider.js';
import type { Clock } from '../ports/system.js';
import type { PlatformState } from '../ports/operator-controls.js';
import type { GenerateCommand } from './generation-service.js';
import type { GenerationRequest } from './generation-request.js';
import { largestCrediblePrompt } from './usage.js';
import { type RequestSize, sizeRequest } from './generation-estimates.js';
import { fitsContext } from '../models/check-context.js';
import { mayUse, type ModelAccess } from '../models/plan.js';

export interface PreparePorts {
  readonly catalogue: CatalogueSource;
  readonly platform: PlatformState;
  readonly estimator: TokenEstimator;
  readonly clock: Clock;
}

/** What a request needs, all of it worked out before anything is taken, so that nothing is left to fail in between. */
export interface PreparedRequest extends RequestSize {
  readonly facts: RequestFacts;
  readonly binding: BindingLimits;
  readonly largestPromptTokens: TokenCount;
  readonly keyLimit: KeyLimit | null;
}

/** Chooses the models and sizes the request. Throws the refusals about the model and the context. */
export function prepareRequest(command: GenerateCommand, ports: PreparePorts): PreparedRequest {
  const { caller, request } = command;
  const catalogue = ports.catalogue.current();
  const size = sizeRequest({ request, access: caller }, { catalogue, estimator: ports.estimator });
  const incident = incidentInForce(ports.platform.current(), size.model.slug, ports.clock.now());
  return {
    ...size,
    facts: factsOf(command, catalogue),
    binding: { limits: caller.plan.limits, incident },
    largestPromptTokens: largestCrediblePrompt({
      promptTokens: size.promptTokens, schemaTokens: tokensOfSchema(request, ports.estimator), imageCount: imageCountOf(request.conversation),
    }),
    keyLimit: caller.keyLimit,
  };
}

function tokensOfSchema({ outputSchema }: GenerationRequest, estimator: TokenEstimator): TokenCount {
  if (outputSchema === null) return NO_TOKENS;
  const counter = estimator.startCounter();
  counter.add(outputSchema.schema.text);
  return counter.tokens;
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

/** One try at serving a request. */
export interface Candidate {
  readonly model: Model;
  readonly target: UpstreamTarget;
}

export interface RouteDemand {
  readonly model: Model;
  readonly access: ModelAccess;
  readonly promptTokens: TokenCount;
  readonly requestedOutputTokens: TokenCount | null;
}

/** The models that may serve a request, the requested one first: fallbacks must be in the plan and in the key's models, and fit the prompt. */
export function routeModels(demand: RouteDemand, catalogue: Catalogue): readonly Model[] {
  const { model, access } = demand;
  if (model.fallbacks.length === 0) return [model];
  const fallbacks = model.fallbacks
    .map((slug) => catalogue.model(slug))
    .filter((fallback): fallback is Model => fallback !== null && fallback.slug !== model.slug)
    .filter((fallback) => mayUse(fallback, access) && fitsContext(demand, fallback));
  return [model, ...fallbacks];
}

/** Every target of every model, in the order they are tried. */
export function routeCandidates(models: readonly Model[]): readonly Candidate[] {
  return models.flatMap((model) => model.targets.map((target) => ({ model, target })));
}
