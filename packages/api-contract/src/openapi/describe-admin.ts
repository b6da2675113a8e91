import type { ErrorCode } from '@tollgate/core';
import { adminContract } from '../admin/admin-contract.js';
import type { AdminRoute } from '../admin/admin-route.js';
import { errorResponses, type ErrorTable, refusalOf } from './describe-errors.js';
import { type ApiFacts, withWord } from './describe-v1.js';
import { contentOf, pathsOf } from './describe-paths.js';
import { DocumentSchemas, IDEMPOTENCY_KEY_SCHEMA, jsonContent, type OpenApiDocument, type Operation, parametersIn } from './openapi-document.js';

const DESCRIPTION = [
  'What a shop, portal or accounting system of the operator reads and changes.',
  'A machine is a credential with scopes, made on the operator’s command line or dashboard; it cannot call models.',
  'Amounts are decimal strings and exact; times are RFC 3339 in UTC.',
].join(' ');

const COMMON_CODES: readonly ErrorCode[] = [
  'invalid_request', 'invalid_api_key', 'ip_blocked', 'not_found', 'rate_limit_exceeded', 'internal_error', 'service_unavailable',
];

function scopeOf({ access }: AdminRoute): string {
  return access === 'any' ? 'For every machine.' : `Needs the scope \`${access}\`.`;
}

const CHANGE_CODES: readonly ErrorCode[] = ['idempotency_conflict', 'conflict', 'account_inactive', 'key_quota_exceeded', 'key_creations_exceeded'];
const BODY_CODES: readonly ErrorCode[] = ['payload_too_large', 'unsupported_media_type', 'server_busy'];
const OK = 200;

/** All codes that a route may refuse with. */
export function codesOfAdmin({ access, method, body, codes: own = [] }: AdminRoute): readonly ErrorCode[] {
  const codes = access === 'any' ? COMMON_CODES : [...COMMON_CODES, 'scope_missing' as const];
  return [...codes, ...own, ...(method === 'get' ? [] : CHANGE_CODES), ...(body === undefined ? [] : BODY_CODES)];
}

const IDEMPOTENCY_KEY = {
  name: 'Idempotency-Key', in: 'header', required: false, schema: IDEMPOTENCY_KEY_SCHEMA,
  description: 'Printable ASCII characters, different for every change. The same request under it is made once and answered alike for 24 hours.',
} as const;

interface Document {
  readonly schemas: DocumentSchemas;
  readonly table: ErrorTable;
}

function operationOf(name: string, route: AdminRoute, { schemas, table }: Document): Operation {
  const refusal = refusalOf(route);
  const parameters = [...parametersIn('path', route.params, schemas), ...parametersIn('query', route.query, schemas), ...(route.method === 'get' ? [] : [IDEMPOTENCY_KEY])];
  return {
    operationId: name,
    summary: route.summary,
    description: scopeOf(route),
    security: [{ machine: [] }],
    ...(parameters.length === 0 ? {} : { parameters }),
    ...(route.body === undefined ? {} : { requestBody: { required: true, content: jsonContent(schemas.schemaOf(route.body, 'input')) } }),
    responses: {
      [route.status ?? OK]: { description: 'Done.', ...contentOf(route, schemas) },
      ...errorResponses(codesOfAdmin(route), { table, schema: schemas.add(refusal.name, refusal.schema) }),
    },
  };
}

/** Describes every route under `/admin/v1`. */
export function describeAdmin({ version, product, tokensWord, errors }: ApiFacts): OpenApiDocument {
  const schemas = new DocumentSchemas();
  const paths = pathsOf<AdminRoute>(adminContract, (name, route) => operationOf(name, route, { schemas, table: errors }));
  return {
    openapi: '3.1.0',
    info: { title: `${product} for machines`, version, description: withWord(DESCRIPTION, tokensWord) },
    servers: [{ url: '/admin/v1' }],
    paths,
    components: { schemas: schemas.components, securitySchemes: { machine: { type: 'http', scheme: 'bearer', description: 'The secret of a machine: `Authorization: Bearer tgm_…`.' } } },
  };
}
