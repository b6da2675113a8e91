import { describe, expect, it } from '@jest/globals';
import type { JsonObject, JsonValue, WireFormat } from '@tollgate/core';
import { type FieldRow, refusalOf, valuesOtherThan, withValueAt } from '../wire/decoding.js';

/** A format, and all that it reads. */
interface FieldTypesSubject {
  readonly format: Pick<WireFormat, 'decodeRequest'>;
  readonly fields: readonly FieldRow[];
  /** A request that uses every one of them. */
  readonly full: JsonObject;
}

/** What every wire format does with fields of wrong types. */
export function fieldTypesContract(name: string, { format, fields, full }: FieldTypesSubject): void {
  const rows = fields.flatMap(([path, , ...types]) => valuesOtherThan(...types).map((value) => [path, value] as const));

  function pathsOf(presence: 'required' | 'optional'): readonly string[] {
    return fields.filter((row) => row[1] === presence).map(([path]) => path);
  }

  function refusalWith(path: string, value: JsonValue) {
    return refusalOf(() => format.decodeRequest(withValueAt(full, path, value)));
  }

  describe(`a ${name} request whose`, () => {
    it.each(rows)('%s is %j is refused and the field named', (path, value) => {
      const refusal = refusalWith(path, value);
      expect(refusal).toMatchObject({ code: 'invalid_request', param: path });
      expect(refusal?.message).toMatch(/^'.+' .+\.$/);
    });

    it.each(pathsOf('required'))('%s is null is refused and the field named', (path) => {
      expect(refusalWith(path, null)).toMatchObject({ code: 'invalid_request', param: path });
    });

    /** Without `tools`, the request's `tool_choice` is at fault. */
    it.each(pathsOf('optional').filter((path) => path !== 'tools'))('%s is null is served', (path) => {
      expect(refusalWith(path, null)).toBeNull();
    });
  });
}
