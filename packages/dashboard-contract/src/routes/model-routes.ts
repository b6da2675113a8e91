import { z } from 'zod';
import { amount, bothCurrencies, defineRoute, instant } from '../route-contract.js';

/** A model as `GET /v1/models` shows it, and whether the account's plan includes it. */
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
    unit: z.literal('service tokens per model token'), prompt: amount, cached_prompt: amount, cache_creation: amount, output: amount, usd_per_service_token: amount,
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
export const playgroundEstimate = z.strictObject({
  object: z.literal('playground_estimate'),
  /** The slug of the model that the request names. */
  model: z.string(),
  prompt_tokens: tokens,
  /** How much output the reservation is sized for. */
  expected_output_tokens: tokens,
  /** The most that would be generated. */
  max_output_tokens: tokens,
  /** What would be set aside; where the balance does not reach, the least that would have to be available. What is charged depends on the reply. */
  reserved: bothCurrencies,
  /** Whether the balance reaches. */
  covered: z.boolean(),
});

export const playgroundRoutes = {
  playgroundChat: defineRoute({
    method: 'post', path: '/playground/chat', access: 'owner', takes: 'generation', produces: REPLIES,
    summary: 'As POST /v1/chat/completions, whole or streamed, at the cost of the own account.',
  }),
  playgroundMessages: defineRoute({
    method: 'post', path: '/playground/messages', access: 'owner', takes: 'generation', produces: REPLIES,
    summary: 'As POST /v1/messages, whole or streamed, at the cost of the own account.',
  }),
  countPlayground: defineRoute({
    method: 'post', path: '/playground/count', access: 'owner', takes: 'generation', query: z.strictObject({ format: z.enum(['chat', 'messages']) }),
    summary: 'Estimates a request of the playground before it is sent. Costs nothing, and no limit of the plan counts it.', reply: playgroundEstimate,
  }),
} as const;
