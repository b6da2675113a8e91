import type { ErrorCode } from '@tollgate/core';
import { v1Contract } from '../v1/v1-contract.js';
import type { V1Route } from '../v1/v1-route.js';
import { errorResponses, type ErrorTable, refusalOf } from './describe-errors.js';
import { pathsOf } from './describe-paths.js';
import { DocumentSchemas, IDEMPOTENCY_KEY_SCHEMA, jsonContent, type JsonSchema, type OpenApiDocument, type Operation, parametersIn } from './openapi-document.js';

const OWN_WORD = 'service tokens';

export interface ApiFacts {
  /** Version of the gateway. */
  readonly version: string;
  /** Name of the service. */
  readonly product: string;
  /** Plural of what pages and mails call service tokens. */
  readonly tokensWord: string;
  /** Status and type of each code. */
  readonly errors: ErrorTable;
}

const DESCRIPTION = [
  'Language models in three wire formats, billed in prepaid service tokens.',
  'Give official SDKs of the chat-completions and responses formats the base URL `<address>/v1`, those of the messages format `<address>`.',
  'Amounts are decimal strings and exact; times are RFC 3339 in UTC unless a format has its own form.',
].join(' ');

/**
 * Adds the installation's word for service tokens to a description. The names of fields are the same in all installations, so that programs work with
 * each.
 */
export function withWord(description: string, tokensWord: string): string {
  return tokensWord === OWN_WORD ? description : `${description} Service tokens are what the pages of this service call ${tokensWord}.`;
}

/** Codes of every route that takes an API key. */
const COMMON_CODES = [
  'invalid_request', 'missing_api_key', 'invalid_api_key', 'email_not_verified', 'account_inactive', 'account_blocked', 'api_key_blocked', 'ip_blocked', 'not_found',
  'rate_limit_exceeded', 'internal_error', 'maintenance_mode', 'service_unavailable',
] as const satisfies readonly ErrorCode[];

/** All codes that a route may refuse with. */
export function codesOfV1({ codes }: V1Route): readonly ErrorCode[] {
  return [...COMMON_CODES, ...codes];
}

const IDEMPOTENCY_KEY = {
  name: 'Idempotency-Key', in: 'header', required: false, schema: IDEMPOTENCY_KEY_SCHEMA,
  description: 'Repeats of a request under one key within 24 hours are generated and charged once, and answered with the stored reply.',
};

/** A body that comes too slowly is refused with this status and the code of an invalid request. */
export const SLOW_BODY_STATUS = 408;

function exampleOf({ example }: V1Route): object {
  return example === undefined ? {} : { example: example.request };
}

function repliesOf(route: V1Route, schemas: DocumentSchemas): object {
  const json = { 'application/json': { schema: schemas.schemaOf(route.reply, 'output') } };
  if (route.stream === undefined) return { description: 'Done.', content: json };
  const stream: JsonSchema = { type: 'string', description: route.stream.description, 'x-event-data': schemas.schemaOf(route.stream.event, 'output') };
  return { description: 'The reply, as one JSON value or as a stream of server-sent events.', content: { ...json, 'text/event-stream': { schema: stream } } };
}

interface Document {
  readonly schemas: DocumentSchemas;
  readonly table: ErrorTable;
}

function operationOf(name: string, route: V1Route, { schemas, table }: Document): Operation {
  const parameters = [...parametersIn('path', route.params, schemas), ...parametersIn('query', route.query, schemas), ...(route.isIdempotent === true ? [IDEMPOTENCY_KEY] : [])];
  const { name: refusalName, schema } = refusalOf(route);
  const refusal = schemas.add(refusalName, schema);
  return {
    operationId: name,
    tags: [route.tag],
    summary: route.summary,
    description: route.description,
    security: [{ bearer: [] }, { apiKey: [] }],
    ...(parameters.length === 0 ? {} : { parameters }),
    ...(route.body === undefined ? {} : { requestBody: { required: true, content: { 'application/json': { schema: schemas.schemaOf(route.body, 'input'), ...exampleOf(route) } } } }),
    responses: {
      200: repliesOf(route, schemas),
      ...(route.body === undefined ? {} : { [SLOW_BODY_STATUS]: { description: 'Refused, since the body came too slowly: `invalid_request`.', content: jsonContent(refusal) } }),
      ...errorResponses(codesOfV1(route), { table, schema: refusal }),
    },
  };
}

/** Describes every route under `/v1` that an API key may use. */
export function describeV1({ version, product, tokensWord, errors }: ApiFacts): OpenApiDocument {
  const schemas = new DocumentSchemas();
  const paths = pathsOf<V1Route>(v1Contract, (name, route) => operationOf(name, route, { schemas, table: errors }));
  return {
    openapi: '3.1.0',
    info: { title: product, version, description: withWord(DESCRIPTION, tokensWord) },
    servers: [{ url: '/' }],
    paths,
    components: {
      schemas: schemas.components,
      securitySchemes: {
        bearer: { type: 'http', scheme: 'bearer', description: 'An API key: `Authorization: Bearer sk-…`.' },
        apiKey: { type: 'apiKey', in: 'header', name: 'x-api-key', description: 'The same key, as clients of the messages format send it.' },
      },
    },
  };
}
