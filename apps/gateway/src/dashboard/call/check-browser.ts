import type { RequestHandler } from 'express';
import type { RouteDefinition } from '@tollgate/dashboard-contract';
import { checkNetwork, checkPlatform, GatewayError } from '@tollgate/core';
import type { PlatformPorts } from '../../http/middleware/authenticate.js';
import { exchangeOf } from '../../http/middleware/request-context.js';
import type { PublicAddress } from './public-address.js';

/** Refuses requests from blocked networks. */
export function checkBlockedNetwork({ platform, clock }: PlatformPorts): RequestHandler {
  return (_req, res, next) => {
    checkNetwork(platform, exchangeOf(res).clientAddress, clock.now());
    next();
  };
}

/** Maintenance closes the routes that lead to models, and not the rest of the dashboard. */
export function checkMaintenance({ takes }: RouteDefinition, { platform, clock }: PlatformPorts): RequestHandler {
  return (_req, res, next) => {
    if (takes === 'generation') checkPlatform(platform, exchangeOf(res).clientAddress, clock.now());
    next();
  };
}

/** Refuses names that are not the dashboard's, so that no foreign name can be pointed at it (DNS rebinding). */
export function checkHost(address: PublicAddress): RequestHandler {
  return (req, _res, next) => {
    if (!address.isOwnHost(req.headers.host)) throw new GatewayError('wrong_host', `The dashboard is not served under this name. Use ${address.origin}/dashboard.`);
    next();
  };
}

/** An API key opens nothing here, also beside a cookie. */
export const refuseKeys: RequestHandler = ({ headers }, _res, next) => {
  if (headers.authorization !== undefined || headers['x-api-key'] !== undefined) {
    throw new GatewayError('not_signed_in', 'API keys are not accepted here. Sign in with a browser.');
  }
  next();
};

/** Whatever may change something has to come from a page of the dashboard itself. */
export function checkOrigin(address: PublicAddress): RequestHandler {
  return ({ method, headers }, _res, next) => {
    const isRead = method === 'GET' || method === 'HEAD';
    if (!isRead && !address.isOwnOrigin(headers.origin, headers.host)) {
      throw new GatewayError('wrong_origin', 'This request does not come from a page of the dashboard.');
    }
    next();
  };
}

/** Refuses to begin a session where browsers would not keep it. */
export function checkWayIn({ wayIn }: RouteDefinition, address: PublicAddress): RequestHandler {
  return (_req, _res, next) => {
    if (wayIn === true && !address.keepsSessions) {
      throw new GatewayError('insecure_address', `Browsers keep no session at ${address.origin}: serve the dashboard over https, or use localhost on this machine.`);
    }
    next();
  };
}
