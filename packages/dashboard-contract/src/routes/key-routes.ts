import { PAGE_SIZES, TOKEN_RATES } from '@tollgate/core';
import { z } from 'zod';
import { amount, bothCurrencies, displayName, fieldsOf, id, instant, listOf, serviceTokens, text } from '../definition/field-schemas.js';
import { pageLimit } from '../definition/page-limit.js';
import { defineRoute } from '../definition/route-contract.js';

const MAX_MODELS = 200;

/** Maximum spending of a key per UTC day or month. */
const spendingLimit = z.strictObject({ svc_tokens: serviceTokens, period: z.enum(['day', 'month']) });

/** A key as its owner sees it: as in `GET /v1/api-keys`, with its restrictions. Never contains the secret. */
export const apiKey = z.strictObject({
  id,
  object: z.literal('api_key'),
  name: z.string().nullable(),
  /** The first and last characters of the secret. */
  hint: z.string(),
  status: z.enum(['active', 'expired', 'revoked']),
  created_at: instant,
  expires_at: instant.nullable(),
  /** To the minute. */
  last_used_at: instant.nullable(),
  revoked_at: instant.nullable(),
  /** Operators have put it on the blocklist. */
  blocked: z.boolean(),
  /** Models that it may use; `null`: all of the plan. */
  models: z.array(z.string()).nullable(),
  spending_limit: spendingLimit.nullable(),
  /** Charges of ended requests in the current day or month; `null` without a limit. */
  spent: bothCurrencies.nullable(),
  /** What running requests have set aside of the limit. */
  reserved: bothCurrencies.nullable(),
  /** True if less of its limit is left than any request reserves, so that it is refused; `false` without a limit. */
  limit_reached: z.boolean(),
  /** When the running day or month ends. */
  spending_resets_at: instant.nullable(),
  /** Of the current UTC day and the six before; `null` if the account used too many keys to count each. */
  requests_7_days: z.number().int().min(0).nullable(),
});

/** A key in the one answer that shows its secret. */
const issuedKey = apiKey.extend({ secret: z.string() });

const name = displayName.nullable();
/** Slugs or aliases; `null`: all of the plan. */
const models = z.array(text(200)).min(1).max(MAX_MODELS).nullable();
const params = z.strictObject({ id });

export const keyRoutes = {
  listKeys: defineRoute({
    method: 'get', path: '/keys', access: 'owner', summary: 'The keys of the account, newest first, revoked ones included.',
    query: z.strictObject({ limit: pageLimit(PAGE_SIZES.keys.dashboard), cursor: id.optional() }), reply: listOf(apiKey),
  }),
  createKey: defineRoute({
    method: 'post', path: '/keys', access: 'owner', status: 201, summary: 'Creates a key. Only this response contains its secret.',
    body: z.strictObject({
      name: name.default(null), expires_at: instant.nullable().default(null), models: models.default(null), spending_limit: spendingLimit.nullable().default(null),
    }),
    reply: issuedKey,
  }),
  readKey: defineRoute({
    method: 'get', path: '/keys/{id}', access: 'owner', summary: 'One key.', params, reply: apiKey,
  }),
  changeKey: defineRoute({
    method: 'patch', path: '/keys/{id}', access: 'owner', summary: 'Changes name, models or spending limit of a key; omitted fields keep their values.',
    params,
    body: z.strictObject({ name: name.optional(), models: models.optional(), spending_limit: spendingLimit.nullable().optional() })
      .refine((change) => Object.keys(change).length > 0, 'must name at least one field'),
    reply: apiKey,
  }),
  rotateKey: defineRoute({
    method: 'post', path: '/keys/{id}/rotate', access: 'owner', status: 201,
    summary: 'Revokes a key and creates its replacement, with the same name, expiry date, models and limit. Only this response contains the secret.',
    params, reply: issuedKey,
  }),
  revokeKey: defineRoute({
    method: 'post', path: '/keys/{id}/revoke', access: 'owner', summary: 'Revokes a key permanently.', params, reply: apiKey,
  }),
} as const;

/** A model as in `GET /v1/models`, and whether the account's plan includes it. */
export const model = z.strictObject({
  id: z.string(),
  object: z.literal('model'),
  type: z.literal('model'),
  /** Unix seconds. */
  created: z.number().int(),
  created_at: instant,
  owned_by: z.string(),
  display_name: z.string(),
  aliases: z.array(z.string()).readonly(),
  context_window: z.number().int(),
  max_output_tokens: z.number().int(),
  reasoning: z.boolean(),
  reasoning_assumed: z.boolean(),
  simulated: z.boolean(),
  pricing: z.strictObject({
    unit: z.literal('service tokens per model token'), ...fieldsOf(TOKEN_RATES.map((rate) => rate.name), amount), usd_per_service_token: amount,
  }),
  in_plan: z.boolean(),
});

export const modelRoutes = {
  listModels: defineRoute({
    method: 'get', path: '/models', access: 'owner', cache: 'etag', summary: 'All models with their prices. Answers 304 to `If-None-Match` while nothing has changed.',
    reply: z.strictObject({
      object: z.literal('list'), data: z.array(model).readonly(), has_more: z.literal(false), first_id: z.string().nullable(), last_id: z.string().nullable(),
    }),
  }),
} as const;

const tokens = z.number().int().min(0);
const REPLIES = ['application/json', 'text/event-stream'] as const;

/** What sending a request would take at this moment. */
const playgroundEstimate = z.strictObject({
  object: z.literal('playground_estimate'),
  /** The slug of the model that the request names. */
  model: z.string(),
  prompt_tokens: tokens,
  /** How much output the reservation is sized for. */
  expected_output_tokens: tokens,
  /** The most that would be generated. */
  max_output_tokens: tokens,
  /** The amount that would be reserved; if the balance is insufficient, the minimum required. The charge depends on the reply. */
  reserved: bothCurrencies,
  /** Whether the balance reaches. */
  covered: z.boolean(),
});

export const playgroundRoutes = {
  playgroundChat: defineRoute({
    method: 'post', path: '/playground/chat', access: 'owner', takes: 'generation', produces: REPLIES,
    summary: 'As POST /v1/chat/completions, whole or streamed; the account of the signed-in owner is charged.',
  }),
  playgroundMessages: defineRoute({
    method: 'post', path: '/playground/messages', access: 'owner', takes: 'generation', produces: REPLIES,
    summary: 'As POST /v1/messages, whole or streamed; the account of the signed-in owner is charged.',
  }),
  playgroundResponses: defineRoute({
    method: 'post', path: '/playground/responses', access: 'owner', takes: 'generation', produces: REPLIES,
    summary: 'As POST /v1/responses, whole or streamed; the account of the signed-in owner is charged.',
  }),
  countPlayground: defineRoute({
    method: 'post', path: '/playground/count', access: 'owner', takes: 'generation', query: z.strictObject({ format: z.enum(['chat', 'messages', 'responses']) }),
    summary: 'Estimates a request of the playground before it is sent. It costs nothing and counts against no limit of the plan.', reply: playgroundEstimate,
  }),
} as const;
