import type { CatalogueSource, DecodedRequest, GenerationRequest, TokenCountFormat, TokenCounting } from '@tollgate/core';
import { quotaHeaders } from '@tollgate/wire-kit';
import type { HttpExchange } from '../../http/http-exchange.js';
import type { JsonBody, JsonBodyReader } from '../../http/json-body-reader.js';
import { bodyEndpoint, type Endpoint } from '../../http/middleware/endpoint.js';
import { sendJson } from '../../http/reply/send-json.js';
import type { DecodedBody, GenerationHandler, RefusedBody } from './generation-handler.js';
import { readIdempotencyKey, requestFingerprint } from './idempotent-requests.js';
import { type CallerTerms, type KeptReplies, termsWithoutReplies } from './kept-replies.js';
import { requestModel } from './request-model.js';
import type { Sender } from './stored-loads.js';

function senderOf({ authenticatedCaller: { account }, unbilled, signal }: HttpExchange, { room }: JsonBody): Sender {
  return { accountId: account.id, unbilled, signal, body: room };
}

interface GenerationEndpointPorts {
  readonly handler: GenerationHandler;
  readonly bodies: JsonBodyReader;
}

/** Endpoint that generates a reply, once for each idempotency key. */
export function generationEndpoint(path: string, { handler, bodies }: GenerationEndpointPorts): Endpoint {
  const onceOf = ({ bytes }: JsonBody, { req }: HttpExchange): DecodedBody['once'] => {
    const key = readIdempotencyKey(req.headers);
    return key === null ? null : { key, fingerprint: requestFingerprint(path, bytes) };
  };
  const decode = (body: JsonBody, exchange: HttpExchange): DecodedBody | Promise<DecodedBody | RefusedBody> => {
    const decoded = handler.decode(body, senderOf(exchange, body));
    const withKey = (request: DecodedRequest): DecodedBody => ({ decoded: request, once: onceOf(body, exchange) });
    if (!(decoded instanceof Promise)) return withKey(decoded);
    return decoded.then(withKey, (refusal: unknown) => refusedOnce(refusal, () => onceOf(body, exchange)));
  };
  return bodyEndpoint<DecodedBody | RefusedBody>({
    path,
    bodies,
    decode,
    handle: (exchange, caller, body) => ('refusal' in body ? handler.replayRefused(exchange, caller, body) : handler.handle(exchange, caller, body)),
  });
}

/**
 * Returns the refusal of a request with a valid idempotency key, because an earlier reply may be replayed instead. Throws the refusal of a request
 * without one.
 */
function refusedOnce(refusal: unknown, onceOf: () => DecodedBody['once']): RefusedBody {
  let once: DecodedBody['once'] = null;
  try {
    once = onceOf();
  } catch {
    throw refusal;
  }
  if (once === null) throw refusal;
  return { refusal, once };
}

interface CountTokensPorts {
  readonly catalogue: CatalogueSource;
  readonly counting: TokenCounting;
  readonly bodies: JsonBodyReader;
  readonly format: TokenCountFormat;
  /** `null` for formats without stored responses. */
  readonly kept: KeptReplies | null;
}

/** Endpoint that counts tokens as a reservation would estimate them. Its requests are not billed. */
export function countTokensEndpoint(path: string, { catalogue, counting, bodies, format, kept }: CountTokensPorts): Endpoint {
  return bodyEndpoint({
    path,
    bodies,
    decode(body, exchange) {
      const { value } = body;
      const { requestLimits: limits } = catalogue.current();
      const sender = senderOf(exchange, body);
      const count = (terms: CallerTerms): GenerationRequest => format.decodeTokenCount(value, { ...terms, limits });
      return kept === null ? count(termsWithoutReplies(sender.accountId)) : kept.decodeWith(sender, value, count);
    },
    async handle(exchange, caller, request) {
      requestModel(exchange, request.model, catalogue);
      const { inputTokens, quota } = await counting.count({ caller, requestId: exchange.requestId, request, unbilled: exchange.unbilled });
      exchange.addHeaders(quotaHeaders(quota));
      sendJson(exchange, 200, format.encodeTokenCount(inputTokens));
    },
  });
}
