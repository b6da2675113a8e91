import type { Request } from 'express';
import type { JsonBodyReader } from '../../http/body/json-body-reader.js';
import { bodyEndpoint, type Endpoint } from '../../http/routing/endpoint.js';
import type { DecodedBody, GenerationHandler } from './generation-handler.js';
import { readIdempotencyKey } from './idempotency/idempotency-key.js';
import { requestFingerprint } from './idempotency/request-fingerprint.js';

export interface GenerationEndpointPorts {
  readonly handler: GenerationHandler;
  readonly bodies: JsonBodyReader;
}

/** The endpoint that generates in the handler's format, once for each idempotency key. */
export function generationEndpoint(path: string, { handler, bodies }: GenerationEndpointPorts): Endpoint {
  const decode = (value: unknown, bytes: Buffer, req: Request): DecodedBody => {
    const decoded = handler.decode(value);
    const key = readIdempotencyKey(req.headers);
    return { decoded, once: key === null ? null : { key, fingerprint: requestFingerprint(path, bytes) } };
  };
  return bodyEndpoint({ path, bodies, decode, handle: (exchange, caller, body) => handler.handle(exchange, caller, body) });
}
