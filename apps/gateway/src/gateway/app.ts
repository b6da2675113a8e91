import type { RequestListener } from 'node:http';
import express from 'express';
import type { Application, IRouter, Request, RequestHandler, Response } from 'express';
import type { CatalogueSource, ResponseStore, TokenCounting } from '@tollgate/core';
import type { LeaseKeeper } from '../background/lease-keeper.js';
import type { AdmissionGate } from '../http/admission-gate.js';
import { answer, exchangeOf } from '../http/middleware/answer.js';
import { errorHandler } from '../http/middleware/error-handler.js';
import { requestContext, type RequestContextPorts } from '../http/middleware/request-context.js';
import type { BodyBudget } from '../http/body-budget.js';
import type { JsonBodyReader } from '../http/json-body-reader.js';
import { sendJson } from '../http/reply/send-json.js';
import { READS } from '../http/middleware/refuse-unknown.js';
import { type CallerPorts, type Endpoint, mountEndpoints, mountOtherMethods, mountRefusal } from '../http/middleware/endpoint.js';
import type { ErrorReply } from '../http/reply/error-reply.js';
import { accountEndpoint } from '../routes/account.js';
import type { AccountStatePorts } from '../routes/account-state.js';
import { apiKeysEndpoints } from '../routes/api-keys.js';
import { countTokensEndpoint, generationEndpoint } from '../routes/generation/generation-endpoints.js';
import type { Generations } from '../routes/generation/generation-handler.js';
import { responseEndpoints } from '../routes/generation/response-endpoints.js';
import type { StoredLoads } from '../routes/generation/stored-loads.js';
import { modelsEndpoints } from '../routes/models.js';
import { listUsageEndpoint, readUsageEndpoint, summariseUsageEndpoint } from '../routes/usage.js';
import type { OfferedFormats } from '../http/error-format.js';
import type { WaitingSettlements } from '../observability/state-metrics.js';

interface AppParts {
  readonly context: RequestContextPorts;
  readonly callers: CallerPorts;
  readonly health: HealthPorts;
  readonly endpoints: EndpointPorts;
  readonly root: RequestHandler;
  readonly openApi: RequestHandler;
  readonly dashboard: RequestHandler;
  readonly admin: RequestHandler;
  readonly paymentNotifications: RequestHandler;
  readonly errors: ErrorReply;
}

/** Every request passes these middlewares in this order. */
export function createApp({ context, callers, health, endpoints, root, openApi, dashboard, admin, paymentNotifications, errors }: AppParts): RequestListener {
  const router = express.Router();
  router.use(requestContext(context));
  mountEndpoints(router, createEndpoints(endpoints), callers);
  mountHealthRoutes(router, health, callers);
  router.use(withPages([root, openApi, dashboard, admin, paymentNotifications]));
  mountRefusal(router, callers);
  router.use(errorHandler(errors));
  const serve: RequestListener = (req, res) => router(req as Request, res as Response, () => {
    // Express passes a request with a malformed target to no middleware, so it is treated as a request to an unknown path.
    req.url = '/unreadable-target';
    serve(req, res);
  });
  return serve;
}

/**
 * Only pages need Express's own methods on requests and replies. Therefore only they run in an application, which changes the prototypes of each
 * request and reply.
 */
function withPages(handlers: readonly RequestHandler[]): Application {
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  app.set('query parser', false);
  return app.use(headersForExpress, ...handlers);
}

/** Express's own methods send only headers that are set on the reply. */
const headersForExpress: RequestHandler = (_req, res, next) => {
  exchangeOf(res).setAddedHeaders();
  next();
};

interface EndpointPorts extends AccountStatePorts {
  readonly generations: Generations;
  readonly counting: TokenCounting;
  readonly formats: OfferedFormats;
  readonly responses: ResponseStore;
  readonly loads: StoredLoads;
  readonly bodies: JsonBodyReader;
}

/** Of two matching paths, the more specific one is first. */
function createEndpoints(ports: EndpointPorts): readonly Endpoint[] {
  const { generations, counting, formats, responses, loads, bodies, catalogue, keys, usage, clock } = ports;
  return [
    generationEndpoint('/v1/chat/completions', { handler: generations.chat, bodies }),
    generationEndpoint('/v1/messages', { handler: generations.messages, bodies }),
    generationEndpoint('/v1/responses', { handler: generations.responses, bodies }),
    countTokensEndpoint('/v1/messages/count_tokens', { catalogue, counting, bodies, format: formats.messages, kept: null }),
    countTokensEndpoint('/v1/responses/input_tokens', { catalogue, counting, bodies, format: formats.responses, kept: generations.responses.kept }),
    ...responseEndpoints({ responses, loads, clock, format: formats.responses }),
    ...modelsEndpoints(catalogue),
    accountEndpoint(ports),
    ...apiKeysEndpoints(keys, clock),
    listUsageEndpoint(usage),
    summariseUsageEndpoint(usage, clock),
    readUsageEndpoint(usage),
  ];
}

interface HealthPorts {
  readonly gate: AdmissionGate;
  /** Knows whether the store accepts writes, so a probe does not have to query it. */
  readonly leaseKeeper: LeaseKeeper;
  readonly budget: BodyBudget;
  readonly outbox: Pick<WaitingSettlements, 'isFailing'>;
  readonly catalogue: CatalogueSource;
}

/** `GET /healthz`: the process is alive. `GET /readyz`: it can serve. Public, also during maintenance. */
function mountHealthRoutes(router: IRouter, { gate, leaseKeeper, budget, outbox, catalogue }: HealthPorts, callers: CallerPorts): void {
  router.get('/healthz', answer((exchange) => sendJson(exchange, 200, { status: 'ok' })));
  router.get('/readyz', answer((exchange) => {
    const store = leaseKeeper.storeState;
    const models = catalogue.current().models.length > 0 ? 'ok' : 'none';
    const isReady = !gate.isStopping && store === 'ok' && models === 'ok';
    const status = gate.isStopping ? 'stopping' : 'unavailable';
    const notices = { ...(budget.isFull ? { bodies: 'full' } : {}), ...(outbox.isFailing ? { outbox: 'failing' } : {}) };
    sendJson(exchange, isReady ? 200 : 503, { status: isReady ? 'ready' : status, store, models, ...notices });
  }));
  for (const path of ['/healthz', '/readyz']) mountOtherMethods(router.route(path), READS, callers);
}
