import type { RequestListener } from 'node:http';
import express, { type Request, type RequestHandler, type Response } from 'express';
import type { Endpoint } from '../http/routing/endpoint.js';
import { errorHandler } from '../http/middleware/error-handler.js';
import { refuseAmbiguousHeaders } from '../http/middleware/refuse-ambiguous-headers.js';
import { refusePipelining } from '../http/middleware/refuse-pipelining.js';
import { requestContext, type RequestContextPorts } from '../http/middleware/request-context.js';
import { type CallerPorts, mountEndpoints, mountRefusal } from '../http/routing/mount-endpoints.js';
import type { ErrorReply } from '../http/reply/error-reply.js';
import type { RefusalDelay } from '../http/reply/refusal-delay.js';
import { type HealthPorts, mountHealthRoutes } from '../routes/health/health-routes.js';

export interface AppParts {
  readonly context: RequestContextPorts;
  readonly callers: CallerPorts;
  readonly health: HealthPorts;
  readonly endpoints: readonly Endpoint[];
  readonly dashboard: RequestHandler;
  readonly errors: ErrorReply;
  readonly delay: RefusalDelay;
}

/** The HTTP application: every request passes these middlewares in this order. */
export function createApp({ context, callers, health, endpoints, dashboard, errors, delay }: AppParts): RequestListener {
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  app.set('query parser', false);
  app.use(refusePipelining(delay), requestContext(context), refuseAmbiguousHeaders);
  mountEndpoints(app, endpoints, callers);
  mountHealthRoutes(app, health);
  app.use(dashboard);
  mountRefusal(app, callers);
  app.use(errorHandler(errors));
  return (req, res) => {
    app(req as Request, res as Response, () => {
      // Express hands a request whose target is no URL to no middleware. It is for an address without an endpoint.
      req.url = '/';
      app(req, res);
    });
  };
}
