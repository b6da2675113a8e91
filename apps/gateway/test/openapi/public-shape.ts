import type { SchemaObject } from 'ajv';

type Schema = SchemaObject | boolean;

type OptionalKeys<T> = { [Key in keyof T]-?: object extends Pick<T, Key> ? Key : never }[keyof T];
type RequiredKeys<T> = Exclude<keyof T, OptionalKeys<T>>;

/** Members of an object, by whether the public type demands them. The compiler sees to it that none is forgotten, invented or in the wrong half. */
export interface Members<T> {
  readonly required: { readonly [Key in RequiredKeys<T>]: Schema };
  readonly optional: { readonly [Key in OptionalKeys<T>]: Schema };
  /** What the gateway adds to the public type, and its own specification demands. */
  readonly added?: Readonly<Record<string, Schema>>;
}

/** The schema of an object of the public type `T`, with nothing in it that neither the type nor the specification knows. */
export function objectOf<T>({ required, optional, added = {} }: Members<T>): SchemaObject {
  return { type: 'object', required: Object.keys(required), properties: { ...required, ...optional, ...added }, additionalProperties: false };
}

export const TEXT: Schema = { type: 'string' };
export const COUNT: Schema = { type: 'integer', minimum: 0 };
export const DECIMAL: Schema = { type: 'string', pattern: '^(?:0|[1-9]\\d*)(?:\\.\\d*[1-9])?$' };
/** The public type allows it; the gateway has nothing to say there. */
export const NEVER_SENT: Schema = false;

export function orNull(schema: SchemaObject | boolean): SchemaObject {
  return { anyOf: [schema, { type: 'null' }] };
}

export function listOf(items: Schema, bounds: SchemaObject = {}): SchemaObject {
  return { type: 'array', items, ...bounds };
}
