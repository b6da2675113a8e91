import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { adminContract, contract, type OpenApiDocument, type RouteParts, v1Contract } from '@tollgate/api-contract';
import { Ajv2020, type SchemaObject } from 'ajv/dist/2020.js';
import { startTestGateway, type TestGateway } from '../../src/test-support/start-test-gateway.js';
import { addPerson, TestBrowser } from '../../src/test-support/test-browser.js';
import { OPENAPI_DOCUMENT } from './openapi-document.js';

interface Described {
  readonly operationId: string;
  readonly security: readonly object[];
  readonly parameters?: readonly { readonly name: string; readonly in: string; readonly description?: string; readonly schema: SchemaObject }[];
  readonly requestBody?: Reply;
  readonly responses: Readonly<Record<string, Reply>>;
}

interface Reply {
  readonly content?: Readonly<Record<string, { readonly schema: SchemaObject; readonly example?: unknown }>>;
}

const SURFACES: readonly (readonly [string, Readonly<Record<string, RouteParts>>])[] = [['v1', v1Contract], ['admin', adminContract], ['dashboard', contract]];

let running: TestGateway;
const documents = new Map<string, OpenApiDocument>();

beforeAll(async () => {
  running = await startTestGateway();
  for (const [surface] of SURFACES) documents.set(surface, await (await fetch(`${running.url}/openapi.json?surface=${surface}`)).json() as OpenApiDocument);
});
afterAll(() => running.close());

function documentOf(surface: string): OpenApiDocument {
  const document = documents.get(surface);
  if (document === undefined) throw new Error(`no document of ${surface}`);
  return document;
}

function operationsOf(surface: string): readonly (readonly [place: string, operation: Described])[] {
  return Object.entries(documentOf(surface).paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => [`${method} ${path}`, operation as unknown as Described] as const));
}

/** Places in the schema that have a member without description. */
function undescribed(schema: SchemaObject, place: string): readonly string[] {
  const { properties = {}, items, additionalProperties, anyOf = [], allOf = [], oneOf = [] } = schema as { readonly [Name in 'items' | 'additionalProperties']?: SchemaObject | boolean }
    & { readonly properties?: Readonly<Record<string, SchemaObject>> } & { readonly [Name in 'anyOf' | 'allOf' | 'oneOf']?: readonly SchemaObject[] };
  return [
    ...Object.entries(properties).flatMap(([name, member]) => [
      ...('description' in member || '$ref' in member ? [] : [`${place}.${name}`]), ...undescribed(member, `${place}.${name}`),
    ]),
    ...[items, additionalProperties, ...anyOf, ...allOf, ...oneOf].flatMap((part) => (typeof part === 'object' ? undescribed(part, place) : [])),
  ];
}

describe.each(SURFACES)('the description of %s', (surface, routes) => {
  it('is OpenAPI 3.1', () => {
    const validate = new Ajv2020({ allErrors: true }).compile(OPENAPI_DOCUMENT);
    validate(documentOf(surface));
    expect(validate.errors).toBeNull();
  });

  it('names every route of the contract once, and no other', () => {
    expect(operationsOf(surface).map(([place]) => place).toSorted()).toEqual(Object.values(routes).map(({ method, path }) => `${method} ${path}`).toSorted());
    expect(new Set(operationsOf(surface).map(([, { operationId }]) => operationId))).toEqual(new Set(Object.keys(routes)));
  });

  it('describes every operation, parameter, component and property', () => {
    const { schemas } = documentOf(surface).components;
    const missing = [
      ...operationsOf(surface).flatMap(([place, { parameters = [], requestBody, responses, ...operation }]) => [
        ...('summary' in operation && 'description' in operation ? [] : [place]),
        ...parameters.flatMap(({ name, description, schema }) => [...(description === undefined ? [`${place} ${name}`] : []), ...undescribed(schema, `${place} ${name}`)]),
        ...[requestBody, ...Object.values(responses)].flatMap((reply) => Object.values(reply?.content ?? {}).flatMap(({ schema }) => undescribed(schema, place))),
      ]),
      ...Object.entries(schemas).flatMap(([name, schema]) => [...('description' in schema ? [] : [name]), ...undescribed(schema, name)]),
    ];
    expect(missing).toEqual([]);
  });

  it('refers only to components that exist', () => {
    const text = JSON.stringify(documentOf(surface));
    const named = [...text.matchAll(/"#\/components\/schemas\/([^"]+)"/g)].map(([, name]) => name);
    expect([...new Set(named)].filter((name) => !Object.hasOwn(documentOf(surface).components.schemas, name ?? ''))).toEqual([]);
  });

  it('declares exactly the parameters that each path contains', () => {
    for (const [place, { parameters = [] }] of operationsOf(surface)) {
      const inPath = [...place.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
      expect([place, parameters.filter((parameter) => parameter.in === 'path').map(({ name }) => name)]).toEqual([place, inPath]);
    }
  });
});

it('the description is public, and revalidated by its ETag', async () => {
  const first = await fetch(`${running.url}/openapi.json`);
  expect([first.status, first.headers.get('cache-control')]).toEqual([200, 'public, no-cache']);
  const again = await fetch(`${running.url}/openapi.json`, { headers: { 'if-none-match': String(first.headers.get('etag')) } });
  expect(again.status).toBe(304);
  expect((await first.json() as OpenApiDocument).info.title).toBe('Tollgate');
});

it.each([['?surface=people', 400, 'invalid_request'], ['?surface=v1&surface=admin', 400, 'invalid_request']])('a request for the description with the query %s is refused', async (query, status, code) => {
  const reply = await fetch(`${running.url}/openapi.json${query}`);
  expect([reply.status, (await reply.json() as { readonly error: { readonly code: string; readonly param: string } }).error]).toMatchObject([status, { code, param: 'surface' }]);
});

it('/docs redirects people to the reference', async () => {
  const reply = await fetch(`${running.url}/docs`, { redirect: 'manual' });
  expect([reply.status, reply.headers.get('location')]).toEqual([302, `${running.gateway.publicUrl}/dashboard/reference`]);
});

it('the description has examples that its own schemas and the routes accept', async () => {
  const ajv = new Ajv2020({ strict: false, validateFormats: false }).addSchema(documentOf('v1'), 'v1');
  const seen: string[] = [];
  for (const [place, { requestBody }] of operationsOf('v1')) {
    const content = requestBody?.content?.['application/json'];
    if (content?.example === undefined) continue;
    const [method = '', path = ''] = place.split(' ');
    const accepts = ajv.compile({ $ref: `v1#/paths/${path.replaceAll('/', '~1')}/${method}/requestBody/content/application~1json/schema` });
    const example = { ...content.example as object, model: 'small' };
    expect([place, accepts(example), accepts.errors]).toEqual([place, true, null]);
    expect([place, (await running.post(path, example)).status]).toEqual([place, 200]);
    seen.push(place);
  }
  expect(seen).toHaveLength(5);
});

it('request bodies and replies of the dashboard are described as the gateway reads and sends them', async () => {
  const browser = new TestBrowser(running.gateway);
  const { person, password } = await addPerson(running.gateway, 'ann@example.com');
  await browser.call(contract.signIn, { body: { email: person.email, password } });
  const ajv = new Ajv2020({ strict: false, validateFormats: false }).addSchema(documentOf('dashboard'), 'dashboard');
  const ofCreation = (part: string) => ajv.compile({ $ref: `dashboard#/paths/~1keys/post/${part}/content/application~1json/schema` });
  const body = { name: 'ci', spending_limit: { svc_tokens: '1.5', period: 'day' as const } };
  const takes = ofCreation('requestBody');
  expect([takes(body), takes({}), takes({ ...body, secret: 'x' }), takes({ spending_limit: { svc_tokens: 1.5, period: 'day' } })]).toEqual([true, true, false, false]);
  const gives = ofCreation('responses/201');
  const reply = await browser.call(contract.createKey, { body });
  expect([reply.status, gives(reply.body), gives({ ...reply.body, secret: undefined, hash: 'x' })]).toEqual([201, true, false]);
  const refuses = ofCreation('responses/default');
  expect(refuses((await browser.call(contract.createKey, { body: { name: '' } })).body)).toBe(true);
  const refusesMessages = ajv.compile({ $ref: 'dashboard#/paths/~1playground~1messages/post/responses/default/content/application~1json/schema' });
  const refused = await browser.send({ method: 'POST', path: '/dashboard/api/playground/messages', body: '{}' });
  expect([refused.status, refusesMessages(refused.body), refuses(refused.body)]).toEqual([400, true, false]);
});
