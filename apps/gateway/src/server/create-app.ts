import express, { type Application, type Request, type Response, Router } from 'express';
import { GatewayError } from '@tollgate/core';
import type { CallerGate } from '../http/caller-gate.js';
import type { Endpoint } from '../http/endpoint.js';
import { clientAddressOf } from '../http/client-address.js';
import { directAnswers, mountEndpoints } from '../http/mount-endpoints.js';
import { exchangeOf, exchangeOpener, type OpenExchangePorts } from '../http/open-exchange.js';
import type { ErrorReply } from '../http/reply/error-reply.js';
import { type HealthPorts, mountHealthRoutes } from '../routes/health/health-routes.js';

export interface AppParts {
  readonly opening: Omit<OpenExchangePorts, 'addressOf'>;
  readonly health: HealthPorts;
  readonly callers: CallerGate;
  readonly errors: ErrorReply;
  readonly endpoints: readonly Endpoint[];
  /** Networks of proxies whose word on the client's address is taken; none, unless configured. */
  readonly trustedProxies: readonly string[];
}

/** HTTP/1.1 demands that a request which does not is refused. */
function namesItsHost({ headers, httpVersion }: Request): boolean {
  return headers.host !== undefined || httpVersion === '1.0';
}

/** The HTTP application: every request passes here in this order. */
export function createApp({ opening, health, callers, errors, endpoints, trustedProxies }: AppParts): Application {
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  app.set('query parser', false);
  app.set('trust proxy', trustedProxies.length === 0 ? false : [...trustedProxies]);
  const router = Router();
  mountHealthRoutes(router, health);
  mountEndpoints(router, endpoints, callers);
  router.use((_req: Request, res: Response) => {
    callers.checkPlatform(exchangeOf(res));
    throw new GatewayError('not_found', 'There is nothing at this address.');
  });
  const open = exchangeOpener({ ...opening, addressOf: clientAddressOf(trustedProxies) });
  const direct = directAnswers(endpoints, callers);
  app.use((req, res) => {
    const exchange = open(req, res);
    const refuse = (thrown: unknown): void => void errors.send(exchange, thrown);
    const answer = req.method === 'POST' ? direct.get(req.url) : undefined;
    if (!namesItsHost(req)) refuse(new GatewayError('invalid_request', 'The request has no Host header.'));
    else if (answer === undefined) router(req, res, refuse);
    else answer(exchange).catch(refuse);
  });
  return app;
}
