import type { JsonObject, JsonValue } from '../json.js';

const DIFFERENT = -1;

/**
 * How many keys a value has, in all its objects together, if it is found in a parsed one; -1 if it is not. Lists have to be the same;
 * objects may have more keys where they were parsed. The order of keys does not matter.
 */
export function keysInBoth(parsed: unknown, value: JsonValue): number {
  if (typeof value !== 'object' || value === null) return parsed === value ? 0 : DIFFERENT;
  if (typeof parsed !== 'object' || parsed === null) return DIFFERENT;
  if (!Array.isArray(value)) return Array.isArray(parsed) ? DIFFERENT : keysOfObject(parsed, value as JsonObject);
  return Array.isArray(parsed) ? keysOfList(parsed, value) : DIFFERENT;
}

function keysOfList(parsed: readonly unknown[], value: readonly JsonValue[]): number {
  if (parsed.length !== value.length) return DIFFERENT;
  let keys = 0;
  for (const [index, member] of value.entries()) {
    const within = keysInBoth(parsed[index], member);
    if (within === DIFFERENT) return DIFFERENT;
    keys += within;
  }
  return keys;
}

function keysOfObject(parsed: object, value: JsonObject): number {
  let keys = 0;
  for (const name in value) {
    const within = Object.hasOwn(parsed, name) ? keysInBoth((parsed as JsonObject)[name], value[name] as JsonValue) : DIFFERENT;
    if (within === DIFFERENT) return DIFFERENT;
    keys += 1 + within;
  }
  return keys;
}
