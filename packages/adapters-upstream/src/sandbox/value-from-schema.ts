import type { JsonObject, JsonValue } from '@tollgate/core';
import { asList, asNumber, asObject, asText } from '../reply/json-values.js';
import { textFor } from './text-for-schema.js';

/** Maximum depth of the value. Deeper values are `null`, and so are those beyond `MAX_VALUES`. */
const MAX_DEPTH = 16;
const MAX_VALUES = 1_000;
/** Number of characters that count as one value. */
const CHARACTERS_OF_VALUE = 100;
/** Depth from which optional parts are omitted, so that recursive schemas end. */
const SPARE_DEPTH = 4;
const SPARE_VALUES = 250;
/** Maximum property names examined in total, however often a schema refers to itself. */
const MAX_NAMES = 5_000;
const MAX_ALTERNATIVES = 64;
const MAX_REFERENCE_CHARACTERS = 1_024;
/** Maximum references followed while one is resolved. */
const MAX_REFERENCES = 8;

/** Keywords that are read; the others are ignored, since a schema may have thousands. */
const KEYWORDS = [
  '$ref', 'anyOf', 'oneOf', 'allOf', 'type', 'const', 'default', 'enum', 'examples', 'properties', 'required', 'additionalProperties', 'minProperties',
  'items', 'prefixItems', 'additionalItems', 'minItems', 'maxItems', 'minimum', 'exclusiveMinimum', 'maximum', 'exclusiveMaximum', 'multipleOf', 'format', 'minLength', 'maxLength',
] as const;

/** Keywords that replace a schema by another one. */
const STAND_INS = ['$ref', 'anyOf', 'oneOf', 'allOf'] as const;

/** Bounds of which the larger value counts when schemas are merged; of all other bounds, the smaller one counts. */
const LOWER_BOUNDS = ['minimum', 'exclusiveMinimum', 'minLength', 'minItems', 'minProperties'] as const;
const UPPER_BOUNDS = ['maximum', 'exclusiveMaximum', 'maxLength', 'maxItems'] as const;

/**
 * A deterministic value that fits a schema. Includes required properties, or all if none is required. Ignores `pattern` (a client's
 * expression could take unbounded time), `not`, conditions and `uniqueItems`.
 */
export function valueFromSchema(schema: JsonObject): JsonValue {
  return new SchemaExample(schema).valueFor(schema, 0);
}

/** Arguments that fit a schema; always an object. */
export function argumentsFromSchema(schema: JsonObject | null): JsonObject {
  return schema === null ? {} : asObject(valueFromSchema(schema)) ?? {};
}

class SchemaExample {
  #values = 0;
  #names = 0;
  readonly #references = new Map<string, JsonObject>();

  constructor(private readonly root: JsonObject) {}

  valueFor(schema: JsonObject, depth: number): JsonValue {
    this.#values += 1;
    if (depth > MAX_DEPTH || this.#values > MAX_VALUES || this.#names > MAX_NAMES) return null;
    const given = givenIn(schema);
    if (given !== undefined) return given;
    const other = this.#resolved(schema, depth);
    return other === null ? this.#valueOfType(schema, depth) : this.valueFor(other, depth);
  }

  #isSpare(depth: number): boolean {
    return depth >= SPARE_DEPTH || this.#values > SPARE_VALUES;
  }

  /** The schema with its reference, alternatives or `allOf` resolved one level; `null` if there are none. */
  #resolved(schema: JsonObject, depth: number): JsonObject | null {
    if (!STAND_INS.some((name) => Object.hasOwn(schema, name))) return null;
    const { $ref, anyOf, oneOf, allOf, ...own } = readKeywords(schema);
    const reference = asText($ref);
    if (reference !== null) return this.#merged(withoutUndefined({ ...own, anyOf, oneOf, allOf }), this.#referred(reference));
    const alternative = this.#alternativeOf(asList(anyOf ?? oneOf).slice(0, MAX_ALTERNATIVES), depth);
    const parts = [alternative, ...asList(allOf).slice(0, MAX_ALTERNATIVES).map(asObject)].filter((each) => each !== null);
    return parts.length === 0 ? null : parts.reduce((merged, part) => this.#merged(merged, this.#withoutReference(part)), own as JsonObject);
  }

  #alternativeOf(values: readonly JsonValue[], depth: number): JsonObject | null {
    const alternatives = values.map(asObject).filter((each) => each !== null);
    const ending = this.#isSpare(depth) ? alternatives.find(({ type }) => type === 'null') ?? alternatives.find((each) => this.#endsHere(each)) : undefined;
    return ending ?? alternatives[0] ?? null;
  }

  /** True if the schema's value contains no nested values. */
  #endsHere(schema: JsonObject, references = 0): boolean {
    const reference = asText(schema['$ref']);
    if (reference !== null) return references < MAX_REFERENCES && this.#endsHere(this.#referred(reference), references + 1);
    if (givenIn(schema) !== undefined) return true;
    if ((schema['anyOf'] ?? schema['oneOf'] ?? schema['allOf']) !== undefined) return false;
    switch (typeOf(schema)) {
      case 'object': return requiredOf(schema).length === 0 && (asNumber(schema['minProperties']) ?? 0) === 0;
      case 'array': return firstItemsOf(schema).length === 0 && (asNumber(schema['minItems']) ?? 0) === 0;
      default: return true;
    }
  }

  /** Resolves the reference of a part of `allOf`, because the parts are merged. */
  #withoutReference(part: JsonObject): JsonObject {
    const { $ref, ...own } = readKeywords(part);
    const reference = asText($ref);
    return reference === null ? own : this.#merged(own, this.#referred(reference));
  }

  #merged(schema: JsonObject, part: JsonObject): JsonObject {
    if (Object.keys(schema).length === 0) return part;
    if (this.#names > MAX_NAMES) return schema;
    const further = readKeywords(part);
    const properties = { ...asObject(schema['properties']), ...asObject(further.properties) };
    const required = [...new Set([...requiredOf(schema), ...requiredOf(part)])];
    this.#names += Object.keys(properties).length + required.length;
    return withoutUndefined({
      ...schema, ...further, ...tightened(schema, further),
      properties: Object.keys(properties).length === 0 ? undefined : properties,
      required: required.length === 0 ? undefined : required,
    });
  }

  /** The schema that a reference names: a JSON pointer in a URL, which may pass through lists. */
  #referred(reference: string): JsonObject {
    const known = this.#references.get(reference) ?? this.#find(reference);
    this.#references.set(reference, known);
    return known;
  }

  #find(reference: string): JsonObject {
    if (reference.length > MAX_REFERENCE_CHARACTERS) return {};
    let found: JsonValue | undefined = this.root;
    for (const key of unescaped(reference).split('/').slice(1).map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'))) {
      if (Array.isArray(found)) found = (found as readonly JsonValue[])[Number(key)];
      else found = asObject(found) !== null && Object.hasOwn(found as JsonObject, key) ? (found as JsonObject)[key] : undefined;
    }
    return asObject(found) ?? {};
  }

  #valueOfType(schema: JsonObject, depth: number): JsonValue {
    switch (typeOf(schema)) {
      case 'object': return this.#objectFor(schema, depth);
      case 'array': return this.#listFor(schema, depth);
      case 'integer': return numberFor(schema, 1);
      case 'number': return numberFor(schema, null);
      case 'boolean': return true;
      case 'null': return null;
      default: return this.#textFor(schema);
    }
  }

  #textFor(schema: JsonObject): string {
    const text = textFor(schema);
    this.#values += Math.floor(text.length / CHARACTERS_OF_VALUE);
    return text;
  }

  #listFor(schema: JsonObject, depth: number): JsonValue {
    const first = firstItemsOf(schema).slice(0, MAX_VALUES).map((each) => asObject(each) ?? {});
    const items = asObject(schema['items']) ?? asObject(schema['additionalItems']);
    const usual = items === null || this.#isSpare(depth) ? 0 : 1;
    const length = Math.min(asNumber(schema['maxItems']) ?? MAX_VALUES, Math.max(asNumber(schema['minItems']) ?? usual, first.length), MAX_VALUES);
    return Array.from({ length: Math.max(0, Math.floor(length)) }, (_, index) => this.valueFor(first[index] ?? items ?? {}, depth + 1));
  }

  #objectFor(schema: JsonObject, depth: number): JsonObject {
    const properties = asObject(schema['properties']) ?? {};
    const others = asObject(schema['additionalProperties']) ?? {};
    const names = this.#namesFor(schema, Object.keys(properties), depth);
    this.#names += names.length;
    return Object.fromEntries(names.map((name) => [name, this.valueFor(Object.hasOwn(properties, name) ? asObject(properties[name]) ?? {} : others, depth + 1)]));
  }

  #namesFor(schema: JsonObject, known: readonly string[], depth: number): readonly string[] {
    const required = requiredOf(schema);
    const filled = required.length > 0 || this.#isSpare(depth) ? required : known;
    const missing = (asNumber(schema['minProperties']) ?? 0) - filled.length;
    if (missing <= 0) return filled.slice(0, MAX_VALUES);
    const names = new Set(filled);
    const invented = Array.from({ length: Math.min(missing, MAX_VALUES) }, (_, index) => `simulated${index + 1}`);
    return [...filled, ...[...known, ...invented].filter((name) => !names.has(name)).slice(0, missing)].slice(0, MAX_VALUES);
  }
}

type Keyword = (typeof KEYWORDS)[number];
type Keywords = Partial<Record<Keyword, JsonValue>>;

function readKeywords(schema: JsonObject): Keywords {
  const read: Keywords = {};
  for (const name of KEYWORDS) if (Object.hasOwn(schema, name)) read[name] = schema[name] ?? null;
  return read;
}

/** Names of the required properties, at most `MAX_VALUES`. */
function requiredOf({ required }: JsonObject): readonly string[] {
  return asList(required).slice(0, MAX_VALUES).filter((name) => typeof name === 'string');
}

function withoutUndefined(fields: Readonly<Record<string, JsonValue | undefined>>): JsonObject {
  return Object.fromEntries(Object.entries(fields).filter((entry): entry is [string, JsonValue] => entry[1] !== undefined));
}

/** Combines the bounds of two schemas; the stricter bound counts. */
function tightened(schema: JsonObject, part: Keywords): Keywords {
  const both = (name: Keyword, choose: (...bounds: number[]) => number): readonly [Keyword, number][] => {
    const [one, other] = [asNumber(schema[name]), asNumber(part[name])];
    return one === null || other === null ? [] : [[name, choose(one, other)]];
  };
  return Object.fromEntries([...LOWER_BOUNDS.flatMap((name) => both(name, Math.max)), ...UPPER_BOUNDS.flatMap((name) => both(name, Math.min))]);
}

/** Schemas of the first items: `prefixItems`, or `items` in older drafts. */
function firstItemsOf({ prefixItems, items }: JsonObject): readonly JsonValue[] {
  return asList(prefixItems ?? items);
}

/** A value that the schema states in `const`, `default`, `enum` or `examples`, in this order; `undefined` if there is none. */
function givenIn(schema: JsonObject): JsonValue | undefined {
  if (Object.hasOwn(schema, 'const')) return schema['const'] ?? null;
  const [first, second] = asList(schema['enum']);
  return schema['default'] ?? first ?? second ?? (first === null ? null : asList(schema['examples'])[0]);
}

/** The URL-decoded text; unchanged if it is invalid. */
function unescaped(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function typeOf(schema: JsonObject): string {
  const named = asText(schema['type']) ?? asText(asList(schema['type']).find((type) => type !== 'null'));
  if (named !== null) return named;
  if (schema['properties'] !== undefined) return 'object';
  return schema['items'] === undefined && schema['prefixItems'] === undefined ? 'string' : 'array';
}

/** A number within the bounds, preferably 1. `step` is 1 for integers, `null` for other numbers. */
function numberFor(schema: JsonObject, step: number | null): number {
  const [least, above, most, below] = ['minimum', 'exclusiveMinimum', 'maximum', 'exclusiveMaximum'].map((name) => asNumber(schema[name]));
  const unit = asNumber(schema['multipleOf']) ?? step;
  const fits = (value: number): boolean => (step === null || Number.isInteger(value))
    && value >= (least ?? value) && (above === null || above === undefined || value > above) && value <= (most ?? value) && (below === null || below === undefined || value < below);
  const [low, high] = [least ?? above ?? null, most ?? below ?? null];
  const middle = low !== null && high !== null ? (low + high) / 2 : low ?? high ?? 1;
  const inUnits = (value: number): readonly number[] => (unit === null || unit <= 0 ? [value] : [Math.ceil(value / unit) * unit, (Math.floor(value / unit) + 1) * unit, Math.floor(value / unit) * unit, (Math.ceil(value / unit) - 1) * unit]);
  return [1, 0, low ?? 1, high ?? 1, middle, (low ?? 0) + 1, (high ?? 0) - 1].flatMap(inUnits).find(fits) ?? 1;
}
