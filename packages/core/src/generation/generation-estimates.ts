import type { Account } from '../accounts/account.js';
import { availableOf, decideReserve } from '../billing/balance.js';
import type { Ledger } from '../billing/ledger.js';
import type { CatalogueSource } from '../models/catalogue-source.js';
import type { ModelAccess } from '../models/model-access.js';
import { type Charge, chargeOf } from '../money/price.js';
import { invariant } from '../primitives/primitives.js';
import type { GenerationRequest } from './generation-request.js';
import { type RequestSize, sizeRequest } from './prepare-request.js';
import type { TokenEstimator } from './token-estimator.js';

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
