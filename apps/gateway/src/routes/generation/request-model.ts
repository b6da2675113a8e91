import type { CatalogueSource } from '@tollgate/core';
import { sunsetHeaders } from '@tollgate/wire-kit';
import type { HttpExchange } from '../../http/http-exchange.js';

/** Notes the requested model on the exchange, and adds the `Sunset` header if the model has a shutdown date. */
export function requestModel(exchange: HttpExchange, requested: string, source: CatalogueSource): void {
  exchange.requestedModel = requested;
  const { startedAt, authenticatedCaller: { account } } = exchange;
  const model = source.current().inForce(account.priceList, startedAt).resolve(requested);
  if (model?.shutdown !== undefined) exchange.addHeaders(sunsetHeaders(model, startedAt));
}
