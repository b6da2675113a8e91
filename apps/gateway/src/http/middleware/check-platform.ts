import type { RequestHandler } from 'express';
import { checkPlatform as checkPlatformOf, type PlatformState } from '@tollgate/core';
import { exchangeOf } from './request-context.js';

/** Refuses requests during maintenance and from blocked networks. Needs no key. */
export function checkPlatform(platform: PlatformState): RequestHandler {
  return (_req, res, next) => {
    checkPlatformOf(platform, exchangeOf(res).clientAddress);
    next();
  };
}
