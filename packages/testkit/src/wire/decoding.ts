import { type ErrorCode, GatewayError, type JsonObject, type JsonValue } from '@tollgate/core';

/** What the caller of a refused request learns. */
interface Refusal {
  readonly code: ErrorCode;
  readonly param: string | null;
  readonly message: string;
}

/** The refusal that a step throws; `null` when it goes through. Anything but a `GatewayError` is thrown on. */
export function refusalOf(step: () => unknown): Refusal | null {
  try {
    step();
    return null;
  } catch (thrown) {
    if (!(thrown instanceof GatewayError)) throw thrown;
    return { code: thrown.code, param: thrown.param, message: thrown.message };
  }
}

/** What the pieces say together. */
export function textOfPieces({ pieces }: { readonly pieces: readonly (string | Uint8Array)[] }): string {
  return Buffer.concat(pieces.map((piece) => Buffer.from(piece))).toString();
}

type Key = string | number;

function keysOf(path: string): readonly Key[] {
  return path.split(/[.[\]]+/).filter((part) => part !== '').map((part) => (/^\d+$/.test(part) ? Number(part) : part));
}

function replaced(container: unknown, keys: readonly Key[], value: unknown): unknown {
  const [key, ...rest] = keys;
  if (key === undefined) return value;
  if (Array.isArray(container)) {
    if (typeof key !== 'number' || key >= container.length) throw new Error(`there is no item ${key}`);
    return container.with(key, replaced(container[key], rest, value));
  }
  if (typeof container !== 'object' || container === null || !(key in container)) throw new Error(`there is no field ${key}`);
  return { ...container, [key]: replaced((container as JsonObject)[key], rest, value) };
}

/** A copy of a request body with one value replaced: the path is written as `param` writes it and must exist. */
export function withValueAt(body: JsonObject, path: string, value: JsonValue | undefined): unknown {
  return replaced(body, keysOf(path), value);
}

const SAMPLES = { string: 'wrong', number: 0.5, boolean: true, object: { wrong: 1 }, array: [7] } as const;

/** The types a JSON value that is not `null` can have. */
type JsonType = keyof typeof SAMPLES;

/** One value of every JSON type but those named, to see that a field refuses them. */
export function valuesOtherThan(...types: readonly JsonType[]): readonly JsonValue[] {
  return (Object.keys(SAMPLES) as JsonType[]).filter((type) => !types.includes(type)).map((type) => SAMPLES[type]);
}

/** One field of a request: the JSON types it may have, and whether the request can do without it. */
export type FieldRow = readonly [path: string, presence: 'required' | 'optional', ...types: JsonType[]];
