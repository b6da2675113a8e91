import type { SchemaObject } from 'ajv';

type Schema = SchemaObject | boolean;

type OptionalKeys<T> = { [Key in keyof T]-?: object extends Pick<T, Key> ? Key : never }[keyof T];
type RequiredKeys<T> = Exclude<keyof T, OptionalKeys<T>>;

/** Members of an object by requirement. The compiler checks that no member of the type is missing. */
export interface Members<T> {
  readonly required: { readonly [Key in RequiredKeys<T>]: Schema };
  readonly optional: { readonly [Key in OptionalKeys<T>]: Schema };
  /** Optional members that this service adds to the public type. */
  readonly added?: Readonly<Record<string, Schema>>;
}

/** The schema of an object with these members and no others. */
export function objectOf<T>({ required, optional, added = {} }: Members<T>): SchemaObject {
  return { type: 'object', required: Object.keys(required), properties: { ...required, ...optional, ...added }, additionalProperties: false };
}

export const TEXT: Schema = { type: 'string' };
export const COUNT: Schema = { type: 'integer', minimum: 0 };
export const DECIMAL: Schema = { type: 'string', pattern: '^(?:0|[1-9]\\d*)(?:\\.\\d*[1-9])?$' };
/** For members that the public type permits and this service never sends. */
export const NEVER_SENT: Schema = false;

export function orNull(schema: SchemaObject | boolean): SchemaObject {
  return { anyOf: [schema, { type: 'null' }] };
}

export function listOf(items: Schema, bounds: SchemaObject = {}): SchemaObject {
  return { type: 'array', items, ...bounds };
}
