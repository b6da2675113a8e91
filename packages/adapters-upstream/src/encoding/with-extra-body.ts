import type { JsonObject } from '@tollgate/core';
import type { JsonPieces, Printable } from '@tollgate/json-text';

type BodyFields = Readonly<Record<string, Printable | JsonPieces | undefined>>;

/** Adds an operator's own fields to a request; a field that the gateway writes wins. */
export function withExtraBody(fields: BodyFields, extra: JsonObject | null): BodyFields {
  if (extra === null) return fields;
  const written = Object.entries(fields).filter(([, value]) => value !== undefined);
  return { ...extra, ...Object.fromEntries(written) };
}
