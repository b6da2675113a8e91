import type { JsonObject, JsonValue } from '@tollgate/core';
import { asList, asNumber, asObject, asText } from '../reply/json-values.js';

/** Schemas may refer to themselves; beyond this depth, and after this many values, there is only `null`. */
const MAX_DEPTH = 8;
const MAX_VALUES = 500;

/** Makes arguments that fit a tool's schema, always the same ones. Fills what is required, or everything when nothing is. */
export function argumentsFromSchema(schema: JsonObject | null): JsonObject {
  if (schema === null) return {};
  return asObject(new SchemaExample(schema).valueFor(schema, 0)) ?? {};
}

class SchemaExample {
  #values = 0;

  constructor(private readonly root: JsonObject) {}

  valueFor(schema: JsonObject, depth: number): JsonValue {
    this.#values += 1;
    if (depth > MAX_DEPTH || this.#values > MAX_VALUES) return null;
    const given = schema['const'] ?? schema['default'] ?? asList(schema['enum'])[0] ?? asList(schema['examples'])[0];
    if (given !== undefined) return given;
    const other = this.#resolved(schema);
    return other === null ? this.#valueOfType(schema, depth) : this.valueFor(other, depth + 1);
  }

  /** The schema that stands in for this one: what it refers to, or the first of its alternatives. */
  #resolved(schema: JsonObject): JsonObject | null {
    const reference = asText(schema['$ref']);
    if (reference !== null) return this.#referred(reference);
    for (const key of ['anyOf', 'oneOf', 'allOf']) {
      const first = asObject(asList(schema[key])[0]);
      if (first !== null) return first;
    }
    return null;
  }

  #referred(reference: string): JsonObject {
    let found: JsonObject | null = this.root;
    for (const key of reference.split('/').slice(1)) found = asObject(found?.[key]);
    return found ?? {};
  }

  #valueOfType(schema: JsonObject, depth: number): JsonValue {
    switch (typeOf(schema)) {
      case 'object': return this.#objectFor(schema, depth);
      case 'array': {
        const items = asObject(schema['items']);
        return items === null ? [] : [this.valueFor(items, depth + 1)];
      }
      case 'integer': return Math.ceil(asNumber(schema['minimum']) ?? 1);
      case 'number': return asNumber(schema['minimum']) ?? 1;
      case 'boolean': return true;
      case 'null': return null;
      default: return textFor(schema);
    }
  }

  #objectFor(schema: JsonObject, depth: number): JsonObject {
    const properties = asObject(schema['properties']) ?? {};
    const required = asList(schema['required']).filter((name) => typeof name === 'string');
    const names = required.length > 0 ? required : Object.keys(properties);
    return Object.fromEntries(names.map((name) => [name, this.valueFor(asObject(properties[name]) ?? {}, depth + 1)]));
  }
}

function typeOf(schema: JsonObject): string {
  const named = asText(schema['type']) ?? asText(asList(schema['type']).find((type) => type !== 'null'));
  if (named !== null) return named;
  return schema['properties'] === undefined ? 'string' : 'object';
}

const TEXT_BY_FORMAT: Readonly<Record<string, string>> = {
  'date': '2030-01-31',
  'date-time': '2030-01-31T12:00:00Z',
  'time': '12:00:00Z',
  'email': 'simulated@example.com',
  'uri': 'https://example.com/simulated',
  'uuid': '00000000-0000-4000-8000-000000000000',
};

function textFor(schema: JsonObject): string {
  const format = asText(schema['format']) ?? '';
  const text = (Object.hasOwn(TEXT_BY_FORMAT, format) ? TEXT_BY_FORMAT[format] : undefined) ?? 'simulated';
  return text.padEnd(Math.min(1_000, asNumber(schema['minLength']) ?? 0), '.');
}
