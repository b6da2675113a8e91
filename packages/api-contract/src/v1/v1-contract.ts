import { type ErrorCode, PAGE_SIZES } from '@tollgate/core';
import { z } from 'zod';
import { cursor, id } from '../definition/field-schemas.js';
import { pageLimit } from '../definition/page-limit.js';
import { account } from '../shapes/account.js';
import { listedKey } from '../shapes/api-key.js';
import { offeredModel } from '../shapes/model.js';
import { chargeExplanation, endReason, requestTransfers, usageRecord, usageSums } from '../shapes/usage.js';
import { chatChunk, chatCompletion, chatRequest } from './chat-schemas.js';
import { message, messagesCount, messagesCountRequest, messagesEvent, messagesRequest } from './messages-schemas.js';
import {
  deletedResponse, inputItemList, response, responsesCount, responsesCountRequest, responsesEvent, responsesRequest,
} from './responses-schemas.js';
import { defineV1Route } from './v1-route.js';

const list = { object: z.literal('list').describe('The kind of object.'), has_more: z.boolean().describe('Whether there is a next page.') };

const MODEL_CODES = ['model_not_found', 'model_not_in_plan', 'model_not_in_key'] as const satisfies readonly ErrorCode[];
const BODY_CODES = ['payload_too_large', 'unsupported_media_type', 'server_busy'] as const satisfies readonly ErrorCode[];

const GENERATION_CODES = [
  ...MODEL_CODES, ...BODY_CODES, 'context_length_exceeded', 'insufficient_balance', 'idempotency_conflict', 'tokens_per_minute_exceeded',
  'concurrency_limit_exceeded', 'daily_limit_exceeded', 'monthly_limit_exceeded', 'api_key_limit_exceeded', 'provider_unavailable',
] as const satisfies readonly ErrorCode[];

const COUNT_CODES = [...MODEL_CODES, ...BODY_CODES, 'provider_unavailable'] as const;

const CHARGED = 'The request is charged once, by the tokens that were used; a refused request costs nothing.';
const COUNTED = 'Estimates the prompt as a reservation would. It costs nothing.';

const QUESTION = { role: 'user', content: 'What is a tollgate?' } as const;

const generationRoutes = {
  createChatCompletion: defineV1Route({
    method: 'post', path: '/v1/chat/completions', tag: 'Generation', summary: 'Generates a reply in the chat-completions format.', description: CHARGED,
    body: chatRequest, reply: chatCompletion, isIdempotent: true, codes: GENERATION_CODES,
    stream: { description: 'With `stream: true`: chunks, the last of which has the charge, and then `data: [DONE]`. A failure is a chunk with `error`.', event: chatChunk },
    example: { request: { model: 'sandbox-small', messages: [QUESTION] } },
  }),
  createMessage: defineV1Route({
    method: 'post', path: '/v1/messages', tag: 'Generation', summary: 'Generates a reply in the messages format.', description: CHARGED,
    body: messagesRequest, reply: message, isIdempotent: true, codes: GENERATION_CODES,
    stream: { description: 'With `stream: true`: events from `message_start` to `message_stop`; `message_delta` has the charge. A failure is an `error` event.', event: messagesEvent },
    example: { request: { model: 'sandbox-small', max_tokens: 200, messages: [QUESTION] } },
  }),
  countMessageTokens: defineV1Route({
    method: 'post', path: '/v1/messages/count_tokens', tag: 'Generation', summary: 'Counts the prompt of a messages request.', description: COUNTED,
    body: messagesCountRequest, reply: messagesCount, codes: COUNT_CODES,
    example: { request: { model: 'sandbox-small', messages: [QUESTION] } },
  }),
  createResponse: defineV1Route({
    method: 'post', path: '/v1/responses', tag: 'Generation', summary: 'Generates a reply in the responses format.', description: CHARGED,
    body: responsesRequest, reply: response, isIdempotent: true, codes: [...GENERATION_CODES, 'not_found'],
    stream: { description: 'With `stream: true`: events from `response.created` to `response.completed`, `response.incomplete` or `response.failed`, which has the charge.', event: responsesEvent },
    example: { request: { model: 'sandbox-small', input: QUESTION.content } },
  }),
  countResponseTokens: defineV1Route({
    method: 'post', path: '/v1/responses/input_tokens', tag: 'Generation', summary: 'Counts the prompt of a responses request.', description: COUNTED,
    body: responsesCountRequest, reply: responsesCount, codes: [...COUNT_CODES, 'not_found'],
    example: { request: { model: 'sandbox-small', input: QUESTION.content } },
  }),
} as const;

const ofResponse = z.strictObject({ response_id: z.string().describe('The id of a stored response, `resp_…`.') });
const NOT_STORED = 'Responses are stored for a limited time, for the account that requested them, unless their request said `store: false`.';

const responseRoutes = {
  readResponse: defineV1Route({
    method: 'get', path: '/v1/responses/{response_id}', tag: 'Stored responses', summary: 'Reads a stored response.', description: NOT_STORED,
    params: ofResponse,
    query: z.object({ stream: z.enum(['false']).optional().describe('Stored responses are not streamed.') }),
    reply: response, codes: [],
  }),
  deleteResponse: defineV1Route({
    method: 'delete', path: '/v1/responses/{response_id}', tag: 'Stored responses', summary: 'Removes a stored response.', description: NOT_STORED,
    params: ofResponse, reply: deletedResponse, codes: [],
  }),
  listInputItems: defineV1Route({
    method: 'get', path: '/v1/responses/{response_id}/input_items', tag: 'Stored responses', summary: 'Lists the items that a stored response was requested with.', description: NOT_STORED,
    params: ofResponse,
    query: z.object({
      limit: pageLimit(PAGE_SIZES.inputItems.api).describe('How many items the page has.'),
      order: z.enum(['asc', 'desc']).default('desc').describe('`desc`: the last item first.'),
      after: z.string().max(1024).optional().describe('The `last_id` of the page before.'),
    }),
    reply: inputItemList, codes: [],
  }),
} as const;

const modelRoutes = {
  listModels: defineV1Route({
    method: 'get', path: '/v1/models', tag: 'Models', summary: 'Lists the models that the key may use.', description: 'Models of the plan and of the key, in the order of the catalogue, with their prices.',
    reply: z.strictObject({
      ...list, data: z.array(offeredModel).readonly().describe('The models.'),
      first_id: z.string().nullable().describe('The slug of the first model.'), last_id: z.string().nullable().describe('The slug of the last model.'),
    }),
    codes: [],
  }),
  readModel: defineV1Route({
    method: 'get', path: '/v1/models/{model}', tag: 'Models', summary: 'Reads one model.', description: 'The same fields as in the list. A slug may contain slashes.',
    params: z.strictObject({ model: z.string().describe('Slug or alias of the model.') }), reply: offeredModel, codes: MODEL_CODES,
  }),
} as const;

const accountRoutes = {
  readAccount: defineV1Route({
    method: 'get', path: '/v1/account', tag: 'Account', summary: 'Reads the account of the key.', description: 'Balance, plan, limits and their current use.', reply: account, codes: [],
  }),
  listApiKeys: defineV1Route({
    method: 'get', path: '/v1/api-keys', tag: 'Account', summary: 'Lists the API keys of the account.', description: 'Newest first, revoked ones included; never secrets. Keys are created and changed in the dashboard.',
    query: z.object({ limit: pageLimit(PAGE_SIZES.keys.api).describe('How many keys the page has.'), cursor: id.optional().describe('The `next_cursor` of the page before.') }),
    reply: z.strictObject({ ...list, data: z.array(listedKey).readonly().describe('The keys.'), next_cursor: z.string().optional().describe('The `cursor` of the next page; missing on the last one.') }),
    codes: [],
  }),
} as const;

const moment = z.string().max(64).optional();
const period = {
  start: moment.describe('Requests that ended at or after this time: Unix seconds, RFC 3339, or a UTC day.'),
  end: moment.describe('Requests that ended before this time, in the same forms.'),
};

const usageRoutes = {
  listUsage: defineV1Route({
    method: 'get', path: '/v1/usage', tag: 'Usage', summary: 'Lists the usage records of the account.', description: 'Newest first. A page may be empty and have a next one.',
    query: z.object({
      ...period,
      model: z.string().optional().describe('Only of the model that served, by its slug.'),
      key_id: id.optional().describe('Only of this API key.'),
      user: z.string().optional().describe('Only of this user, by the client’s own name.'),
      end_reason: endReason.optional().describe('Only of requests that ended so.'),
      min_charge: z.string().regex(/^\d{1,12}(\.\d{1,6})?$/).optional().describe('Only of requests that were charged at least this many service tokens.'),
      limit: pageLimit(PAGE_SIZES.usage.api).describe('How many records the page has.'),
      cursor: cursor.describe('The `next_cursor` of the page before, with the same filters.'),
    }),
    reply: z.strictObject({
      ...list, data: z.array(usageRecord).readonly().describe('The records.'),
      next_cursor: z.string().nullable().describe('The `cursor` of the next page; `null` on the last one.'),
      searched_to: usageRecord.shape.ended_at.nullable().describe('When the last record that was looked at ended; `null` at the end.'),
    }),
    codes: [],
  }),
  summariseUsage: defineV1Route({
    method: 'get', path: '/v1/usage/summary', tag: 'Usage', summary: 'Sums up the usage of whole UTC days.', description: 'The last 30 days with today by default. Of many groups, those with the largest charges.',
    query: z.object({
      ...period, group_by: z.enum(['day', 'model', 'key', 'user']).default('day').describe('What each group has in common.'),
    }),
    reply: z.strictObject({
      object: z.literal('usage_summary').describe('The kind of object.'),
      start: usageRecord.shape.started_at.describe('The first instant that is counted.'),
      end: usageRecord.shape.started_at.describe('The first instant that is no longer counted.'),
      group_by: z.enum(['day', 'model', 'key', 'user']).describe('As requested.'),
      data: z.array(usageSums.extend({ group: z.string().nullable().describe('The day, model, key or user; `null` for requests of none.') })).readonly().describe('One bucket for each group.'),
      has_more: z.boolean().describe('Whether groups were left out.'),
    }).meta({ id: 'UsageSummary', description: 'Totals of requests by group.' }),
    codes: [],
  }),
  readUsage: defineV1Route({
    method: 'get', path: '/v1/usage/{request_id}', tag: 'Usage', summary: 'Reads one usage record.', description: 'With its charge explained step by step, and what the ledger has of it.',
    params: z.strictObject({ request_id: id.describe('The id of the request, as in its `x-request-id` header.') }),
    reply: usageRecord.extend({ charge: chargeExplanation.describe('How the charge was computed.'), ledger: requestTransfers.describe('What was booked, in order.') }),
    codes: ['not_found'],
  }),
} as const;

/** Every route under `/v1` that an API key may use. */
export const v1Contract = { ...generationRoutes, ...responseRoutes, ...modelRoutes, ...accountRoutes, ...usageRoutes } as const;
