import type { JsonObject, JsonValue } from '@tollgate/core';
import { asList, asNumber, asObject, asText } from '../reply/json-values.js';

/** Schemas may refer to themselves; beyond this depth, and after this many values, there is only `null`. */
const MAX_DEPTH = 16;
const MAX_VALUES = 500;
/** From here on, what may be left out or be `null` is. */
const SPARE_DEPTH = 4;
/** Names of properties that are looked at in all, however often a schema refers to a large part of itself. */
const MAX_NAMES = 50_000;

/**
 * Makes a value that fits a schema, always the same one. Fills what is required, or everything when nothing is.
 * A `pattern` is not read: a client's expression could take for ever.
 */
export function valueFromSchema(schema: JsonObject): JsonValue {
  return new SchemaExample(schema).valueFor(schema, 0);
}

/** The arguments of a tool: an object whatever its schema says. */
export function argumentsFromSchema(schema: JsonObject | null): JsonObject {
  return schema === null ? {} : asObject(valueFromSchema(schema)) ?? {};
}

class SchemaExample {
  #values = 0;
  #names = 0;

  constructor(private readonly root: JsonObject) {}

  valueFor(schema: JsonObject, depth: number): JsonValue {
    this.#values += 1;
    if (depth > MAX_DEPTH || this.#values > MAX_VALUES || this.#names > MAX_NAMES) return null;
    if (Object.hasOwn(schema, 'const')) return schema['const'] ?? null;
    const given = schema['default'] ?? asList(schema['enum'])[0] ?? asList(schema['examples'])[0];
    if (given !== undefined) return given;
    const other = this.#resolved(schema, depth);
    return other === null ? this.#valueOfType(schema, depth) : this.valueFor(other, depth + 1);
  }

  /** The schema that stands in for this one: what it refers to, one of its alternatives, or all of its parts together. */
  #resolved(schema: JsonObject, depth: number): JsonObject | null {
    const { $ref, anyOf, oneOf, allOf, ...own } = schema;
    const reference = asText($ref);
    if (reference !== null) return this.#merged(own, this.#referred(reference));
    const alternatives = asList(anyOf ?? oneOf).map(asObject).filter((each) => each !== null);
    const spare = depth >= SPARE_DEPTH ? alternatives.find((each) => each['type'] === 'null') : undefined;
    const parts = [spare ?? alternatives[0], ...asList(allOf).map(asObject)].filter((each) => each !== null && each !== undefined);
    return parts.length === 0 ? null : parts.reduce((merged, part) => this.#merged(merged, this.#withoutReference(part)), own);
  }

  /** A part that is merged with others is needed in full. */
  #withoutReference(part: JsonObject): JsonObject {
    const { $ref, ...own } = part;
    const reference = asText($ref);
    return reference === null ? part : this.#merged(own, this.#referred(reference));
  }

  #merged(schema: JsonObject, part: JsonObject): JsonObject {
    const [properties, further] = [asObject(schema['properties']), asObject(part['properties'])];
    if (properties === null) return { ...schema, ...part };
    const merged = { ...schema, ...part, properties: { ...properties, ...further } };
    this.#names += Object.keys(merged.properties).length;
    return { ...merged, required: [...new Set([...asList(schema['required']), ...asList(part['required'])])] };
  }

  #referred(reference: string): JsonObject {
    let found: JsonObject | null = this.root;
    for (const key of reference.split('/').slice(1)) found = asObject(found?.[key.replaceAll('~1', '/').replaceAll('~0', '~')]);
    return found ?? {};
  }

  #valueOfType(schema: JsonObject, depth: number): JsonValue {
    switch (typeOf(schema)) {
      case 'object': return this.#objectFor(schema, depth);
      case 'array': return this.#listFor(schema, depth);
      case 'integer': return numberFor(schema, 1);
      case 'number': return numberFor(schema, null);
      case 'boolean': return true;
      case 'null': return null;
      default: return textFor(schema);
    }
  }

  #listFor(schema: JsonObject, depth: number): JsonValue {
    const first = asList(schema['prefixItems']).map((each) => asObject(each) ?? {});
    const items = asObject(schema['items']);
    const usual = items === null || depth >= SPARE_DEPTH ? 0 : 1;
    const length = Math.min(asNumber(schema['maxItems']) ?? MAX_VALUES, Math.max(asNumber(schema['minItems']) ?? usual, first.length), MAX_VALUES);
    return Array.from({ length: Math.max(0, Math.floor(length)) }, (_, index) => this.valueFor(first[index] ?? items ?? {}, depth + 1));
  }

  #objectFor(schema: JsonObject, depth: number): JsonObject {
    const properties = asObject(schema['properties']) ?? {};
    const required = asList(schema['required']).filter((name) => typeof name === 'string');
    const names = (required.length > 0 ? required : Object.keys(properties)).slice(0, MAX_VALUES);
    this.#names += names.length;
    return Object.fromEntries(names.map((name) => [name, this.valueFor(Object.hasOwn(properties, name) ? asObject(properties[name]) ?? {} : {}, depth + 1)]));
  }
}

function typeOf(schema: JsonObject): string {
  const named = asText(schema['type']) ?? asText(asList(schema['type']).find((type) => type !== 'null'));
  if (named !== null) return named;
  if (schema['properties'] !== undefined) return 'object';
  return schema['items'] === undefined && schema['prefixItems'] === undefined ? 'string' : 'array';
}

/** A number within the bounds of a schema, 1 if it fits. `step` is that of whole numbers, `null` for others. */
function numberFor(schema: JsonObject, step: number | null): number {
  const [least, above, most, below] = ['minimum', 'exclusiveMinimum', 'maximum', 'exclusiveMaximum'].map((name) => asNumber(schema[name]));
  const unit = asNumber(schema['multipleOf']) ?? step;
  const fits = (value: number): boolean =>
    value >= (least ?? value) && (above === null || above === undefined || value > above) && value <= (most ?? value) && (below === null || below === undefined || value < below);
  const [low, high] = [least ?? above ?? null, most ?? below ?? null];
  const middle = low !== null && high !== null ? (low + high) / 2 : low ?? high ?? 1;
  const inUnits = (value: number): readonly number[] => (unit === null || unit <= 0 ? [value] : [Math.ceil(value / unit) * unit, (Math.floor(value / unit) + 1) * unit, Math.floor(value / unit) * unit, (Math.ceil(value / unit) - 1) * unit]);
  return [1, 0, low ?? 1, high ?? 1, middle, (low ?? 0) + 1, (high ?? 0) - 1].flatMap(inUnits).find(fits) ?? 1;
}

const TEXT_BY_FORMAT: Readonly<Record<string, string>> = {
  'date': '2030-01-31',
  'date-time': '2030-01-31T12:00:00Z',
  'time': '12:00:00Z',
  'duration': 'P1D',
  'email': 'simulated@example.com',
  'hostname': 'example.com',
  'ipv4': '192.0.2.1',
  'ipv6': '2001:db8::1',
  'uri': 'https://example.com/simulated',
  'uuid': '00000000-0000-4000-8000-000000000000',
};

const LONGEST_TEXT = 1_000;

function textFor(schema: JsonObject): string {
  const format = asText(schema['format']) ?? '';
  const text = (Object.hasOwn(TEXT_BY_FORMAT, format) ? TEXT_BY_FORMAT[format] : undefined) ?? 'simulated';
  return text.padEnd(Math.min(LONGEST_TEXT, asNumber(schema['minLength']) ?? 0), '.').slice(0, Math.max(0, asNumber(schema['maxLength']) ?? LONGEST_TEXT));
}
