import type { JsonObject, JsonValue } from '@tollgate/core';
import type { VendorSeals } from './vendor-seals.js';

export interface Refusal {
  readonly message: string;
  /** The name of the parameter, for vendors that state it outside the message. */
  readonly param?: string;
  readonly code?: string;
}

/** Finds the rules that a request breaks, in the order in which the vendor checks them. */
export type VendorRules = (body: JsonObject, seals: VendorSeals) => Iterable<Refusal>;

const TOOL_NAME_CHARACTERS = /^[a-zA-Z0-9_-]+$/;

export function objectOf(value: JsonValue | undefined): JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? value as JsonObject : {};
}

/** The objects in a list. Empty if the value is not a list. */
export function objectsOf(value: JsonValue | undefined): readonly JsonObject[] {
  return Array.isArray(value) ? value.map(objectOf) : [];
}

export function textOf(value: JsonValue | undefined): string {
  return typeof value === 'string' ? value : '';
}

export function unknownName(value: JsonObject, allowed: ReadonlySet<string>): string | undefined {
  return Object.keys(value).find((name) => !allowed.has(name));
}

/** The first text that occurs twice. */
export function repeated(texts: readonly string[]): string | undefined {
  return texts.find((text, position) => texts.indexOf(text) < position);
}

/** The refusal in the words of the vendors of chat completions and of responses. */
export function tooLong(param: string, text: string, maximum: number): Refusal {
  return {
    message: `Invalid '${param}': string too long. Expected a string with maximum length ${maximum}, but got a string with length ${text.length} instead.`,
    param, code: 'string_above_max_length',
  };
}

/** Refusals of a tool's name by the vendors of chat completions and of responses. */
export function* nameRefusals(param: string, name: string, maximum: number): Generator<Refusal> {
  if (name.length > maximum) yield tooLong(param, name, maximum);
  if (!TOOL_NAME_CHARACTERS.test(name)) {
    yield { message: `Invalid '${param}': string does not match pattern. Expected a string that matches the pattern '^[a-zA-Z0-9_-]+$'.`, param, code: 'invalid_value' };
  }
}
