import { type Account, availableOf, type Balance, type CatalogueSource, type Clock, isInPlan, type Plan, requestsLeft, type UsualRequest, usualRequest } from '@tollgate/core';
import { encodeAmount } from '@tollgate/wire-kit';

interface UsualRequestPorts {
  readonly catalogue: CatalogueSource;
  readonly clock: Clock;
}

/** The usual request at the prices of the account; `null` if the plan has no model. */
export function usualRequestOf({ account, plan }: { readonly account: Account; readonly plan: Plan }, { catalogue, clock }: UsualRequestPorts): UsualRequest | null {
  const { models, minimumReservation } = catalogue.current().inForce(account.priceList, clock.now());
  return usualRequest(models.filter((model) => isInPlan(model, plan)), minimumReservation);
}

export function encodeUsualRequest(request: UsualRequest | null, balance: Balance, { catalogue }: Pick<UsualRequestPorts, 'catalogue'>) {
  if (request === null) return null;
  const { usdPerServiceToken } = catalogue.current();
  const available = availableOf(balance);
  return {
    model: request.model.slug, needs: encodeAmount(request.needed, usdPerServiceToken), available: encodeAmount(available, usdPerServiceToken),
    requests_left: requestsLeft(available, request),
  };
}
