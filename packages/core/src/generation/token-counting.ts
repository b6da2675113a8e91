import type { Caller } from '../accounts/account.js';
import { NO_TOKENS, type RequestId, type TokenCount } from '../ids.js';
import { limitRefusal } from '../limits/limit-refusal.js';
import type { QuotaSnapshot } from '../limits/quota-snapshot.js';
import type { UnbilledClaim } from '../limits/unbilled-work.js';
import { permitModel } from '../models/permit-model.js';
import type { CatalogueSource } from '../ports/catalogue-source.js';
import type { RateLimiter } from '../ports/rate-limiter.js';
import type { TokenEstimator } from '../ports/token-estimator.js';
import type { GenerationRequest } from './generation-request.js';

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
