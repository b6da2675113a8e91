import type { JsonObject, JsonValue } from '../json.js';

/** How many keys a value would be printed with, in all its objects together; those whose value is `undefined` are not printed. */
export function countKeys(value: JsonValue | undefined): number {
  if (typeof value !== 'object' || value === null) return 0;
  return Array.isArray(value) ? countInList(value as readonly JsonValue[]) : countInObject(value as JsonObject);
}

function countInList(list: readonly JsonValue[]): number {
  let keys = 0;
  for (const member of list) keys += countKeys(member);
  return keys;
}

function countInObject(object: JsonObject): number {
  let keys = 0;
  for (const name in object) if (object[name] !== undefined) keys += 1 + countKeys(object[name]);
  return keys;
}
