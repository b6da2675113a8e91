import type { Caller } from '../accounts/account.js';
import type { QuotaSnapshot } from '../errors/refusal-details.js';
import { limitRefusal } from '../limits/admission.js';
import type { RateLimiter } from '../limits/rate-limiter.js';
import type { UnbilledClaim } from '../limits/unbilled-work.js';
import type { CatalogueSource } from '../models/catalogue-source.js';
import { permitModel } from '../models/model-access.js';
import type { Clock } from '../primitives/clock.js';
import { NO_TOKENS, type TokenCount } from '../primitives/token-count.js';
import type { RequestId } from '../primitives/ids.js';
import type { GenerationRequest } from './generation-request.js';
import { PromptEstimate } from './prompt-estimate.js';
import type { TokenEstimator } from './token-estimator.js';

export interface TokenCountingPorts {
  readonly catalogue: CatalogueSource;
  readonly estimator: TokenEstimator;
  readonly limiter: RateLimiter;
  readonly clock: Clock;
}

export interface CountTokensCommand {
  readonly caller: Caller;
  readonly requestId: RequestId;
  readonly request: GenerationRequest;
  /** Units of unbilled work that are returned once the request is admitted. */
  readonly unbilled?: UnbilledClaim | null;
}

export interface TokenCountResult {
  readonly inputTokens: TokenCount;
  readonly quota: QuotaSnapshot;
}

/** Counts tokens with the same estimator as reservations. A count is free, but counts against the requests per minute. */
export class TokenCounting {
  constructor(private readonly ports: TokenCountingPorts) {}

  async count({ caller, requestId, request, unbilled }: CountTokensCommand): Promise<TokenCountResult> {
    const { catalogue, estimator, limiter, clock } = this.ports;
    const model = permitModel(request.model, catalogue.current().inForce(caller.account.priceList, clock.now()), caller);
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
