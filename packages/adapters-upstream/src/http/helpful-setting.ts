import type { UpstreamTarget } from '@tollgate/core';
import { errorObjectIn, sentenceIn } from '../reply/error-object.js';
import { asText } from '../reply/json-values.js';
import type { UpstreamReply } from '../upstream/upstream-failure.js';

/** Request fields that depend on the upstream, with the catalogue setting that controls each. */
const UPSTREAM_SETTINGS: ReadonlyMap<string, string> = new Map([
  ['stop', 'stop_sequence_limit'], ['stop_sequences', 'stop_sequence_limit'],
  ['reasoning_effort', 'reasoning_style'], ['reasoning', 'reasoning_style'], ['thinking', 'reasoning_style'], ['chat_template_kwargs', 'reasoning_style'],
  ['tool_call_id', 'tool_call_id_limit'], ['call_id', 'tool_call_id_limit'], ['user', 'attribution'], ['metadata', 'attribution'],
]);

/** Fields that no setting should omit, because requests lose their meaning without them. */
const NEEDED: ReadonlySet<string> = new Set(['model', 'messages', 'input', 'system', 'instructions', 'tools', 'stream', 'store']);

/** Field names of the output limit. A refusal that matches `NAME_IS_REFUSED` concerns the field's name, any other refusal its value. */
const OUTPUT_LIMITS: ReadonlySet<string> = new Set(['max_tokens', 'max_completion_tokens', 'max_output_tokens']);
const NAME_IS_REFUSED = /unsupported|not supported|unrecognized|unknown|extra inputs|not permitted|instead/;

/** Field names that are also ordinary words. */
const ORDINARY: ReadonlySet<string> = new Set(['user', 'stop', 'text', 'include', 'metadata', 'reasoning', 'thinking']);

/** A word, and whether it is marked as a name: quoted, before a colon, or before a dot. */
const WORD = /(['"`]?)\b([a-z][a-z0-9_]*)(['"`]|:|\.(?=[a-z]))?/g;

export interface RefusedRequest {
  readonly fields: readonly string[];
  readonly model: string;
  readonly target: UpstreamTarget;
}

/** The catalogue setting that would omit or change a field which the refusal names and the request contained; `null` if there is none. */
export function helpfulSetting({ body }: UpstreamReply, { fields, model, target }: RefusedRequest): string | null {
  const error = errorObjectIn(body) ?? {};
  const param = asText(error['param']) ?? '';
  const said = (sentenceIn(error) ?? '').toLowerCase();
  const sent = new Set(fields);
  for (const name of [...namesIn(`'${param}'`), ...namesIn(said)]) {
    if (OUTPUT_LIMITS.has(name) && sent.has(name)) return outputSetting(name, said, { model, target });
    const isSent = sent.has(name) && !NEEDED.has(name);
    const setting = isSent || name.endsWith('call_id') ? UPSTREAM_SETTINGS.get(name) : undefined;
    if (setting !== undefined) return `upstreams.${target.upstreamId}.${setting}`;
    if (isSent) return `models.${model}.omit: [${name}]`;
  }
  return null;
}

function outputSetting(name: string, said: string, { model, target }: Pick<RefusedRequest, 'model' | 'target'>): string | null {
  if (!NAME_IS_REFUSED.test(said)) return `models.${model}.max_output_tokens`;
  return name === 'max_output_tokens' ? null : `upstreams.${target.upstreamId}.output_limit_field`;
}

function* namesIn(said: string): Generator<string> {
  for (const [, before, name = '', after] of said.matchAll(WORD)) if (!ORDINARY.has(name) || before !== '' || after !== undefined) yield name;
}
