import {
  DEFAULT_REQUEST_LIMITS, DISPLAY_NAME_RULE, MAX_REQUEST_LIMITS, MODALITIES, isDisplayName, parseTokenRate, type RequestLimitName, ServiceTokens,
  type TokenCount, tokenCount, type TokenRate,
} from '@tollgate/core';
import { z } from 'zod';
import { httpAddress, seconds, wholeNumber } from '../settings/variable-schemas.js';
import { creditOfferFields } from './credit-offer-schema.js';
import { REASONING_STYLES } from '../settings/server-kinds.js';
import { datedPrice, day, priceList } from './price-schema.js';

/** All scalars of a catalogue are read as texts. */
const text = z.string().min(1, 'must not be empty');

const displayName = z.string().refine(isDisplayName, `must be ${DISPLAY_NAME_RULE}`);

const MAX_DESCRIPTION = 300;

const description = z.string().refine((value) => value.trim() !== '' && value.length <= MAX_DESCRIPTION && !/\p{Cc}/u.test(value), `must be 1 to ${MAX_DESCRIPTION} characters without line breaks`);

const inputModalities = z.array(z.enum(MODALITIES, { error: `must be one of ${MODALITIES.join(', ')}` })).min(1, 'must name at least one')
  .refine((named) => new Set(named).size === named.length, 'must name each once');

/**
 * Id of a model, an upstream, a plan or a price list. Used in headers and URLs, so it is printable ASCII without spaces. `*` is excluded, because it
 * ends the prefix in an alias.
 */
export const identifier = z.string().regex(/^[\x21-\x29\x2b-\x7e]{1,200}$/, 'must be 1 to 200 printable ASCII characters without spaces and *');

/** An exact name, or a prefix and `*`. */
const alias = z.string().regex(/^[\x21-\x29\x2b-\x7e]{0,200}\*?$/, 'must be a name without spaces, with * at its end or not at all').min(1, 'must not be empty');

const COUNT_FORM = /^\d{1,3}(_?\d{3}){0,3}$|^\d{1,12}$/;

/** A whole number such as `128000` or `128_000`. */
function count(minimum: number): z.ZodType<TokenCount, string> {
  const message = `must be a whole number, at least ${minimum}`;
  return z.string().regex(COUNT_FORM, message).transform((digits) => tokenCount(Number(digits.replaceAll('_', ''))))
    .refine((value) => value >= minimum, message);
}

function countBetween(minimum: number, maximum: number): z.ZodType<number, string> {
  const message = `must be a whole number from ${minimum} to ${maximum}`;
  return z.string().regex(COUNT_FORM, message).transform((digits) => Number(digits.replaceAll('_', '')))
    .refine((value) => value >= minimum && value <= maximum, message);
}

/** A maximum; `none` removes it. */
const cap = z.union([z.literal('none').transform(() => null), count(1)], { error: 'must be a whole number, at least 1, or none' });

const yesOrNo = z.enum(['true', 'false'], { error: 'must be true or false' }).transform((value) => value === 'true');

const rate: z.ZodType<TokenRate, string> = z.string().regex(/^\d{1,9}(\.\d{1,12})?$/, 'must be a decimal number with at most 12 decimal places')
  .transform((value) => parseTokenRate(value));

const amount: z.ZodType<ServiceTokens, string> = z.string().regex(/^\d{1,15}(\.\d{1,6})?$/, 'must be a decimal number with at most 6 decimal places')
  .transform((value) => ServiceTokens.parse(value));

const MAX_SECONDS = 86_400;
const timeout = seconds(0.001, MAX_SECONDS).optional();

function oneOf<const Values extends readonly [string, ...string[]]>(values: Values): z.ZodOptional<z.ZodEnum<{ [Value in Values[number]]: Value }>> {
  return z.enum(values, { error: `must be one of ${values.join(', ')}` }).optional();
}

/**
 * Fields that the gateway itself writes into requests. With other values, a request would not be the one that the gateway has admitted and reserved
 * for.
 */
const RESERVED_FIELDS: ReadonlySet<string> = new Set([
  'model', 'messages', 'system', 'input', 'instructions', 'stream', 'stream_options', 'max_tokens', 'max_completion_tokens', 'max_output_tokens', 'n', 'store',
  'tools',
]);

const extraBody = z.record(z.string(), z.unknown()).superRefine((fields, context) => {
  for (const name of Object.keys(fields)) {
    if (RESERVED_FIELDS.has(name)) context.addIssue({ code: 'custom', path: [name], message: 'is a field that the gateway writes itself' });
  }
});

/** Fields of all upstreams except the sandbox. */
const server = {
  base_url: httpAddress,
  api_key: text.optional(),
  /** Names an environment variable, so that the key is not in the file. */
  api_key_env: text.optional(),
  system_turns: oneOf(['in-place', 'as-user']),
  attribution: oneOf(['sent', 'omitted']),
  stop_sequence_limit: wholeNumber(0, 16).optional(),
  tool_call_id_limit: wholeNumber(9, 1000).optional(),
  json_schema: oneOf(['object', 'schema']),
  extra_body: extraBody.optional(),
  max_connections: cap.optional(),
  timeouts: z.strictObject({
    connect_seconds: timeout, first_byte_seconds: timeout, first_output_seconds: timeout, silence_seconds: timeout, generation_seconds: timeout,
  }).optional(),
};

const openai = z.strictObject({
  kind: z.literal('openai'),
  ...server,
  output_limit_field: oneOf(['max_tokens', 'max_completion_tokens']),
  prompt_cache_key: oneOf(['sent', 'omitted']),
  reasoning_style: oneOf(REASONING_STYLES.openai),
  reasoning_replay: oneOf(['sent', 'omitted']),
});

const anthropic = z.strictObject({
  kind: z.literal('anthropic'),
  ...server,
  authentication: oneOf(['api-key', 'bearer']),
  cache_control: oneOf(['sent', 'omitted']),
  reasoning_style: oneOf(REASONING_STYLES.anthropic),
  reasoning_replay: oneOf(['signed', 'sent', 'omitted']),
});

const responses = z.strictObject({
  kind: z.literal('responses'),
  ...server,
  /** The responses format has no stop sequences, so the gateway enforces all of them. */
  stop_sequence_limit: wholeNumber(0, 0).optional(),
  prompt_cache_key: oneOf(['sent', 'omitted']),
  reasoning_style: oneOf(REASONING_STYLES.responses),
  reasoning_replay: oneOf(['signed', 'sent', 'omitted']),
});

const sandbox = z.strictObject({ kind: z.literal('sandbox') });

const upstreamSchema = z.discriminatedUnion('kind', [openai, anthropic, responses, sandbox]);

export const UPSTREAM_KINDS: readonly string[] = upstreamSchema.options.map(({ shape }) => shape.kind.value);

export type UpstreamEntry = z.output<typeof upstreamSchema>;
export type OpenaiEntry = z.output<typeof openai>;
export type AnthropicEntry = z.output<typeof anthropic>;
export type ResponsesEntry = z.output<typeof responses>;

/** Name of a field in requests to the upstream. `stream_options` is permitted, because the gateway then counts usage itself. */
const parameterName = z.string().regex(/^[a-z][a-z0-9_]{0,63}$/, 'must be the name of a field')
  .refine((name) => name === 'stream_options' || !RESERVED_FIELDS.has(name), 'is a field that the gateway writes itself');

const parameterRule = {
  omit: z.array(parameterName).optional(),
  fix: extraBody.optional(),
};

const target = z.strictObject({ upstream: identifier, model: text });

const model = z.strictObject({
  display_name: displayName.optional(),
  description: description.optional(),
  owned_by: displayName.optional(),
  created: day.optional(),
  aliases: z.array(alias).optional(),
  context_window: count(1),
  max_output_tokens: count(1),
  enforces_max_tokens: yesOrNo.optional(),
  reasoning: yesOrNo.optional(),
  input_modalities: inputModalities.optional(),
  price: datedPrice,
  shutdown_date: day.optional(),
  successor: identifier.optional(),
  after_shutdown: oneOf(['refuse', 'successor']),
  ...parameterRule,
  with_tools: z.strictObject(parameterRule).optional(),
  without_tools: z.strictObject(parameterRule).optional(),
  targets: z.array(target).min(1, 'must name at least one upstream'),
  fallbacks: z.array(identifier).optional(),
});

const plan = z.strictObject({
  name: displayName.optional(),
  requests_per_minute: count(1).optional(),
  tokens_per_minute: count(1).optional(),
  concurrent_requests: count(1).optional(),
  max_context_tokens: count(1).optional(),
  active_keys: count(1).optional(),
  tokens_per_day: cap.optional(),
  tokens_per_month: cap.optional(),
  excluded_models: z.array(identifier).optional(),
});

/** A limit that must not be below the default, because clients rely on the default. */
function raised(name: RequestLimitName): z.ZodOptional<z.ZodType<number, string>> {
  return countBetween(DEFAULT_REQUEST_LIMITS[name], MAX_REQUEST_LIMITS[name]).optional();
}

const requestLimits = z.strictObject({
  messages: raised('messages'),
  tools: raised('tools'),
  message_characters: raised('messageCharacters'),
  stop_sequences: raised('stopSequences'),
});

/** Schema of a catalogue; references between parts are validated afterwards. */
export const catalogueSchema = z.strictObject({
  usd_per_service_token: rate,
  minimum_reservation: amount.optional(),
  request_limits: requestLimits.optional(),
  upstreams: z.record(identifier, upstreamSchema),
  models: z.record(identifier, model).refine((models) => Object.keys(models).length > 0, 'must name at least one model'),
  plans: z.record(identifier, plan).optional(),
  price_lists: z.record(identifier, priceList(identifier, displayName)).optional(),
  ...creditOfferFields,
});

export type CatalogueEntry = z.output<typeof catalogueSchema>;
export type ModelEntry = z.output<typeof model>;
export type PlanEntry = z.output<typeof plan>;
