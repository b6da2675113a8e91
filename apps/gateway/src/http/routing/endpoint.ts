import type { RequestHandler } from 'express';
import type { Caller } from '@tollgate/core';
import type { BodyDecoder, JsonBodyReader } from '../body/json-body-reader.js';
import type { Exchange } from '../exchange.js';
import { answer } from '../middleware/answer.js';
import { readJsonBody, takeBody } from '../middleware/read-json-body.js';

export type HttpMethod = 'get' | 'post' | 'patch' | 'delete';

/** One method of one path, for callers with a key. */
export interface Endpoint {
  readonly method: HttpMethod;
  /** An Express path. */
  readonly path: string;
  /** Its replies state the caller's rate limits, refusals included. */
  readonly statesQuota: boolean;
  /** What follows the authentication of its caller; the last one replies. */
  readonly handlers: readonly RequestHandler[];
}

/** Replies, or throws the error to reply with. */
export type Handle = (exchange: Exchange, caller: Caller) => Promise<void> | void;

/** An endpoint that reads no body. */
export function plainEndpoint(method: HttpMethod, path: string, handle: Handle): Endpoint {
  return { method, path, statesQuota: false, handlers: [answer((exchange) => handle(exchange, exchange.authenticatedCaller))] };
}

/** An endpoint that only reads. */
export function readEndpoint(path: string, handle: Handle): Endpoint {
  return plainEndpoint('get', path, handle);
}

export interface BodyEndpoint<Body> {
  readonly path: string;
  readonly bodies: JsonBodyReader;
  readonly decode: BodyDecoder<Body>;
  readonly handle: (exchange: Exchange, caller: Caller, body: Body) => Promise<void>;
}

/** An endpoint that is sent a JSON body. Its replies state the caller's rate limits. */
export function bodyEndpoint<Body>({ path, bodies, decode, handle }: BodyEndpoint<Body>): Endpoint {
  return {
    method: 'post',
    path,
    statesQuota: true,
    handlers: [
      readJsonBody(bodies, decode),
      answer((exchange) => handle(exchange, exchange.authenticatedCaller, takeBody(exchange.req) as Body)),
    ],
  };
}
