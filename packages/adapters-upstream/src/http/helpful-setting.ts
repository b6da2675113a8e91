import type { UpstreamTarget } from '@tollgate/core';
import { asObject, asText, parseObject } from '../reply/json-values.js';
import type { UpstreamReply } from '../upstream/upstream-failure.js';

/** Fields that are a matter of the upstream, with the setting of the catalogue that decides about them. */
const UPSTREAM_SETTINGS: ReadonlyMap<string, string> = new Map([
  ['max_tokens', 'output_limit_field'], ['max_completion_tokens', 'output_limit_field'],
  ['stop', 'stop_sequence_limit'], ['stop_sequences', 'stop_sequence_limit'],
  ['reasoning_effort', 'reasoning_style'], ['reasoning', 'reasoning_style'], ['thinking', 'reasoning_style'], ['chat_template_kwargs', 'reasoning_style'],
  ['tool_call_id', 'tool_call_id_limit'], ['call_id', 'tool_call_id_limit'], ['user', 'attribution'], ['metadata', 'attribution'],
]);

/** What no request can be without. */
const NEEDED: ReadonlySet<string> = new Set(['model', 'messages', 'input', 'system', 'instructions', 'tools', 'stream', 'store', 'max_output_tokens']);

const WORD = /[a-z][a-z0-9_]*/g;

/** A request that was refused. */
export interface RefusedRequest {
  readonly fields: readonly string[];
  readonly model: string;
  readonly target: UpstreamTarget;
}

/** The catalogue's setting that keeps a field out of requests, or changes it, where a refusal names one that was sent; else `null`. */
export function helpfulSetting({ body }: UpstreamReply, { fields, model, target }: RefusedRequest): string | null {
  const error = asObject(parseObject(body)?.['error']) ?? parseObject(body) ?? {};
  const said = [asText(error['param']), asText(error['message']) ?? asText(error['detail']) ?? asText(error['error'])].filter((text) => text !== null).join(' ');
  const sent = new Set(fields.filter((name) => !NEEDED.has(name)));
  for (const [name] of said.toLowerCase().matchAll(WORD)) {
    const setting = sent.has(name) || name.endsWith('call_id') ? UPSTREAM_SETTINGS.get(name) : undefined;
    if (setting !== undefined) return `upstreams.${target.upstreamId}.${setting}`;
    if (sent.has(name)) return `models.${model}.omit: [${name}]`;
  }
  return null;
}
