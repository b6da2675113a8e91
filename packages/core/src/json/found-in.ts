import type { JsonObject, JsonValue } from '../json.js';

/** How many keys a value has, in all its objects together. */
export function keysOf(value: JsonValue): number {
  if (typeof value !== 'object' || value === null) return 0;
  return Array.isArray(value) ? keysOfList(value as readonly JsonValue[]) : keysOfObject(value as JsonObject);
}

function keysOfList(list: readonly JsonValue[]): number {
  let keys = 0;
  for (const member of list) keys += keysOf(member);
  return keys;
}

function keysOfObject(object: JsonObject): number {
  let keys = 0;
  for (const name in object) keys += 1 + keysOf(object[name] as JsonValue);
  return keys;
}

/** Whether a value is found in a parsed one. Lists have to be the same; objects may have more keys where they were parsed, and in any order. */
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
  for (const name in value) if (!Object.hasOwn(parsed, name) || !isFoundIn(parsed[name], value[name] as JsonValue)) return false;
  return true;
}
