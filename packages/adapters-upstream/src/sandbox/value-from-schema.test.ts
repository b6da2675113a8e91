import { describe, expect, it } from '@jest/globals';
import type { JsonObject, JsonValue } from '@tollgate/core';
import { Ajv } from 'ajv';
import * as fc from 'fast-check';
import { argumentsFromSchema, valueFromSchema } from './value-from-schema.js';

const ajv = new Ajv({ allErrors: true, strict: false, validateFormats: false });

function faultsOf(schema: JsonObject): readonly string[] {
  const value = valueFromSchema(schema);
  const validate = ajv.compile(schema);
  return validate(value) ? [] : [`${JSON.stringify(value)}: ${ajv.errorsText(validate.errors)}`];
}

/** Schemas that some value satisfies. */
const SCHEMAS = fc.letrec<{ readonly schema: JsonObject; readonly object: JsonObject }>((tie) => ({
  schema: fc.oneof(
    { maxDepth: 4, depthIdentifier: 'schema' },
    fc.constantFrom<JsonObject>({ type: 'boolean' }, { type: 'null' }, {}, { const: 'only' }, { enum: [null, 'b', 3] }, { type: ['null', 'integer'] }, { $ref: '#/$defs/leaf' }),
    fc.record({ least: fc.integer({ min: -50, max: 50 }), width: fc.nat(50), type: fc.constantFrom('integer', 'number') })
      .map(({ least, width, type }): JsonObject => ({ type, minimum: least, maximum: least + width })),
    fc.record({ minLength: fc.nat(20), more: fc.nat(20) }).map(({ minLength, more }): JsonObject => ({ type: 'string', minLength, maxLength: minLength + more })),
    fc.record({ items: tie('schema'), minItems: fc.nat(3) }).map(({ items, minItems }): JsonObject => ({ type: 'array', items, minItems })),
    fc.array(tie('schema'), { minLength: 1, maxLength: 3 }).map((anyOf): JsonObject => ({ anyOf })),
    fc.array(tie('object'), { minLength: 1, maxLength: 3 }).map((parts): JsonObject => ({ allOf: parts.map((part, index) => renamed(part, `${index}`)) })),
    tie('object'),
  ),
  object: fc.record({
    properties: fc.dictionary(fc.constantFrom('p', 'q', 'r'), tie('schema')), required: fc.subarray(['p', 'q', 'r']), minProperties: fc.nat(4), others: tie('schema'),
  }).map(({ properties, required, minProperties, others }): JsonObject => ({ type: 'object', properties, required, minProperties, additionalProperties: others })),
}));

/** Renames the properties: parts of `allOf` need different ones to be satisfiable. */
function renamed({ properties, required }: JsonObject, suffix: string): JsonObject {
  const names = required as readonly string[];
  return {
    type: 'object',
    properties: Object.fromEntries<JsonValue>(Object.entries(properties as JsonObject).map(([name, schema]) => [name + suffix, schema as JsonValue])),
    required: names.filter((name) => Object.hasOwn(properties as JsonObject, name)).map((name) => name + suffix),
  };
}

const named = (count: number, of: (index: number) => JsonValue): JsonObject => Object.fromEntries(Array.from({ length: count }, (_, index) => [`p${index}`, of(index)]));
const names = (count: number, prefix = 'p'): readonly string[] => Array.from({ length: count }, (_, index) => `${prefix}${index}`);
const times = (count: number, of: (index: number) => JsonObject): readonly JsonObject[] => Array.from({ length: count }, (_, index) => of(index));

const LARGE: Readonly<Record<string, () => JsonObject>> = {
  'a reference to itself': () => ({ ...named(30_000, () => true), $ref: '#' }),
  'many parts of many properties': () => ({ allOf: times(64, (part) => ({ properties: Object.fromEntries(names(480, `p${part}_`).map((name) => [name, {}])) })) }),
  'many parts beside a long list of names': () => ({ type: 'object', required: names(130_000), allOf: times(64, () => ({ minProperties: 1 })) }),
  'many parts of many names': () => ({ type: 'object', allOf: times(64, (part) => ({ required: names(2_000, `p${part}_`) })) }),
  'many choices of references': () => ({
    properties: named(10_000, () => ({ anyOf: [{ $ref: '#/$defs/a' }, { type: 'null' }] })), required: names(10_000),
    $defs: { a: { type: 'object', properties: { id: { type: 'string', format: 'uuid' } }, required: ['id'] } },
  }),
  'many long texts': () => ({ type: 'array', minItems: 10_000, items: { type: 'string', minLength: 1_000 } }),
  'long references': () => ({ type: 'array', minItems: 10_000, items: { $ref: `#/${'a/'.repeat(500)}` } }),
  'lists of lists': () => ({ $ref: '#/$defs/a', $defs: { a: { type: 'array', minItems: 44, items: { $ref: '#/$defs/a' } } } }),
};

const MAX_MILLISECONDS = 60;
const ATTEMPTS = 5;

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
    ['all parts of allOf together', { allOf: [{ $ref: '#/$defs/a~1b' }, { properties: { b: { type: 'boolean' } }, required: ['b'] }], $defs: { 'a/b': { type: 'object', properties: { a: { type: 'integer' } }, required: ['a'] } } }, { a: 1, b: true }],
    ['an alternative beside own properties', { type: 'object', properties: { a: { type: 'integer' } }, required: ['a'], oneOf: [{ properties: { kind: { const: 'x' } }, required: ['kind'] }] }, { a: 1, kind: 'x' }],
    ['a constant null', { const: null }, null],
    ['a choice that begins with null', { type: ['string', 'null'], enum: [null, 'a'] }, 'a'],
    ['references through lists, and with characters that a URL escapes', {
      properties: { a: { anyOf: [{ type: 'object', properties: { b: { type: 'integer' } } }, { type: 'null' }] }, c: { $ref: '#/properties/a/anyOf/0' }, d: { $ref: '#/$defs/a%20b' } },
      $defs: { 'a b': { type: 'boolean' } },
    }, { a: { b: 1 }, c: { b: 1 }, d: true }],
    ['the first items of a list, in the older form', { type: 'array', items: [{ type: 'integer' }, { type: 'boolean' }], additionalItems: { type: 'null' }, minItems: 3 }, [1, true, null]],
    ['a required property that only additionalProperties describes', { type: 'object', required: ['a'], additionalProperties: { type: 'integer' } }, { a: 1 }],
    ['a least number of properties', { type: 'object', minProperties: 2, properties: { a: { type: 'null' } }, required: [], additionalProperties: { type: 'boolean' } }, { a: null, simulated1: true }],
    ['bounds of several parts', { type: 'integer', minimum: 5, allOf: [{ minimum: 2 }, { maximum: 9 }, { maximum: 20 }] }, 5],
    ['whole numbers that are multiples of a fraction', { type: 'integer', multipleOf: 1.5, minimum: 2 }, 3],
    ['properties that the schema itself and a part of allOf require', { type: 'object', required: ['a'], allOf: [{ properties: { a: { type: 'integer' } } }, { properties: { b: { type: 'null' } }, required: ['b'] }] }, { a: 1, b: null }],
  ])('fits %s', (_name, ...[schema, value]) => {
    expect(valueFromSchema(schema)).toEqual(value);
  });

  it('ends a recursive schema with an empty list or null', () => {
    const node = { type: 'object', properties: { children: { type: 'array', items: { $ref: '#/$defs/node' } }, next: { anyOf: [{ $ref: '#/$defs/node' }, { type: 'null' }] } }, required: ['children', 'next'] };
    const text = JSON.stringify(valueFromSchema({ $ref: '#/$defs/node', $defs: { node } }));
    expect(text).toContain('"children":[],"next":null');
    expect(text).not.toContain('null]');
  });

  it('generates valid values for schemas that refer to themselves in alternatives or properties', () => {
    const expression = { anyOf: [{ type: 'object', properties: { left: { $ref: '#/$defs/expression' }, right: { $ref: '#/$defs/expression' } }, required: ['left', 'right'] }, { type: 'number' }] };
    const person = { type: 'object', properties: { name: { type: 'string' }, boss: { $ref: '#/$defs/person' }, staff: { type: 'array', items: { $ref: '#/$defs/person' } } } };
    for (const [name, root] of Object.entries({ expression, person })) {
      const schema = { $ref: `#/$defs/${name}`, $defs: { [name]: root } };
      expect(faultsOf(schema)).toEqual([]);
    }
  });

  it('generates valid values for objects that references nest ten levels deep', () => {
    const levels = Array.from({ length: 10 }, (_, index): [string, JsonObject] => [`level${index}`, {
      type: 'object', required: ['next'], properties: { next: index === 9 ? { type: 'integer' } : { anyOf: [{ $ref: `#/$defs/level${index + 1}` }, { type: 'string' }] } },
    }]);
    expect(faultsOf({ $ref: '#/$defs/level0', $defs: Object.fromEntries(levels) })).toEqual([]);
  });

  it('generates valid values for random schemas of types, bounds, enumerations, allOf parts and references', () => {
    fc.assert(fc.property(SCHEMAS.schema, fc.dictionary(fc.constantFrom('a', 'b'), SCHEMAS.schema, { minKeys: 2, maxKeys: 2 }), (schema, $defs) => {
      expect(faultsOf({ ...schema, $defs: { ...$defs, leaf: { type: 'integer' } } })).toEqual([]);
    }), { numRuns: 150 });
  });

  it.each(Object.keys(LARGE))('is fast for %s, at the maximum size of a request', (name) => {
    const schema = LARGE[name]?.() ?? {};
    const measured = (): { readonly text: string; readonly milliseconds: number } => {
      const begun = process.cpuUsage();
      const text = JSON.stringify(valueFromSchema(schema));
      return { text, milliseconds: process.cpuUsage(begun).user / 1_000 };
    };
    // The figure includes the process's other threads, such as V8's compiler and collector, which do not spoil every attempt.
    let { text, milliseconds } = measured();
    for (let attempt = 1; attempt < ATTEMPTS && milliseconds >= MAX_MILLISECONDS; attempt += 1) ({ text, milliseconds } = measured());
    expect(milliseconds).toBeLessThan(MAX_MILLISECONDS);
    expect(text.length).toBeLessThan(200_000);
  });

  it('takes less than half a second for a large schema that refers to itself in every property', () => {
    const properties = Object.fromEntries(Array.from({ length: 20_000 }, (_, index) => [`p${index}`, { allOf: [{ $ref: '#' }, { properties: { a: {} } }] }]));
    const begun = performance.now();
    valueFromSchema({ type: 'object', properties });
    expect(performance.now() - begun).toBeLessThan(500);
  });

  it('generates less than 20,000 characters for a schema that refers to itself in 20 properties', () => {
    const properties = Object.fromEntries(Array.from({ length: 20 }, (_, index) => [`p${index}`, { $ref: '#' }]));
    expect(JSON.stringify(argumentsFromSchema({ type: 'object', properties })).length).toBeLessThan(20_000);
  });
});
