import express, { type Application, type Request, type Response, Router } from 'express';
import type { CallerGate } from '../http/caller-gate.js';
import type { Endpoint } from '../http/endpoint.js';
import { clientAddressOf } from '../http/client-address.js';
import { directAnswers, mountEndpoints } from '../http/mount-endpoints.js';
import { exchangeOf, exchangeOpener, type OpenExchangePorts } from '../http/open-exchange.js';
import { refuseAmbiguousHeaders } from '../http/refuse-ambiguous-headers.js';
import { unofferedPath } from '../http/unoffered-paths.js';
import type { ErrorReply } from '../http/reply/error-reply.js';
import type { RefusalDelay } from '../http/reply/refusal-delay.js';
import { type HealthPorts, mountHealthRoutes } from '../routes/health/health-routes.js';

export interface AppParts {
  readonly opening: Omit<OpenExchangePorts, 'addressOf'>;
  readonly health: HealthPorts;
  readonly callers: CallerGate;
  readonly errors: ErrorReply;
  readonly delay: RefusalDelay;
  readonly endpoints: readonly Endpoint[];
  /** Networks of proxies whose word on the client's address is taken; none, unless configured. */
  readonly trustedProxies: readonly string[];
}

/** The HTTP application: every request passes here in this order. */
export function createApp({ opening, health, callers, errors, delay, endpoints, trustedProxies }: AppParts): Application {
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  app.set('query parser', false);
  const router = Router();
  mountHealthRoutes(router, health);
  mountEndpoints(router, endpoints, callers);
  router.use((req: Request, res: Response) => callers.admitToNothing(exchangeOf(res)).then(() => {
    throw unofferedPath(req.originalUrl);
  }));
  const open = exchangeOpener({ ...opening, addressOf: clientAddressOf(trustedProxies) });
  const direct = directAnswers(endpoints, callers);
  app.use((req, res) => {
    if (delay.isWaitingOn(req.socket)) {
      req.socket.destroy();
      return;
    }
    const exchange = open(req, res);
    const refuse = (thrown: unknown): void => void errors.send(exchange, thrown);
    const answer = req.method === 'POST' ? direct.get(req.url) : undefined;
    refuseAmbiguousHeaders(req, res, (ambiguity?: unknown) => {
      if (ambiguity !== undefined) refuse(ambiguity);
      else if (answer === undefined) router(req, res, refuse);
      else answer(exchange).catch(refuse);
    });
  });
  return app;
}
