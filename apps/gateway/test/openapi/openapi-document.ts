import type { SchemaObject } from 'ajv/dist/2020.js';

const TEXT = { type: 'string', minLength: 1 };

function object(required: readonly string[], properties: Readonly<Record<string, SchemaObject>>): SchemaObject {
  return { type: 'object', required, properties, additionalProperties: false };
}

function mapOf(values: SchemaObject, names = '^.+$'): SchemaObject {
  return { type: 'object', patternProperties: { [names]: values }, additionalProperties: false };
}

const JSON_SCHEMA = { $ref: 'https://json-schema.org/draft/2020-12/schema' };
const CONTENT = mapOf(object(['schema'], { schema: JSON_SCHEMA, example: {} }), '^[a-z]+/[a-z.+-]+$');
const PARAMETER = {
  anyOf: [
    object(['name', 'in', 'schema', 'required'], { name: TEXT, in: { const: 'path' }, required: { const: true }, schema: JSON_SCHEMA, description: TEXT }),
    object(['name', 'in', 'schema'], { name: TEXT, in: { enum: ['query', 'header'] }, required: { type: 'boolean' }, schema: JSON_SCHEMA, description: TEXT }),
  ],
};
const OPERATION = object(['operationId', 'responses'], {
  operationId: TEXT, summary: TEXT, description: TEXT, tags: { type: 'array', items: TEXT }, security: { type: 'array', items: mapOf({ type: 'array', items: TEXT }) },
  parameters: { type: 'array', items: PARAMETER, uniqueItems: true }, requestBody: object(['content'], { content: CONTENT, required: { type: 'boolean' } }),
  responses: { ...mapOf(object(['description'], { description: TEXT, content: CONTENT }), '^(?:[1-5](?:\\d\\d|XX)|default)$'), minProperties: 1 },
});
const SECURITY_SCHEME = {
  anyOf: [
    object(['type', 'name', 'in'], { type: { const: 'apiKey' }, name: TEXT, in: { enum: ['cookie', 'header'] }, description: TEXT }),
    object(['type', 'scheme'], { type: { const: 'http' }, scheme: { const: 'bearer' }, description: TEXT }),
  ],
};

/** A schema of the parts of OpenAPI 3.1 that these documents use; it refuses other members. */
export const OPENAPI_DOCUMENT: SchemaObject = object(['openapi', 'info', 'paths'], {
  openapi: { type: 'string', pattern: '^3\\.1\\.\\d+$' },
  info: object(['title', 'version'], { title: TEXT, version: TEXT, description: TEXT }),
  servers: { type: 'array', items: object(['url'], { url: TEXT }) },
  paths: mapOf(mapOf(OPERATION, '^(?:get|put|post|delete|patch)$'), '^/'),
  components: object([], { schemas: mapOf(JSON_SCHEMA, '^[\\w.-]+$'), securitySchemes: mapOf(SECURITY_SCHEME) }),
});
