import type { JsonObject, JsonValue } from '@tollgate/core';
import { jsonDocument } from '@tollgate/json-text';
import { asNumber, asObject, asText } from '../reply/json-values.js';

/** A tool call of a whole message, or the part of one in a delta. */
export interface ToolCallFragment {
  /** `index`, or the position in the list if it is missing. */
  readonly slot: number;
  /** The call's id; `null` if absent or empty. */
  readonly id: string | null;
  readonly name: string | null;
  /** `extra_content`, sent back with the call. */
  readonly extra: JsonObject | null;
  readonly argumentsText: string;
}

export function decodeToolCallFragment(value: JsonValue, position: number): ToolCallFragment | null {
  const fragment = asObject(value);
  if (fragment === null) return null;
  const call = asObject(fragment['function']);
  return {
    slot: asNumber(fragment['index']) ?? position,
    id: asText(fragment['id']) || null,
    name: asText(call?.['name']) || null,
    extra: asObject(fragment['extra_content']),
    argumentsText: argumentsTextOf(call?.['arguments']),
  };
}

/** The arguments as text; some servers send an object instead of a string. */
export function argumentsTextOf(value: JsonValue | undefined): string {
  if (typeof value === 'string') return value;
  const object = asObject(value);
  return object === null ? '' : jsonDocument(object).text;
}
