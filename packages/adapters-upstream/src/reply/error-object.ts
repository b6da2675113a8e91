import type { JsonObject, JsonValue } from '@tollgate/core';
import { asObject, asText, parseObject } from './json-values.js';

/** The error object in a body; `null` if there is none. Google's servers wrap it in a list. */
export function errorObjectIn(body: string): JsonObject | null {
  const object = parseObject(body, (text) => {
    const value = JSON.parse(text) as JsonValue;
    return Array.isArray(value) ? (value as readonly JsonValue[])[0] : value;
  });
  return object === null ? null : asObject(object['error']) ?? object;
}

export function sentenceIn(error: JsonObject): string | null {
  return asText(error['message']) ?? asText(error['error']) ?? detailIn(error['detail']);
}

function detailIn(detail: JsonValue | undefined): string | null {
  return detail === undefined ? null : asText(detail) ?? JSON.stringify(detail);
}
