import type { IncomingHttpHeaders } from 'node:http';
import type { JsonObject } from '@tollgate/core';

/** A request as the scripted upstream received it. */
export interface RecordedRequest {
  readonly method: string;
  /** With the query, if there was one. */
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  /** The parsed body; empty where the request had none or it was no JSON object. */
  readonly body: JsonObject;
  readonly rawBody: string;
  /** Which connection it came by, counted from 0. */
  readonly connection: number;
  /** Resolves when the connection is done with it: whether all of the reply was sent, or the client left or was cut off first. */
  readonly ended: Promise<'completed' | 'aborted'>;
}

export function modelOf(request: RecordedRequest): string {
  return typeof request.body['model'] === 'string' ? request.body['model'] : '';
}

export function wantsStream(request: RecordedRequest): boolean {
  return request.body['stream'] === true;
}
