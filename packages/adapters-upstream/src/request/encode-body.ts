import { isDeepStrictEqual } from 'node:util';
import type { JsonObject, ParameterRule, ProviderCall } from '@tollgate/core';
import { type JsonPieces, type Printable, printObjectInPieces } from '@tollgate/json-text';
import { rulesFor } from './parameter-rules.js';

type BodyFields = Readonly<Record<string, Printable | JsonPieces | undefined>>;

export interface EncodedRequest extends Pick<JsonPieces, 'pieces'> {
  readonly fields: readonly string[];
  /** Names of the parameters that are not sent, or are sent with another value. */
  readonly omitted: readonly string[];
}

/** Adds the upstream's `extra_body`, over which the gateway's fields win, and applies the model's parameter rules, which win over both. */
export function encodeBody(fields: BodyFields, { model, request }: Pick<ProviderCall, 'model' | 'request'>, extra: JsonObject | null): EncodedRequest {
  const sent: SentFields = new Map(Object.entries(extra ?? {}));
  for (const name in fields) if (fields[name] !== undefined) sent.set(name, fields[name]);
  const omitted = rulesFor(model, request).flatMap((rule) => applyRule(rule, sent));
  const { pieces } = printObjectInPieces(sent);
  return { pieces, fields: [...sent.keys()], omitted };
}

type SentFields = Map<string, Printable | JsonPieces | undefined>;

/** Applies a rule; returns the fields that it omitted or changed. */
function applyRule({ omit, fix }: ParameterRule, sent: SentFields): readonly string[] {
  const changed = Object.entries(fix).filter(([name, value]) => sent.has(name) && !isDeepStrictEqual(sent.get(name), value)).map(([name]) => name);
  const removed = omit.filter((name) => sent.delete(name));
  for (const [name, value] of Object.entries(fix)) sent.set(name, value);
  return [...removed, ...changed];
}
