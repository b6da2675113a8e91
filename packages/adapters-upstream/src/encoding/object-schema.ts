import type { JsonDocument } from '@tollgate/core';
import { JsonText } from '@tollgate/json-text';

/** A tool's schema as it was written. Servers want to read that it is an object's, so that is said in front where it is not said. */
export function objectSchema({ value, text }: JsonDocument): JsonText {
  if (value['type'] !== undefined) return new JsonText(text);
  return new JsonText(Object.keys(value).length === 0 ? '{"type":"object"}' : `{"type":"object",${text.slice(1)}`);
}
