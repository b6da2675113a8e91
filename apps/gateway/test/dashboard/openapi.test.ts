import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { Ajv2020, type SchemaObject } from 'ajv/dist/2020.js';
import { contract, type OpenApiDocument, type RouteDefinition } from '@tollgate/dashboard-contract';
import { startTestGateway, type TestGateway } from '../../src/test-support/start-test-gateway.js';
import { addPerson, TestBrowser } from '../../src/test-support/test-browser.js';

const TEXT = { type: 'string', minLength: 1 };

function object(required: readonly string[], properties: Readonly<Record<string, SchemaObject>>): SchemaObject {
  return { type: 'object', required, properties, additionalProperties: false };
}

function mapOf(values: SchemaObject, names = '^.+$'): SchemaObject {
  return { type: 'object', patternProperties: { [names]: values }, additionalProperties: false };
}

/** Of OpenAPI 3.1; unknown members are refused. */
const JSON_SCHEMA = { $ref: 'https://json-schema.org/draft/2020-12/schema' };
const CONTENT = mapOf(object([], { schema: JSON_SCHEMA }), '^[a-z]+/[a-z.+-]+$');
const PARAMETER = {
  anyOf: [
    object(['name', 'in', 'schema', 'required'], { name: TEXT, in: { const: 'path' }, required: { const: true }, schema: JSON_SCHEMA }),
    object(['name', 'in', 'schema'], { name: TEXT, in: { const: 'query' }, required: { type: 'boolean' }, schema: JSON_SCHEMA }),
  ],
};
const OPERATION = object(['operationId', 'responses'], {
  operationId: TEXT, summary: TEXT, description: TEXT, security: { type: 'array', items: mapOf({ type: 'array', items: TEXT }) },
  parameters: { type: 'array', items: PARAMETER, uniqueItems: true }, requestBody: object(['content'], { content: CONTENT, required: { type: 'boolean' } }),
  responses: { ...mapOf(object(['description'], { description: TEXT, content: CONTENT }), '^(?:[1-5](?:\\d\\d|XX)|default)$'), minProperties: 1 },
});
const DOCUMENT = object(['openapi', 'info', 'paths'], {
  openapi: { type: 'string', pattern: '^3\\.1\\.\\d+$' },
  info: object(['title', 'version'], { title: TEXT, version: TEXT, description: TEXT }),
  servers: { type: 'array', items: object(['url'], { url: TEXT }) },
  paths: mapOf(mapOf(OPERATION, '^(?:get|put|post|delete|patch)$'), '^/'),
  components: object([], {
    schemas: mapOf(JSON_SCHEMA, '^[\\w.-]+$'),
    securitySchemes: mapOf(object(['type', 'name', 'in'], { type: { const: 'apiKey' }, name: TEXT, in: { const: 'cookie' } })),
  }),
});

interface Described {
  readonly operationId: string;
  readonly security: readonly object[];
  readonly parameters?: readonly { readonly name: string; readonly in: string }[];
  readonly requestBody?: { readonly content: { readonly 'application/json': { readonly schema: SchemaObject } } };
  readonly responses: Readonly<Record<string, { readonly content?: Readonly<Record<string, { readonly schema: SchemaObject }>> }>>;
}

const ROUTES: readonly (readonly [string, RouteDefinition])[] = Object.entries(contract);

let running: TestGateway;
let browser: TestBrowser;
let description: OpenApiDocument;

function operationOf({ path, method }: RouteDefinition): Described {
  return description.paths[path]?.[method] as unknown as Described;
}

beforeAll(async () => {
  running = await startTestGateway();
  browser = new TestBrowser(running.gateway);
  description = (await browser.call(contract.describe)).body as unknown as OpenApiDocument;
});
afterAll(() => running.close());

it('is OpenAPI 3.1, for anyone', () => {
  const validate = new Ajv2020({ allErrors: true }).compile(DOCUMENT);
  validate(description);
  expect(validate.errors).toBeNull();
});

it('lists every route of the contract once, and no other', () => {
  const described = Object.entries(description.paths).flatMap(([path, methods]) => Object.keys(methods).map((method) => `${method} ${path}`));
  expect(described.toSorted()).toEqual(ROUTES.map(([, { method, path }]) => `${method} ${path}`).toSorted());
  const names = Object.values(description.paths).flatMap((methods) => Object.values(methods)).map((operation) => operation['operationId']);
  expect(new Set(names)).toEqual(new Set(ROUTES.map(([name]) => name)));
});

it.each(ROUTES)('%s has its path parameters, success status and permitted roles', (_name, route) => {
  const { parameters = [], responses, security } = operationOf(route);
  const inPath = [...route.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
  expect(parameters.filter((parameter) => parameter.in === 'path').map(({ name }) => name)).toEqual(inPath);
  expect(Object.keys(responses)).toContain(String(route.status ?? 200));
  expect(security).toHaveLength(route.access === 'anyone' ? 0 : 1);
});

it('describes bodies and replies as the gateway accepts and sends them', async () => {
  const { person, password } = await addPerson(running.gateway, 'ann@example.com');
  await browser.call(contract.signIn, { body: { email: person.email, password } });
  const ajv = new Ajv2020({ validateFormats: false });
  const { requestBody, responses } = operationOf(contract.createKey);
  const body = { name: 'ci', spending_limit: { svc_tokens: '1.5', period: 'day' as const } };
  const takes = ajv.compile(requestBody?.content['application/json'].schema ?? false);
  expect([takes(body), takes({}), takes({ ...body, secret: 'x' }), takes({ spending_limit: { svc_tokens: 1.5, period: 'day' } })]).toEqual([true, true, false, false]);
  const gives = ajv.compile(responses['201']?.content?.['application/json']?.schema ?? false);
  const reply = await browser.call(contract.createKey, { body });
  expect([reply.status, gives(reply.body), gives({ ...reply.body, secret: undefined, hash: 'x' })]).toEqual([201, true, false]);
  const refusal = ajv.compile((description['components'] as { readonly schemas: { readonly Error: SchemaObject } }).schemas.Error);
  expect(refusal((await browser.call(contract.createKey, { body: { name: '' } })).body)).toBe(true);
});
