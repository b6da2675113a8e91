import type { UpstreamTarget } from '@tollgate/core';
import { errorObjectIn, sentenceIn } from '../reply/error-replies.js';
import { asText } from '../reply/json-values.js';
import type { UpstreamReply } from '../upstream/upstream-failure.js';

/** Fields that are a matter of the upstream, with the setting of the catalogue that decides about them. */
const UPSTREAM_SETTINGS: ReadonlyMap<string, string> = new Map([
  ['stop', 'stop_sequence_limit'], ['stop_sequences', 'stop_sequence_limit'],
  ['reasoning_effort', 'reasoning_style'], ['reasoning', 'reasoning_style'], ['thinking', 'reasoning_style'], ['chat_template_kwargs', 'reasoning_style'],
  ['tool_call_id', 'tool_call_id_limit'], ['call_id', 'tool_call_id_limit'], ['user', 'attribution'], ['metadata', 'attribution'],
]);

/** What no request can be without. */
const NEEDED: ReadonlySet<string> = new Set(['model', 'messages', 'input', 'system', 'instructions', 'tools', 'stream', 'store']);

/** Fields of the most output: most refusals of one are about its value, the others about its name. The last has no other name. */
const OUTPUT_LIMITS: ReadonlySet<string> = new Set(['max_tokens', 'max_completion_tokens', 'max_output_tokens']);
const NAME_IS_REFUSED = /unsupported|not supported|unrecognized|unknown|extra inputs|not permitted|instead/;

/** Words that refusals also use without speaking of the field. */
const ORDINARY: ReadonlySet<string> = new Set(['user', 'stop', 'text', 'include', 'metadata', 'reasoning', 'thinking']);

/** A word, and whether it is written as a name: in quotes, before a colon, or with a part of it. */
const WORD = /(['"`]?)\b([a-z][a-z0-9_]*)(['"`]|:|\.(?=[a-z]))?/g;

/** A request that was refused. */
export interface RefusedRequest {
  readonly fields: readonly string[];
  readonly model: string;
  readonly target: UpstreamTarget;
}

/** The catalogue's setting that keeps a field out of requests, or changes it, where a refusal names one that was sent; else `null`. */
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
