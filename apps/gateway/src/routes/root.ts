import type { BrandSettings } from '@tollgate/adapters-config';
import type { RequestHandler } from 'express';
import type { PublicAddress } from '../http/public-address.js';
import { answer } from '../http/middleware/answer.js';
import { onlyReads } from '../http/middleware/refuse-unknown.js';
import { sendJson } from '../http/reply/send-json.js';
import { pathOf } from '../http/request-target.js';
import type { UnbilledLimits } from '../http/unbilled-limits.js';
import { wantsPage } from '../http/wants-page.js';

const ROOT = '/';
const HOME = '/dashboard';

/**
 * Description of the service and its endpoints, for terminals and for clients with a wrong base URL. `base` is the configured public address, or else
 * the address that the client used.
 */
function description({ name, base, origin }: { readonly name: string; readonly base: string; readonly origin: string }): object {
  return {
    object: 'service',
    name,
    description: 'A gateway to language models. Requests below /v1 need an API key.',
    base_urls: { openai: `${base}/v1`, anthropic: base },
    endpoints: {
      chat_completions: 'POST /v1/chat/completions', messages: 'POST /v1/messages', responses: 'POST /v1/responses',
      models: 'GET /v1/models', account: 'GET /v1/account', usage: 'GET /v1/usage',
    },
    reference: `${origin}/docs`,
    openapi: 'GET /openapi.json',
    health: { alive: 'GET /healthz', ready: 'GET /readyz' },
    dashboard: origin + HOME,
  };
}

interface RootPorts {
  readonly unbilled: UnbilledLimits;
  readonly address: PublicAddress;
  readonly brand: Pick<BrandSettings, 'name'>;
}

/** `GET /`: redirects browsers to the dashboard; describes the service to other clients. Public. */
export function rootRoute({ unbilled, address, brand }: RootPorts): RequestHandler {
  const reply = onlyReads(answer((exchange) => {
    exchange.reach(ROOT);
    unbilled.countStranger(exchange);
    if (wantsPage(exchange.req)) exchange.res.redirect(302, HOME);
    else sendJson(exchange, 200, description({ name: brand.name, base: address.baseFor(exchange.req.headers.host), origin: address.origin }));
  }), (exchange) => unbilled.countStranger(exchange));
  return (req, res, next) => {
    return pathOf(req.url) === ROOT ? reply(req, res, next) : next();
  };
}
