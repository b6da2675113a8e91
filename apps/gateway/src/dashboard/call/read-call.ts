import { GatewayError, refuseFields } from '@tollgate/core';
import { faultsOf, faultWords, type RouteDefinition, type RouteParts } from '@tollgate/api-contract';
import type { Request, RequestHandler } from 'express';
import type { BodyHolder } from '../../http/body-holders.js';
import type { HttpExchange } from '../../http/http-exchange.js';
import { refuseUnknownFraming } from '../../http/body-headers.js';
import type { JsonBodyReader } from '../../http/json-body-reader.js';
import { unknownAddress } from './unknown-address.js';
import { callOf } from './dashboard-call.js';

/** Maximum size of a body, except for generations. */
const DASHBOARD_BODY_BYTES = 65_536;
const JSON_TYPE = /^application\/json(?:\s*;\s*charset=utf-?8)?\s*$/i;
const MAX_QUERY = 4_096;

/** Throws `invalid_request` with all fields at fault, or for the whole request. */
function readValue(schema: NonNullable<RouteDefinition['body']>, value: unknown): unknown {
  const reading = schema.safeParse(value, { error: faultWords });
  if (reading.success) return reading.data;
  const faults = faultsOf(reading.error, value);
  const [first, ...others] = faults.filter(({ field }) => field !== '');
  if (first === undefined) throw new GatewayError('invalid_request', faults[0] === undefined ? 'The request is not valid.' : `The request is not valid: ${faults[0].message}.`);
  throw refuseFields([first, ...others]);
}

/** Cross-site forms cannot send JSON. */
function checkType({ headers }: Request): void {
  if (!JSON_TYPE.test(headers['content-type'] ?? '')) throw new GatewayError('unsupported_media_type', 'Send the body as application/json.');
}

/** Refuses forms, bodies of unknown length, and large ones. */
function checkBody(req: Request): void {
  checkType(req);
  const { headers } = req;
  if (headers['transfer-encoding'] !== undefined) throw payloadTooLarge();
  checkLength(Number(headers['content-length'] ?? 0));
}

function checkLength(bytes: number): void {
  if (bytes > DASHBOARD_BODY_BYTES) throw payloadTooLarge();
}

function payloadTooLarge(): GatewayError {
  return new GatewayError('payload_too_large', `Send a body of at most ${DASHBOARD_BODY_BYTES} bytes, with a Content-Length header.`);
}

/** A repeated parameter becomes a list, which its schema refuses if it may not be repeated. */
function queryOf({ originalUrl }: Request): unknown {
  const start = originalUrl.indexOf('?');
  if (start === -1) return {};
  if (originalUrl.length - start > MAX_QUERY) throw new GatewayError('invalid_request', `The query is longer than ${MAX_QUERY} characters.`);
  const query = new Map<string, string[]>();
  for (const [name, value] of new URLSearchParams(originalUrl.slice(start + 1))) {
    const values = query.get(name);
    if (values === undefined) query.set(name, [value]);
    else values.push(value);
  }
  return Object.fromEntries([...query].map(([name, values]) => [name, values.length === 1 ? values[0] : values]));
}

/** Reads parameters and query as the contract says. Throws `not_found` and `invalid_request`. */
export function readAddress({ params, query }: Pick<RouteParts, 'params' | 'query'>, req: Request): { readonly params: unknown; readonly query: unknown } {
  const reading = params?.safeParse(req.params);
  // No record has a malformed id.
  if (reading?.success === false) throw unknownAddress();
  return { params: reading?.data, query: query === undefined ? undefined : readValue(query, queryOf(req)) };
}

interface BodySource {
  readonly exchange: HttpExchange;
  readonly holder: BodyHolder;
}

/** Returns the decoded bytes too. Throws `invalid_request` with the fields. */
export async function readJsonBody(
  schema: NonNullable<RouteParts['body']>, { exchange, holder }: BodySource, bodies: JsonBodyReader,
): Promise<{ readonly value: unknown; readonly bytes: Buffer }> {
  checkBody(exchange.req);
  const read = await bodies.read(exchange, holder, ({ value, bytes }) => {
    // The decoded body may be longer than Content-Length.
    checkLength(bytes.length);
    return { value, bytes };
  });
  return { value: readValue(schema, read.value), bytes: read.bytes };
}

/** Does not read the bodies of generations, which their handlers read. */
export function readCall(route: RouteDefinition, bodies: JsonBodyReader): RequestHandler {
  return async (req, res, next) => {
    const call = callOf(res);
    if (route.takes === 'generation') {
      checkType(req);
      refuseUnknownFraming(req.headers);
    }
    Object.assign(call, readAddress(route, req));
    if (route.body !== undefined) {
      const holder = call.visitor === null ? { address: call.exchange.clientAddress } : { accountId: call.visitor.account.id };
      call.body = (await readJsonBody(route.body, { exchange: call.exchange, holder }, bodies)).value;
    }
    next();
  };
}
