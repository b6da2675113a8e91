import { expectedOutput, type ReserveDemand, reserveDemand } from '../billing/reservation.js';
import { invariant, NO_TOKENS, type RequestId, type TokenCount } from '../primitives.js';
import { type Catalogue, checkContext, fitsContext, type Model, roomForOutput, type UpstreamTarget } from '../models/catalogue.js';
import { mayUse, type ModelAccess, permitModel } from '../models/plan.js';
import type { CatalogueSource, TokenEstimator } from '../ports/model-provider.js';
import type { GenerationRequest } from './generation-request.js';
import type { Account, Caller } from '../accounts/account.js';
import { availableOf, decideReserve } from '../billing/ledger-entry.js';
import { contextExceeded } from '../errors/gateway-error.js';
import { type Charge, chargeOf } from '../money/price.js';
import type { Ledger } from '../ports/ledger.js';
import { limitRefusal } from '../limits/admission.js';
import { type BindingLimits, incidentInForce, type QuotaSnapshot } from '../limits/quota-snapshot.js';
import type { UnbilledClaim } from '../limits/unbilled-work.js';
import type { RateLimiter } from '../ports/rate-limiter.js';
import type { RequestFacts } from '../billing/usage-record.js';
import type { KeyLimit } from '../keys/api-key.js';
import type { Clock } from '../ports/system.js';
import type { PlatformState } from '../ports/operator-controls.js';
import type { GenerateCommand } from './generation-service.js';
import { PromptEstimate } from './prompt-estimate.js';

/** What a request is about to take: the models that may serve it, its tokens, and what to set aside for it. */
interface RequestSize {
  readonly model: Model;
  /** Every model that may serve, the requested one first. */
  readonly models: readonly Model[];
  readonly prompt: PromptEstimate;
  /** Of the requested model. */
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
function sizeRequest({ request, access }: SizedRequest, { catalogue, estimator }: { readonly catalogue: Catalogue; readonly estimator: TokenEstimator }): RequestSize {
  const model = permitModel(request.model, catalogue, access);
  const prompt = PromptEstimate.of(request, estimator);
  const promptTokens = prompt.tokensFor(model);
  const context = { promptTokens, requestedOutputTokens: request.maxOutputTokens };
  const overflow = checkContext(context, model, access.plan.limits);
  if (overflow !== null) throw contextExceeded(overflow);
  const maxOutputTokens = roomForOutput(context, model);
  const expectedOutputTokens = expectedOutput(maxOutputTokens);
  const models = routeModels({ model, access, prompt, requestedOutputTokens: request.maxOutputTokens }, catalogue);
  const { minimumReservation: minimum } = catalogue;
  return {
    model, models, prompt, promptTokens, maxOutputTokens, expectedOutputTokens,
    reserve: reserveDemand({ promptTokens: prompt.largestFor(models), outputTokens: expectedOutputTokens, candidates: models, minimum }),
  };
}

export interface GenerationEstimatesPorts {
  readonly catalogue: CatalogueSource;
  readonly estimator: TokenEstimator;
  readonly ledger: Pick<Ledger, 'balanceOf'>;
}

/** An account that has not sent a request yet. */
export interface EstimateQuery extends ModelAccess {
  readonly account: Account;
  readonly request: GenerationRequest;
}

/** A request as it would be served at this moment. */
export interface GenerationEstimate extends Omit<RequestSize, 'models' | 'prompt' | 'reserve'> {
  /** What would be set aside for it. Where the balance does not reach the least that would do: that. */
  readonly reserved: Charge;
  /** Whether the balance reaches. */
  readonly isCovered: boolean;
}

/** Says of a request what serving it would set aside. Takes nothing: no limit counts it, and no balance changes. */
export class GenerationEstimates {
  constructor(private readonly ports: GenerationEstimatesPorts) {}

  /** Throws the refusals about the model and the context that sending it would. */
  async estimate({ account, plan, keyModels, request }: EstimateQuery): Promise<GenerationEstimate> {
    const { estimator, ledger } = this.ports;
    const catalogue = this.ports.catalogue.current();
    const { models: _models, prompt: _prompt, reserve, ...size } = sizeRequest({ request, access: { plan, keyModels } }, { catalogue, estimator });
    const balance = await ledger.balanceOf(account.id);
    invariant(balance !== null, 'an account with an owner has a balance');
    const outcome = decideReserve({ available: availableOf(balance), left: null }, reserve);
    const isCovered = outcome.outcome === 'reserved';
    return { ...size, reserved: chargeOf(isCovered ? outcome.amount : reserve.floor, catalogue.usdPerServiceToken), isCovered };
  }
}

export interface TokenCountingPorts {
  readonly catalogue: CatalogueSource;
  readonly estimator: TokenEstimator;
  readonly limiter: RateLimiter;
}

export interface CountTokensCommand {
  readonly caller: Caller;
  readonly requestId: RequestId;
  readonly request: GenerationRequest;
  /** Given back once the request is admitted. */
  readonly unbilled?: UnbilledClaim | null;
}

export interface TokenCountResult {
  readonly inputTokens: TokenCount;
  readonly quota: QuotaSnapshot;
}

/** Counts a prompt with the estimator that reservations use. Costs nothing but one request of the minute. */
export class TokenCounting {
  constructor(private readonly ports: TokenCountingPorts) {}

  async count({ caller, requestId, request, unbilled }: CountTokensCommand): Promise<TokenCountResult> {
    const { catalogue, estimator, limiter } = this.ports;
    const model = permitModel(request.model, catalogue.current(), caller);
    const admission = await limiter.admit({
      accountId: caller.account.id,
      requestId,
      limits: caller.plan.limits,
      incident: null,
      kind: 'count',
      tokens: NO_TOKENS,
    });
    if (!admission.admitted) throw limitRefusal(admission);
    unbilled?.giveBack();
    return { inputTokens: PromptEstimate.of(request, estimator).tokensFor(model), quota: admission.quota };
  }
}

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

/** One try at serving a request. */
export interface Candidate {
  readonly model: Model;
  readonly target: UpstreamTarget;
}

export interface RouteDemand {
  readonly model: Model;
  readonly access: ModelAccess;
  readonly prompt: Pick<PromptEstimate, 'tokensFor'>;
  readonly requestedOutputTokens: TokenCount | null;
}

/** The models that may serve a request, the requested one first: fallbacks must be in the plan and in the key's models, and fit the prompt. */
export function routeModels(demand: RouteDemand, catalogue: Catalogue): readonly Model[] {
  const { model, access, prompt, requestedOutputTokens } = demand;
  if (model.fallbacks.length === 0) return [model];
  const fallbacks = model.fallbacks
    .map((slug) => catalogue.model(slug))
    .filter((fallback): fallback is Model => fallback !== null && fallback.slug !== model.slug)
    .filter((fallback) => mayUse(fallback, access) && fitsContext({ promptTokens: prompt.tokensFor(fallback), requestedOutputTokens }, fallback));
  return [model, ...fallbacks];
}

/** Every target of every model, in the order they are tried. */
export function routeCandidates(models: readonly Model[]): readonly Candidate[] {
  return models.flatMap((model) => model.targets.map((target) => ({ model, target })));
}
