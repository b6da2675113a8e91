import { type Caller, type CatalogueSource, mayUse, permitModel } from '@tollgate/core';
import { encodeModel, sunsetHeaders } from '@tollgate/wire-kit';
import type { HttpExchange } from '../http/http-exchange.js';
import { type Endpoint, readEndpoint } from '../http/middleware/endpoint.js';
import { pathParameter } from '../http/query-parameters.js';
import { sendJson } from '../http/reply/send-json.js';

/** `GET /v1/models` and `GET /v1/models/{id or alias}`. An id may contain slashes, escaped or not. */
export function modelsEndpoints(source: CatalogueSource): readonly Endpoint[] {
  const offeredTo = ({ startedAt }: HttpExchange, { account }: Caller) => source.current().inForce(account.priceList, startedAt);
  return [
    readEndpoint('/v1/models', async (exchange, caller) => {
      const catalogue = offeredTo(exchange, caller);
      const data = catalogue.models.filter((model) => mayUse(model, caller)).map((model) => encodeModel(model, catalogue));
      const ids = data.map(({ id }) => id ?? null);
      sendJson(exchange, 200, { object: 'list', data, has_more: false, first_id: ids[0] ?? null, last_id: ids.at(-1) ?? null });
    }),
    readEndpoint('/v1/models/*id', async (exchange, caller) => {
      const catalogue = offeredTo(exchange, caller);
      const model = permitModel(pathParameter(exchange, 'id'), catalogue, caller);
      exchange.addHeaders(sunsetHeaders(model, exchange.startedAt));
      sendJson(exchange, 200, encodeModel(model, catalogue));
    }),
  ];
}
