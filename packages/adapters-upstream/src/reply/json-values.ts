import type { JsonObject, JsonValue } from '@tollgate/core';

/** Parses a JSON object; `null` if the text is anything else. */
export function parseObject(text: string, parse: (text: string) => unknown = JSON.parse): JsonObject | null {
  try {
    return asObject(parse(text) as JsonValue);
  } catch (cause) {
    if (cause instanceof SyntaxError) return null;
    throw cause;
  }
}

export function asObject(value: JsonValue | undefined): JsonObject | null {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as JsonObject) : null;
}

export function asList(value: JsonValue | undefined): readonly JsonValue[] {
  return Array.isArray(value) ? value : [];
}

export function asText(value: JsonValue | undefined): string | null {
  return typeof value === 'string' ? value : null;
}

export function asNumber(value: JsonValue | undefined): number | null {
  return typeof value === 'number' ? value : null;
}
