import { z } from 'zod';
import { httpAddress, seconds, wholeNumber } from '../settings/variable-schemas.js';
import { REASONING_STYLES } from '../settings/variables.js';
import { cap, text } from './text-schemas.js';

const MOST_SECONDS = 86_400;
const timeout = seconds(0.001, MOST_SECONDS).optional();

function oneOf<const Values extends readonly [string, ...string[]]>(values: Values): z.ZodOptional<z.ZodEnum<{ [Value in Values[number]]: Value }>> {
  return z.enum(values, { error: `must be one of ${values.join(', ')}` }).optional();
}

/** The gateway writes these into every request, or the request is not what was admitted and reserved for. */
const RESERVED_FIELDS: ReadonlySet<string> = new Set([
  'model', 'messages', 'system', 'stream', 'stream_options', 'max_tokens', 'max_completion_tokens', 'n', 'tools',
]);

const extraBody = z.record(z.string(), z.unknown()).superRefine((fields, context) => {
  for (const name of Object.keys(fields)) {
    if (RESERVED_FIELDS.has(name)) context.addIssue({ code: 'custom', path: [name], message: 'is a field that the gateway writes itself' });
  }
});

/** What every server has that is reached over HTTP. */
const server = {
  base_url: httpAddress,
  api_key: text.optional(),
  /** The name of an environment variable, so that the key need not be in the file. */
  api_key_env: text.optional(),
  system_turns: oneOf(['in-place', 'as-user']),
  attribution: oneOf(['sent', 'omitted']),
  stop_sequence_limit: wholeNumber(0, 16).optional(),
  json_schema: oneOf(['object', 'schema']),
  extra_body: extraBody.optional(),
  max_connections: cap.optional(),
  timeouts: z.strictObject({
    connect_seconds: timeout, first_byte_seconds: timeout, silence_seconds: timeout, generation_seconds: timeout,
  }).optional(),
};

const openai = z.strictObject({
  kind: z.literal('openai'),
  ...server,
  output_limit_field: oneOf(['max_tokens', 'max_completion_tokens']),
  reasoning_style: oneOf(REASONING_STYLES.openai),
  reasoning_replay: oneOf(['sent', 'omitted']),
});

const anthropic = z.strictObject({
  kind: z.literal('anthropic'),
  ...server,
  authentication: oneOf(['api-key', 'bearer']),
  reasoning_style: oneOf(REASONING_STYLES.anthropic),
  reasoning_replay: oneOf(['signed', 'sent', 'omitted']),
});

const sandbox = z.strictObject({ kind: z.literal('sandbox') });

/** The kinds of upstream: one schema each, found by its `kind`. */
export const upstreamSchema = z.discriminatedUnion('kind', [openai, anthropic, sandbox]);

export const UPSTREAM_KINDS: readonly string[] = upstreamSchema.options.map(({ shape }) => shape.kind.value);

export type UpstreamEntry = z.output<typeof upstreamSchema>;
export type OpenaiEntry = z.output<typeof openai>;
export type AnthropicEntry = z.output<typeof anthropic>;
