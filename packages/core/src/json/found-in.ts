import type { JsonObject, JsonValue } from '../json.js';

/**
 * Whether all that is printed of a value is found in a parsed one. Lists have to be the same; objects may have more keys where they were
 * parsed, and in any order.
 */
export function isFoundIn(parsed: unknown, value: JsonValue): boolean {
  if (typeof value !== 'object' || value === null) return parsed === value;
  if (typeof parsed !== 'object' || parsed === null || Array.isArray(parsed) !== Array.isArray(value)) return false;
  return Array.isArray(value) ? isListFoundIn(parsed as readonly unknown[], value) : isObjectFoundIn(parsed as JsonObject, value as JsonObject);
}

function isListFoundIn(parsed: readonly unknown[], value: readonly JsonValue[]): boolean {
  if (parsed.length !== value.length) return false;
  for (const [index, member] of value.entries()) if (!isFoundIn(parsed[index], member)) return false;
  return true;
}

function isObjectFoundIn(parsed: JsonObject, value: JsonObject): boolean {
  for (const name in value) {
    const member = value[name];
    if (member !== undefined && (!Object.hasOwn(parsed, name) || !isFoundIn(parsed[name], member))) return false;
  }
  return true;
}
