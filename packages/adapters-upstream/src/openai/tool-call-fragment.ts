import type { JsonValue } from '@tollgate/core';
import { jsonDocument } from '@tollgate/json-text';
import { asNumber, asObject, asText } from '../json-access.js';

/** One piece of one tool call, as a delta or a whole message brings it. */
export interface ToolCallFragment {
  /** The call's number; its place in the list where the server gave none. */
  readonly slot: number;
  /** `null` where absent or empty. */
  readonly id: string | null;
  readonly name: string | null;
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
    argumentsText: argumentsTextOf(call?.['arguments']),
  };
}

/** Some servers send the arguments as an object rather than as its text. */
function argumentsTextOf(value: JsonValue | undefined): string {
  if (typeof value === 'string') return value;
  const object = asObject(value);
  return object === null ? '' : jsonDocument(object).text;
}
