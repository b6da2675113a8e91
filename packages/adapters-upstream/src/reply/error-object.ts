import type { JsonObject, JsonValue } from '@tollgate/core';
import { asObject, asText, parseObject } from './json-values.js';

/**
 * The `error` object of a body, or the body itself without such a field; `null` if the body is not a JSON object. Google's servers send the body as the
 * first member of a list.
 */
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
  return detail === undefined ? null : asText(detail) ?? printed(detail);
}

/** The value as JSON; `null` if it is nested too deeply to be printed. */
function printed(value: JsonValue): string | null {
  try {
    return JSON.stringify(value);
  } catch (thrown) {
    if (!(thrown instanceof RangeError)) throw thrown;
    return null;
  }
}
