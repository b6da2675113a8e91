import { checkNetwork, checkPlatform as checkPlatformOf, type Clock, type PlatformState } from '@tollgate/core';
import type { RequestHandler } from 'express';
import { exchangeOf } from './answer.js';

export interface PlatformPorts {
  readonly platform: PlatformState;
  readonly clock: Clock;
}

/** Refuses requests during maintenance and from blocked networks, before their key is read. */
export function checkPlatform({ platform, clock }: PlatformPorts): RequestHandler {
  return (_req, res, next) => {
    checkPlatformOf(platform, exchangeOf(res).clientAddress, clock.now());
    next();
  };
}

export function checkBlockedNetwork({ platform, clock }: PlatformPorts): RequestHandler {
  return (_req, res, next) => {
    checkNetwork(platform, exchangeOf(res).clientAddress, clock.now());
    next();
  };
}
