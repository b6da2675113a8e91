import { contract } from '../routes/contract.js';
import type { RouteDefinition } from '../definition/route-contract.js';
import { refusalOf } from './describe-errors.js';
import { type ApiFacts, withWord } from './describe-v1.js';
import { DocumentSchemas, jsonContent, type JsonSchema, type OpenApiDocument, type Operation, parametersIn } from './openapi-document.js';
import { contentOf, pathsOf } from './describe-paths.js';

export interface DashboardFacts extends Omit<ApiFacts, 'errors'> {
  /** The cookie that holds a session. */
  readonly cookieName: string;
}

const OK = 200;
const NO_CONTENT = 204;
const DESCRIPTION = 'What pages of the dashboard read and change. A session is a cookie; requests that change something carry the dashboard’s own Origin and a JSON body. API keys open nothing here.';
const ACCESS: Readonly<Record<RouteDefinition['access'], string>> = {
  'anyone': 'For anyone.',
  'signed-in': 'For every session, also one that has yet to prove or set up a second factor.',
  'owner': 'For sessions that have proved all that is required of them.',
  'operator': 'For operators; to others it does not exist.',
};

function responsesOf(route: RouteDefinition, schemas: DocumentSchemas): object {
  const status = route.status ?? OK;
  const refusal = refusalOf(route);
  return {
    [status]: { description: status === NO_CONTENT ? 'Done; without a body.' : 'Done.', ...contentOf(route, schemas) },
    ...(route.cache === 'etag' ? { 304: { description: 'Nothing has changed since the answer with this ETag.' } } : {}),
    default: { description: 'A refusal or failure.', content: jsonContent(schemas.add(refusal.name, refusal.schema)) },
  };
}

function descriptionOf({ access, fresh, openTo }: RouteDefinition): string {
  return [
    ACCESS[access],
    ...(fresh === true ? ['Wants a password, factor or sign-in link that was proved in the last ten minutes.'] : []),
    ...(openTo === 'inactive' ? ['Also for owners of suspended accounts.'] : []),
    ...(openTo === 'pending-deletion' ? ['Also while the deletion of the account is pending.'] : []),
  ].join(' ');
}

/** Schema that refers to the description of `/v1` for the fields. */
const GENERATION_BODY: JsonSchema = { type: 'object', description: 'A request as the route of the same format under `/v1` takes it.' };

function bodyOf({ body, takes }: RouteDefinition, schemas: DocumentSchemas): JsonSchema | null {
  if (takes === 'generation') return GENERATION_BODY;
  return body === undefined ? null : schemas.schemaOf(body, 'input');
}

function operationOf(name: string, route: RouteDefinition, schemas: DocumentSchemas): Operation {
  const body = bodyOf(route, schemas);
  const parameters = [...parametersIn('path', route.params, schemas), ...parametersIn('query', route.query, schemas)];
  return {
    operationId: name,
    summary: route.summary,
    description: descriptionOf(route),
    security: route.access === 'anyone' ? [] : [{ session: [] }],
    ...(parameters.length === 0 ? {} : { parameters }),
    ...(body === null ? {} : { requestBody: { required: true, content: jsonContent(body) } }),
    responses: responsesOf(route, schemas),
  };
}

/** Describes every route under `/dashboard/api`. */
export function describeDashboard({ version, product, tokensWord, cookieName }: DashboardFacts): OpenApiDocument {
  const schemas = new DocumentSchemas();
  const paths = pathsOf<RouteDefinition>(contract, (name, route) => operationOf(name, route, schemas));
  return {
    openapi: '3.1.0',
    info: { title: `${product} dashboard`, version, description: withWord(DESCRIPTION, tokensWord) },
    servers: [{ url: '/dashboard/api' }],
    paths,
    components: { schemas: schemas.components, securitySchemes: { session: { type: 'apiKey', in: 'cookie', name: cookieName } } },
  };
}
