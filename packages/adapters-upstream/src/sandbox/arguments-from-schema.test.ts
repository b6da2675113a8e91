import { describe, expect, it } from '@jest/globals';
import type { JsonObject } from '@tollgate/core';
import { argumentsFromSchema } from './arguments-from-schema.js';

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

  it('gives up on a schema that contains itself many times', () => {
    const properties = Object.fromEntries(Array.from({ length: 20 }, (_, index) => [`p${index}`, { $ref: '#' }]));
    expect(JSON.stringify(argumentsFromSchema({ type: 'object', properties })).length).toBeLessThan(20_000);
  });
});
