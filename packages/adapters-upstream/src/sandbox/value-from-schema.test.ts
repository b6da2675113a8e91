import { describe, expect, it } from '@jest/globals';
import type { JsonObject, JsonValue } from '@tollgate/core';
import { argumentsFromSchema, valueFromSchema } from './value-from-schema.js';

describe('argumentsFromSchema', () => {
  it.each<[string, JsonObject | null, JsonObject]>([
    ['no schema', null, {}],
    ['an empty schema', {}, {}],
    ['all properties when none is required', { properties: { a: { type: 'string' }, b: { type: 'boolean' } } }, { a: 'simulated', b: true }],
    ['only what is required', { type: 'object', properties: { a: {}, b: { type: 'number' } }, required: ['b'] }, { b: 1 }],
    ['given values', { properties: { a: { const: 5 }, b: { default: 'x' }, c: { enum: ['y', 'z'] }, d: { examples: [true] } } }, { a: 5, b: 'x', c: 'y', d: true }],
    ['numbers from their minimum', { properties: { a: { type: 'integer', minimum: 2.5 }, b: { type: 'number', minimum: 2.5 } } }, { a: 3, b: 2.5 }],
    ['arrays, objects and null', { properties: { a: { type: 'array', items: { type: 'integer' } }, b: { type: 'array' }, c: { properties: { d: { type: 'null' } } } } }, { a: [1], b: [], c: { d: null } }],
    ['formats and lengths', { properties: { a: { type: 'string', format: 'date' }, b: { type: 'string', minLength: 12 } } }, { a: '2030-01-31', b: 'simulated...' }],
    ['alternatives and lists of types', { properties: { a: { anyOf: [{ type: 'integer' }, { type: 'string' }] }, b: { type: ['null', 'integer'] } } }, { a: 1, b: 1 }],
    ['references', { properties: { a: { $ref: '#/$defs/A' }, b: { $ref: '#/nowhere' } }, $defs: { A: { type: 'integer' } } }, { a: 1, b: 'simulated' }],
  ])('fills %s', (_name, ...[schema, example]) => {
    expect(argumentsFromSchema(schema)).toEqual(example);
  });

  it.each<[string, JsonObject, JsonValue]>([
    ['a value that is no object', { type: 'array', items: { type: 'boolean' } }, [true]],
    ['bounds of numbers', { properties: { a: { type: 'integer', exclusiveMinimum: 1 }, b: { type: 'number', maximum: 0.5 }, c: { type: 'integer', multipleOf: 7 }, d: { type: 'number', exclusiveMinimum: 0, exclusiveMaximum: 1 }, e: { type: 'integer', maximum: -3 } } }, { a: 2, b: 0, c: 7, d: 0.5, e: -3 }],
    ['lengths of lists and texts', { properties: { a: { type: 'array', items: { type: 'null' }, minItems: 3 }, b: { type: 'array', items: {}, maxItems: 0 }, c: { type: 'string', maxLength: 3 }, d: { prefixItems: [{ type: 'integer' }, { type: 'boolean' }] } } }, { a: [null, null, null], b: [], c: 'sim', d: [1, true] }],
    ['all parts together', { allOf: [{ $ref: '#/$defs/a~1b' }, { properties: { b: { type: 'boolean' } }, required: ['b'] }], $defs: { 'a/b': { type: 'object', properties: { a: { type: 'integer' } }, required: ['a'] } } }, { a: 1, b: true }],
    ['an alternative beside own properties', { type: 'object', properties: { a: { type: 'integer' } }, required: ['a'], oneOf: [{ properties: { kind: { const: 'x' } }, required: ['kind'] }] }, { a: 1, kind: 'x' }],
    ['a constant null', { const: null }, null],
  ])('fits %s', (_name, ...[schema, value]) => {
    expect(valueFromSchema(schema)).toEqual(value);
  });

  it('ends lists and optional parts of a schema that contains itself', () => {
    const node = { type: 'object', properties: { children: { type: 'array', items: { $ref: '#/$defs/node' } }, next: { anyOf: [{ $ref: '#/$defs/node' }, { type: 'null' }] } }, required: ['children', 'next'] };
    const text = JSON.stringify(valueFromSchema({ $ref: '#/$defs/node', $defs: { node } }));
    expect(text).toContain('"children":[],"next":null');
    expect(text).not.toContain('null]');
  });

  it('takes bounded time for a large schema that refers to itself everywhere', () => {
    const properties = Object.fromEntries(Array.from({ length: 20_000 }, (_, index) => [`p${index}`, { allOf: [{ $ref: '#' }, { properties: { a: {} } }] }]));
    const begun = performance.now();
    valueFromSchema({ type: 'object', properties });
    expect(performance.now() - begun).toBeLessThan(500);
  });

  it('gives up on a schema that contains itself many times', () => {
    const properties = Object.fromEntries(Array.from({ length: 20 }, (_, index) => [`p${index}`, { $ref: '#' }]));
    expect(JSON.stringify(argumentsFromSchema({ type: 'object', properties })).length).toBeLessThan(20_000);
  });
});
