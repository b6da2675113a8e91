import { type ErrorCode, GatewayError, type JsonObject, type JsonValue, type WireFormat } from '@tollgate/core';
import { describe, expect, it } from '@jest/globals';

interface Refusal {
  readonly code: ErrorCode;
  readonly param: string | null;
  readonly message: string;
}

/** The refusal with which the step fails, or `null` if it succeeds. Throws errors other than `GatewayError`. */
export function refusalOf(step: () => unknown): Refusal | null {
  try {
    step();
    return null;
  } catch (thrown) {
    if (!(thrown instanceof GatewayError)) throw thrown;
    return { code: thrown.code, param: thrown.param, message: thrown.message };
  }
}

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

/** A copy of the body with another value at the path, which must exist. The path is written as in `param`. */
export function withValueAt(body: JsonObject, path: string, value: JsonValue | undefined): unknown {
  return replaced(body, keysOf(path), value);
}

const SAMPLES = { string: 'wrong', number: 0.5, boolean: true, object: { wrong: 1 }, array: [7] } as const;

type JsonType = keyof typeof SAMPLES;

/** A value of every JSON type except the given ones. */
export function valuesOtherThan(...types: readonly JsonType[]): readonly JsonValue[] {
  return (Object.keys(SAMPLES) as JsonType[]).filter((type) => !types.includes(type)).map((type) => SAMPLES[type]);
}

/** A field of a request: its path, whether it is required, and the JSON types that it accepts. */
export type FieldRow = readonly [path: string, presence: 'required' | 'optional', ...types: JsonType[]];

interface FieldTypesSubject {
  readonly format: Pick<WireFormat, 'decodeRequest'>;
  readonly fields: readonly FieldRow[];
  /** A request that has every field. */
  readonly full: JsonObject;
}

export function fieldTypesContract(name: string, { format, fields, full }: FieldTypesSubject): void {
  const rows = fields.flatMap(([path, , ...types]) => valuesOtherThan(...types).map((value) => [path, value] as const));

  function pathsOf(presence: 'required' | 'optional'): readonly string[] {
    return fields.filter((row) => row[1] === presence).map(([path]) => path);
  }

  function refusalWith(path: string, value: JsonValue) {
    return refusalOf(() => format.decodeRequest(withValueAt(full, path, value)));
  }

  describe(`a ${name} request whose`, () => {
    it.each(rows)('field %s is %j is refused with the name of the field', (path, value) => {
      const refusal = refusalWith(path, value);
      expect(refusal).toMatchObject({ code: 'invalid_request', param: path });
      expect(refusal?.message).toMatch(/^'.+' .+\.$/);
    });

    it.each(pathsOf('required'))('required field %s is null is refused with the name of the field', (path) => {
      expect(refusalWith(path, null)).toMatchObject({ code: 'invalid_request', param: path });
    });

    /** `tools` is omitted, because without it `tool_choice` would be refused. */
    it.each(pathsOf('optional').filter((path) => path !== 'tools'))('optional field %s is null is accepted', (path) => {
      expect(refusalWith(path, null)).toBeNull();
    });
  });
}
