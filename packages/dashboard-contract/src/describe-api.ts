import { z } from 'zod';
import { contract } from './contract.js';
import type { RouteDefinition } from './definition/route-contract.js';

type JsonSchema = z.core.JSONSchema.BaseSchema;

type Operation = Record<string, unknown>;

/** The parts of an OpenAPI 3.1 document that the gateway reads. */
export interface OpenApiDocument {
  readonly openapi: '3.1.0';
  readonly info: { readonly title: string; readonly version: string; readonly description: string };
  /** By path, then by method. */
  readonly paths: Record<string, Record<string, Operation>>;
  readonly [member: string]: unknown;
}

export interface ApiFacts {
  /** Of the gateway. */
  readonly version: string;
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

const ERROR_ENVELOPE = {
  type: 'object',
  required: ['error'],
  properties: {
    error: {
      type: 'object',
      required: ['message', 'type', 'code', 'request_id'],
      properties: {
        message: { type: 'string' },
        type: { type: 'string' },
        code: { type: 'string', description: 'Stable; docs/errors.md lists all.' },
        param: { type: ['string', 'null'], description: 'The field at fault.' },
        request_id: { type: 'string' },
      },
    },
  },
};

/** Removes what only validation needs. */
function simplify(schema: JsonSchema): void {
  delete schema.readOnly;
  if (schema.format === 'date-time') delete schema.pattern;
}

function schemaOf(schema: z.ZodType, io: 'input' | 'output'): JsonSchema {
  const { $schema: _dialect, '~standard': _standard, ...described } = z.toJSONSchema(schema, { io, unrepresentable: 'any', override: ({ jsonSchema }) => simplify(jsonSchema) });
  return described;
}

function parametersIn(place: 'path' | 'query', schema: z.ZodType | undefined): readonly object[] {
  if (schema === undefined) return [];
  const { properties = {}, required = [] } = schemaOf(schema, 'input');
  return Object.entries(properties).map(([name, described]) => ({ name, in: place, required: place === 'path' || required.includes(name), schema: described }));
}

function contentOf({ reply, produces }: RouteDefinition): object {
  if (produces !== undefined) return { content: Object.fromEntries([produces].flat().map((type) => [type, { schema: { type: type === 'application/json' ? 'object' : 'string' } }])) };
  return reply === undefined ? {} : { content: { 'application/json': { schema: schemaOf(reply, 'output') } } };
}

function responsesOf(route: RouteDefinition): object {
  const status = route.status ?? OK;
  return {
    [status]: { description: status === NO_CONTENT ? 'Done; without a body.' : 'Done.', ...contentOf(route) },
    ...(route.cache === 'etag' ? { 304: { description: 'Nothing has changed since the answer with this ETag.' } } : {}),
    default: { description: 'A refusal or failure.', content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } } },
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

/** The formats describe their requests themselves. */
const GENERATION_BODY: JsonSchema = { type: 'object', description: 'A request as POST /v1/chat/completions or POST /v1/messages takes it.' };

function bodyOf({ body, takes }: RouteDefinition): JsonSchema | null {
  if (takes === 'generation') return GENERATION_BODY;
  return body === undefined ? null : schemaOf(body, 'input');
}

function operationOf(name: string, route: RouteDefinition): Operation {
  const body = bodyOf(route);
  const parameters = [...parametersIn('path', route.params), ...parametersIn('query', route.query)];
  return {
    operationId: name,
    summary: route.summary,
    description: descriptionOf(route),
    security: route.access === 'anyone' ? [] : [{ session: [] }],
    ...(parameters.length === 0 ? {} : { parameters }),
    ...(body === null ? {} : { requestBody: { required: true, content: { 'application/json': { schema: body } } } }),
    responses: responsesOf(route),
  };
}

/** Describes every route of the contract. */
export function describeApi({ version, cookieName }: ApiFacts): OpenApiDocument {
  const paths: OpenApiDocument['paths'] = {};
  const routes: readonly (readonly [string, RouteDefinition])[] = Object.entries(contract);
  for (const [name, route] of routes) paths[route.path] = { ...paths[route.path], [route.method]: operationOf(name, route) };
  return {
    openapi: '3.1.0',
    info: { title: 'Tollgate dashboard', version, description: DESCRIPTION },
    servers: [{ url: '/dashboard/api' }],
    paths,
    components: {
      schemas: { Error: ERROR_ENVELOPE },
      securitySchemes: { session: { type: 'apiKey', in: 'cookie', name: cookieName } },
    },
  };
}
