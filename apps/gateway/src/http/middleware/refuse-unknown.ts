import type { RequestHandler } from 'express';
import { GatewayError } from '@tollgate/core';
import { unofferedPath } from '../unoffered-paths.js';
import { exchangeOf } from './request-context.js';

/** Refuses every request: no endpoint has its path. */
export const refuseUnknownPath: RequestHandler = (req) => {
  throw unofferedPath(req.originalUrl);
};

/** Refuses every request: the endpoints of its path have other methods. */
export function refuseOtherMethods(allowed: string): RequestHandler {
  return (_req, res) => {
    exchangeOf(res).addHeaders({ allow: allowed });
    throw new GatewayError('method_not_allowed', `This address answers only ${allowed}.`);
  };
}
