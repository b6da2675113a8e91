import { isDeepStrictEqual } from 'node:util';
import type { JsonObject, ParameterRule, ProviderCall, Sampling } from '@tollgate/core';
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
  return { pieces, fields: [...sent.keys()], omitted: [...omitted, ...changedSampling(request.sampling, sent)] };
}

/** The names that all kinds of upstreams use, each with the value that has no effect. */
const SAMPLING_FIELDS: Readonly<Record<keyof Sampling, readonly [field: string, neutral: number]>> = {
  temperature: ['temperature', 1], topP: ['top_p', 1], frequencyPenalty: ['frequency_penalty', 0], presencePenalty: ['presence_penalty', 0],
};

/** Sampling parameters of the client that the upstream lacks or refuses, also beside another parameter. */
function changedSampling(sampling: Sampling, sent: SentFields): readonly string[] {
  return Object.entries(SAMPLING_FIELDS).flatMap(([name, [field, neutral]]) => {
    const wanted = sampling[name as keyof Sampling];
    return wanted === null || wanted === neutral || sent.get(field) === wanted ? [] : [field];
  });
}

type SentFields = Map<string, Printable | JsonPieces | undefined>;

/** Applies a rule; returns the fields that it omitted or changed. */
function applyRule({ omit, fix }: ParameterRule, sent: SentFields): readonly string[] {
  const changed = Object.entries(fix).filter(([name, value]) => sent.has(name) && !isDeepStrictEqual(sent.get(name), value)).map(([name]) => name);
  const removed = omit.filter((name) => sent.delete(name));
  for (const [name, value] of Object.entries(fix)) sent.set(name, value);
  return [...removed, ...changed];
}
