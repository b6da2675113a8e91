import type { BrandSettings } from '@tollgate/adapters-config';
import { describeAdmin, describeDashboard, describeV1, type OpenApiDocument } from '@tollgate/api-contract';
import { errorTable } from '@tollgate/wire-kit';
import type { RequestHandler } from 'express';
import { answer } from '../http/middleware/answer.js';
import { onlyReads } from '../http/middleware/refuse-unknown.js';
import type { PublicAddress } from '../http/public-address.js';
import { QueryParameters } from '../http/query-parameters.js';
import { sendTagged, type TaggedBody, tagged } from '../http/reply/send-tagged.js';
import { pathOf } from '../http/request-target.js';
import type { UnbilledLimits } from '../http/unbilled-limits.js';
import { VERSION } from '../observability/version.js';

const PATH = '/openapi.json';
/** Path at which people expect the reference, which is a page of the dashboard. */
const REFERENCE = '/docs';
const REFERENCE_PAGE = '/dashboard/reference';
const SURFACES = ['v1', 'admin', 'dashboard'] as const;
type Surface = (typeof SURFACES)[number];

interface OpenApiPorts {
  readonly unbilled: UnbilledLimits;
  readonly address: PublicAddress;
  readonly brand: Pick<BrandSettings, 'name' | 'tokenWord'>;
}

/**
 * `GET /openapi.json` describes `/v1`, or the surface that `?surface=` names. It needs no key, because it tells about the installation only the
 * version, the cookie's name, the brand and its word for service tokens. `GET /docs` redirects people to the reference.
 */
export function openApiRoute({ unbilled, address, brand }: OpenApiPorts): RequestHandler {
  const facts = { version: VERSION, product: brand.name, tokensWord: brand.tokenWord.many };
  const documents = new Map<Surface, TaggedBody>();
  const describe: Readonly<Record<Surface, () => OpenApiDocument>> = {
    v1: () => describeV1({ ...facts, errors: errorTable }),
    admin: () => describeAdmin({ ...facts, errors: errorTable }),
    dashboard: () => describeDashboard({ ...facts, cookieName: address.cookieForm.name }),
  };
  const documentOf = (surface: Surface): TaggedBody => {
    const document = documents.get(surface) ?? tagged(describe[surface]());
    documents.set(surface, document);
    return document;
  };
  const count = unbilled.countStranger.bind(unbilled);
  const reply = onlyReads(answer((exchange) => {
    exchange.reach(PATH);
    unbilled.countStranger(exchange);
    sendTagged(exchange, documentOf(QueryParameters.of(exchange).oneOf('surface', SURFACES, 'v1')), 'public');
  }), count);
  const redirect = onlyReads(answer((exchange) => {
    exchange.reach(REFERENCE);
    unbilled.countStranger(exchange);
    exchange.res.redirect(302, address.origin + REFERENCE_PAGE);
  }), count);
  return (req, res, next) => {
    const path = pathOf(req.url);
    if (path === PATH) return reply(req, res, next);
    return path === REFERENCE ? redirect(req, res, next) : next();
  };
}
