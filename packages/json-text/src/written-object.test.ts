import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { jsonDocument, parseExactly, WrittenObject } from './written-object.js';
import type { JsonObject } from './json-text.js';

const FIELDS = new Set(['schema', 'input']);
const parse = (text: string): JsonObject => parseExactly(text, FIELDS) as JsonObject;
const jsonTextOf = (object: JsonObject): string => jsonDocument(object).text;

const schemaOf = (text: string): string => jsonTextOf(parse(text)['schema'] as JsonObject);

/** Replaces written objects by their values. */
function withoutTexts(value: unknown): unknown {
  if (value instanceof WrittenObject) return value.value;
  if (Array.isArray(value)) return value.map(withoutTexts);
  return typeof value === 'object' && value !== null ? Object.fromEntries(Object.entries(value).map(([name, member]) => [name, withoutTexts(member)])) : value;
}

describe('an object parsed exactly', () => {
  it.each([
    '{"b":1.0,"a":2}', '{"id":12345678901234567890}', '{ "2": 1,\n "1": [1e3, "}", "\\"]"] }', '{"a":{"b":[{"c":-0}]}}', '{"\\u00e9":"\\ud83d","x":1.50}',
  ])('keeps the text %s', (text) => {
    expect(schemaOf(`{"x": 1.0, "schema" : ${text} , "y": [{"z": "schema"}]}`)).toBe(text);
  });

  it('is serialized, not copied, if that changes no number and no key order', () => {
    expect(schemaOf('{"schema": { "b" : 1,  "a":[0.5, "1.0"] }, "x": 1.0}')).toBe('{"b":1,"a":[0.5,"1.0"]}');
  });

  it('is found under its field’s name in the objects of a list; JSON.stringify prints it as a plain object', () => {
    const { input } = parse('{"input":[{"type":"x","schema":{"b":1.0}},{"schema":{"b":1}}]}') as unknown as { readonly input: readonly [JsonObject, JsonObject] };
    expect(input.map(({ schema }) => jsonTextOf(schema as JsonObject))).toEqual(['{"b":1.0}', '{"b":1}']);
    expect(JSON.stringify(input)).toBe('[{"type":"x","schema":{"b":1}},{"schema":{"b":1}}]');
  });

  it('is found at any position under its field’s name, but not under other names', () => {
    const parsed = parse('[{"a":[{"input":{"x":1.0}}, "\\",{", {"other":{"x":1.0}}]}]') as unknown as readonly [{ readonly a: readonly [JsonObject, string, JsonObject] }];
    const [first, , last] = parsed[0].a;
    expect(jsonTextOf(first['input'] as JsonObject)).toBe('{"x":1.0}');
    expect(jsonTextOf(last['other'] as JsonObject)).toBe('{"x":1}');
  });

  it.each([
    ['{"schema":{"a":1.0},"schema":{"a":2}}', '{"a":2}'],
    ['{"schema":{"a":1},"schema":{"a":2.0}}', '{"a":2.0}'],
    ['{"schema":5,"schema":{"a":2.0}}', '{"a":2.0}'],
  ])('is the last one of several under one name in %s', (text, expected) => {
    expect(schemaOf(text)).toBe(expected);
  });

  it.each(['{"schema":null}', '{"schema":1.0}', '{"schema":[1.0]}', '{"schema":"1.0"}', '{"a":{},"schema":[{}]}', '[]', '5.0', '""', '{"x":{"schema":{}},"x":5.0}', '{"x":[1.0],"x":{"0":{}}}'])('leaves the values of %s as JSON.parse returns them', (text) => {
    expect(withoutTexts(parse(text))).toEqual(JSON.parse(text));
  });

  it('rejects invalid JSON', () => {
    expect(() => parse('{"schema":')).toThrow(SyntaxError);
  });

  it('keeps its text beside any other JSON, which keeps its meaning', () => {
    const spaced = fc.tuple(fc.jsonValue({ maxDepth: 4 }), fc.constantFrom(0, 2));
    fc.assert(fc.property(spaced, fc.jsonValue(), (schema, other) => {
      const text = `{"a": ${JSON.stringify(other)}, "schema": {"1.0": 1.0, "x": ${JSON.stringify(schema[0], null, schema[1])}}}`;
      const parsed = parse(text);
      expect(withoutTexts(parsed)).toEqual(JSON.parse(text));
      expect(jsonTextOf(parsed['schema'] as JsonObject)).toBe(text.slice(text.indexOf('{"1.0"'), -1));
    }), { numRuns: 500 });
  });

  it('can become a document that has the object’s own text', () => {
    const schema = parse('{"schema":{"a":1.0}}')['schema'] as JsonObject;
    expect(jsonDocument(schema)).toEqual({ value: { a: 1 }, text: '{"a":1.0}' });
    expect(jsonDocument({ a: 1 })).toEqual({ value: { a: 1 }, text: '{"a":1}' });
  });
});
