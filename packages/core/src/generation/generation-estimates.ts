import { expectedOutput, type ReserveDemand, reserveDemand } from '../billing/reservation.js';
import { NO_TOKENS, type RequestId, type TokenCount } from '../ids.js';
import type { Catalogue, Model } from '../models/catalogue.js';
import { checkContext, roomForOutput } from '../models/check-context.js';
import { type ModelAccess, permitModel } from '../models/plan.js';
import type { CatalogueSource, TokenEstimator } from '../ports/model-provider.js';
import type { GenerationRequest } from './generation-request.js';
import { routeModels } from './prepare-request.js';
import type { Account, Caller } from '../accounts/account.js';
import { availableOf, decideReserve } from '../billing/ledger-entry.js';
import { contextExceeded } from '../errors/gateway-error.js';
import { invariant } from '../invariant.js';
import { type Charge, chargeOf } from '../money/price.js';
import type { Ledger } from '../ports/ledger.js';
import { limitRefusal } from '../limits/admission.js';
import type { QuotaSnapshot } from '../limits/quota-snapshot.js';
import type { UnbilledClaim } from '../limits/unbilled-work.js';
import type { RateLimiter } from '../ports/rate-limiter.js';

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
  const overflow = checkContext(context, model, access.plan.limits);
  if (overflow !== null) throw contextExceeded(overflow);
  const maxOutputTokens = roomForOutput(context, model);
  const expectedOutputTokens = expectedOutput(maxOutputTokens);
  const models = routeModels({ model, access, ...context }, catalogue);
  const { minimumReservation: minimum } = catalogue;
  return {
    model, models, promptTokens, maxOutputTokens, expectedOutputTokens,
    reserve: reserveDemand({ promptTokens, outputTokens: expectedOutputTokens, candidates: models, minimum }),
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
export interface GenerationEstimate extends Omit<RequestSize, 'models' | 'reserve'> {
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
    const { models: _models, reserve, ...size } = sizeRequest({ request, access: { plan, keyModels } }, { catalogue, estimator });
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
    permitModel(request.model, catalogue.current(), caller);
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
    return { inputTokens: estimator.estimatePrompt(request), quota: admission.quota };
  }
}
