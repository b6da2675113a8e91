import type { JsonDocument } from '@tollgate/core';
import { JsonText } from '@tollgate/json-text';

/** The schema verbatim; if it has no `type`, `"type":"object"` is prepended, because servers require it. */
export function objectSchema({ value, text }: JsonDocument): JsonText {
  if (value['type'] !== undefined) return new JsonText(text);
  return new JsonText(Object.keys(value).length === 0 ? '{"type":"object"}' : `{"type":"object",${text.slice(1)}`);
}
