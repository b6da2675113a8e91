import type { RequestHandler } from 'express';
import { unofferedMethod, unofferedPath } from '../unoffered-paths.js';
import { exchangeOf } from './answer.js';

export const refuseUnknownPath: RequestHandler = (req) => {
  throw unofferedPath(req.originalUrl);
};

export function refuseOtherMethods(allowed: string): RequestHandler {
  return ({ originalUrl }, res) => {
    const refusal = unofferedMethod(originalUrl, allowed);
    if (refusal.code === 'method_not_allowed') exchangeOf(res).addHeaders({ allow: allowed });
    throw refusal;
  };
}
