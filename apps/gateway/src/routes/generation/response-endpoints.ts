import { type Clock, GatewayError, PAGE_SIZES, type ResponseStore, type StoredResponse, type StoringFormat } from '@tollgate/core';
import type { HttpExchange } from '../../http/http-exchange.js';
import { type Endpoint, plainEndpoint, readEndpoint } from '../../http/middleware/endpoint.js';
import { invalidParameter, pathParameter, QueryParameters } from '../../http/query-parameters.js';
import { sendJson, sendJsonText } from '../../http/reply/send-json.js';
import type { StoredLoads } from './stored-loads.js';

interface ResponseEndpointPorts {
  readonly responses: ResponseStore;
  readonly format: Pick<StoringFormat, 'inputItemsOf'>;
  readonly loads: StoredLoads;
  readonly clock: Pick<Clock, 'now'>;
}

/** A page of input items, after the item `after`; newest first by default. */
function pageOfItems(items: readonly { readonly id: string }[], query: QueryParameters): object {
  const [limit, order, after] = [query.pageSize('limit', PAGE_SIZES.inputItems.api), query.oneOf('order', ['asc', 'desc'], 'desc'), query.text('after')];
  const ordered = order === 'asc' ? items : items.toReversed();
  const place = after === null ? -1 : ordered.findIndex(({ id }) => id === after);
  if (after !== null && place === -1) throw invalidParameter('after', 'the id of an input item of this response');
  const data = ordered.slice(place + 1, place + 1 + limit);
  return { object: 'list', data, first_id: data[0]?.id ?? null, last_id: data.at(-1)?.id ?? null, has_more: ordered.length > place + 1 + data.length };
}

/** Refuses a stream, because the client would wait for its events in vain. */
function refuseStream(exchange: HttpExchange): void {
  if (QueryParameters.of(exchange).text('stream') === 'true') throw invalidParameter('stream', 'false: a stored response is complete, and is read as one JSON value');
}

/** `GET` and `DELETE /v1/responses/{id}`, and its input items, for responses of the account. */
export function responseEndpoints({ responses, format, loads, clock }: ResponseEndpointPorts): readonly Endpoint[] {
  const path = '/v1/responses/:responseId';
  const reading = (ofPath: string, send: (exchange: HttpExchange, found: StoredResponse) => void) =>
    readEndpoint(ofPath, async (exchange, { account: { id: accountId } }) => {
      const id = pathParameter(exchange, 'responseId');
      const { unbilled, signal } = exchange;
      await loads.send({ accountId, unbilled, signal, body: null }, exchange.res, {
        sizeOf: () => responses.sizeOf(accountId, [id], clock.now()),
        send: async () => {
          const found = await responses.find(accountId, id, clock.now());
          if (found === null) throw notStored();
          send(exchange, found);
        },
      });
    });
  return [
    reading(path, (exchange, { body }) => {
      refuseStream(exchange);
      sendJsonText(exchange, 200, body);
    }),
    reading(`${path}/input_items`, (exchange, found) => sendJson(exchange, 200, pageOfItems(format.inputItemsOf(found), QueryParameters.of(exchange)))),
    plainEndpoint('delete', path, async (exchange, { account }) => {
      const id = pathParameter(exchange, 'responseId');
      if (!await responses.remove(account.id, id, clock.now())) throw notStored();
      sendJson(exchange, 200, { id, object: 'response', deleted: true });
    }),
  ];
}

function notStored(): GatewayError {
  return new GatewayError('not_found', 'No response with this id is stored. Responses are stored for a limited time, unless their request says store: false.', { param: 'response_id' });
}
