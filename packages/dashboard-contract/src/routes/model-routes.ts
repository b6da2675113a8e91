import { z } from 'zod';
import { defineRoute } from '../route-contract.js';
import { amount, instant } from '../values.js';

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
