import { PAGE_SIZES } from '@tollgate/core';
import { z } from 'zod';
import { bothCurrencies, changeOf, displayName, id, instant, listOf, serviceTokens, text } from '../definition/field-schemas.js';
import { pageLimit } from '../definition/page-limit.js';
import { defineRoute } from '../definition/route-contract.js';
import { listedKey } from '../shapes/api-key.js';
import { offeredModel } from '../shapes/model.js';

const MAX_MODELS = 200;

/** Maximum spending of a key per UTC day or month. */
const spendingLimit = z.strictObject({ svc_tokens: serviceTokens.describe('Service tokens.'), period: z.enum(['day', 'month']).describe('The UTC day or month that the limit is for.') });

/** A key as its owner sees it: as in `GET /v1/api-keys`, with its bounds and without its secret. */
export const apiKey = listedKey.extend({
  updated_at: instant.describe('When it was last changed, blocked, unblocked or revoked; its use is no change.'),
  blocked: z.boolean().describe('Whether operators have blocked it.'),
  models: z.array(z.string()).nullable().describe('Slugs of the models it may use; `null`: all of the plan.'),
  spending_limit: spendingLimit.nullable().describe('The most that the key may spend; `null` for no limit.'),
  spent: bothCurrencies.nullable().describe('What ended requests of the running day or month were charged; `null` without a limit.'),
  reserved: bothCurrencies.nullable().describe('The part of the limit that running requests hold.'),
  limit_reached: z.boolean().describe('Whether less of its limit is left than any request sets aside, so that it is refused; `false` without a limit.'),
  spending_resets_at: instant.nullable().describe('When the running day or month ends.'),
  requests_7_days: z.number().int().min(0).nullable().describe('Of the running UTC day and the six before; `null` where so many keys were used that this one’s number is not known.'),
}).meta({ id: 'BoundedApiKey', description: 'An API key with its limits, without its secret.' });

/** A key in the only reply that contains its secret. */
export const issuedKey = apiKey.extend({ secret: z.string().describe('The secret of the key. It is shown once.') });

const name = displayName.nullable();
/** Slugs or aliases; `null` allows all models of the plan. */
const models = z.array(text(200)).min(1).max(MAX_MODELS).nullable();
const params = z.strictObject({ id: id.describe('The id of the key.') });

/** Terms of a new key. */
export const keyCreation = z.strictObject({
  name: name.default(null).describe('A name for people; `null` for none.'), expires_at: instant.nullable().default(null).describe('When the key expires; `null` for never.'), models: models.default(null).describe('Slugs or aliases of the models it may use; `null` for all of the plan.'), spending_limit: spendingLimit.nullable().default(null).describe('The most that the key may spend; `null` for no limit.'),
});

/** A change of a key; omitted fields keep their values. */
export const keyChange = changeOf({ name: name.optional().describe('A name for people; `null` for none.'), models: models.optional().describe('Slugs or aliases of the models it may use; `null` for all of the plan.'), spending_limit: spendingLimit.nullable().optional().describe('The most that the key may spend; `null` for no limit.') });

export const keyRoutes = {
  listKeys: defineRoute({
    method: 'get', path: '/keys', access: 'owner', summary: 'The keys of the account, newest first, revoked ones included.',
    query: z.strictObject({ limit: pageLimit(PAGE_SIZES.keys.dashboard).describe('How many items the page has.'), cursor: id.optional().describe('The `next_cursor` of the page before.') }), reply: listOf(apiKey),
  }),
  createKey: defineRoute({
    method: 'post', path: '/keys', access: 'owner', status: 201, summary: 'Creates a key. Only this response contains its secret.',
    body: keyCreation,
    reply: issuedKey,
  }),
  readKey: defineRoute({
    method: 'get', path: '/keys/{id}', access: 'owner', summary: 'One key.', params, reply: apiKey,
  }),
  changeKey: defineRoute({
    method: 'patch', path: '/keys/{id}', access: 'owner', summary: 'Changes name, models or spending limit of a key; omitted fields keep their values.',
    params,
    body: keyChange,
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

/** A model as `GET /v1/models` shows it, and whether the account's plan includes it. */
export const model = offeredModel.extend({
  in_plan: z.boolean().describe('Whether the account’s plan includes the model.'),
});

export const modelRoutes = {
  listModels: defineRoute({
    method: 'get', path: '/models', access: 'owner', cache: 'etag', summary: 'All models with their prices. Answers 304 to `If-None-Match` while nothing has changed.',
    reply: z.strictObject({
      object: z.literal('list').describe('The kind of object.'), data: z.array(model).readonly().describe('The models.'), has_more: z.literal(false).describe('Always `false`: the list is complete.'), first_id: z.string().nullable().describe('The slug of the first model.'), last_id: z.string().nullable().describe('The slug of the last model.'),
    }),
  }),
} as const;

const tokens = z.number().int().min(0);
const REPLIES = ['application/json', 'text/event-stream'] as const;

/** Estimated cost of sending a request now. */
const playgroundEstimate = z.strictObject({
  object: z.literal('playground_estimate').describe('The kind of object.'),
  model: z.string().describe('The slug of the model that the request names.'),
  prompt_tokens: tokens.describe('The estimated size of the prompt.'),
  expected_output_tokens: tokens.describe('How much output the reservation is sized for.'),
  max_output_tokens: tokens.describe('The most that would be generated.'),
  reserved: bothCurrencies.describe('What would be set aside; where the balance does not reach, the least that would have to be available. What is charged depends on the reply.'),
  covered: z.boolean().describe('Whether the balance reaches.'),
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
    method: 'post', path: '/playground/count', access: 'owner', takes: 'generation', query: z.strictObject({ format: z.enum(['chat', 'messages', 'responses']).describe('The format of the request.') }),
    summary: 'Estimates a request of the playground before it is sent. It costs nothing and counts against no limit of the plan.', reply: playgroundEstimate,
  }),
} as const;
