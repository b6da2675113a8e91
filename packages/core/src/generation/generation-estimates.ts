import type { Account } from '../accounts/account.js';
import { availableOf, decideReserve } from '../billing/balance.js';
import type { Ledger } from '../billing/ledger.js';
import type { CatalogueSource } from '../models/catalogue-source.js';
import type { ModelAccess } from '../models/model-access.js';
import { type Charge, chargeOf } from '../money/charge.js';
import type { Clock } from '../primitives/clock.js';
import { invariant } from '../primitives/invariant.js';
import type { GenerationRequest } from './generation-request.js';
import { type RequestSize, sizeRequest } from './prepare-request.js';
import type { TokenEstimator } from './token-estimator.js';

export interface GenerationEstimatesPorts {
  readonly catalogue: CatalogueSource;
  readonly estimator: TokenEstimator;
  readonly ledger: Pick<Ledger, 'balanceOf'>;
  readonly clock: Clock;
}

export interface EstimateQuery extends ModelAccess {
  readonly account: Account;
  readonly request: GenerationRequest;
}

export interface GenerationEstimate extends Omit<RequestSize, 'models' | 'prompt' | 'largestPromptTokens' | 'reserve'> {
  /** What the request would reserve now; the floor if the balance is below the floor. */
  readonly reserved: Charge;
  /** True if the balance covers the floor. */
  readonly isCovered: boolean;
}

/** Consumes no limit and changes no balance. */
export class GenerationEstimates {
  constructor(private readonly ports: GenerationEstimatesPorts) {}

  /** Throws the refusals about the model and the context. */
  async estimate({ account, plan, keyModels, request }: EstimateQuery): Promise<GenerationEstimate> {
    const { estimator, ledger, clock } = this.ports;
    const catalogue = this.ports.catalogue.current().inForce(account.priceList, clock.now());
    const { models: _models, prompt: _prompt, largestPromptTokens: _largest, reserve, ...size } = sizeRequest({ request, access: { plan, keyModels } }, { catalogue, estimator });
    const balance = await ledger.balanceOf(account.id);
    invariant(balance !== null, 'an account with an owner has a balance');
    const outcome = decideReserve({ available: availableOf(balance), left: null }, reserve);
    const isCovered = outcome.outcome === 'reserved';
    return { ...size, reserved: chargeOf(isCovered ? outcome.amount : reserve.floor, catalogue.usdPerServiceToken), isCovered };
  }
}
