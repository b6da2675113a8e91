import { describe, expect, it } from '@jest/globals';
import { membersOf, type OpenApi, routesByTag, typeOf } from './openapi';

const WORDS = { any: 'any value', or: ' or ', listOf: (type: string) => `list of ${type}` };

describe('typeOf', () => {
  it.each([
    [{ $ref: '#/components/schemas/Model' }, 'Model'],
    [{ type: 'array', items: { $ref: '#/components/schemas/Model' } }, 'list of Model'],
    [{ anyOf: [{ type: 'string' }, { type: 'null' }] }, 'string or null'],
    [{ enum: ['asc', 'desc'] }, '"asc" or "desc"'],
    [{ const: 'list' }, '"list"'],
    [{ type: ['string', 'null'] }, 'string or null'],
    [{}, 'any value'],
  ])('%j is %s', (schema, words) => {
    expect(typeOf(schema, WORDS)).toBe(words);
  });
});

it('membersOf finds the members of lists and alternatives, and which are required', () => {
  const schema = { anyOf: [{ type: 'string' }, { type: 'array', items: { properties: { id: { type: 'string' }, name: { type: 'string' } }, required: ['id'] } }] };
  expect(membersOf(schema)).toEqual([['id', { type: 'string' }, true], ['name', { type: 'string' }, false]]);
});

it('routesByTag groups routes by tag, with their full paths', () => {
  const operation = { operationId: 'a', summary: '', description: '', responses: {} };
  const document: OpenApi = { info: { title: '', description: '', version: '1' }, servers: [{ url: '/admin/v1' }], components: { schemas: {} }, paths: { '/a': { get: operation, post: { ...operation, tags: ['T'] } } } };
  expect(routesByTag(document, 'Routes').map(([tag, routes]) => [tag, routes.map(({ method, path }) => `${method} ${path}`)])).toEqual([['Routes', ['GET /admin/v1/a']], ['T', ['POST /admin/v1/a']]]);
});
