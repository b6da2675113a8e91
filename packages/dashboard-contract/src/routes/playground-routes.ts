import { z } from 'zod';
import { defineRoute } from '../route-contract.js';
import { bothCurrencies } from '../values.js';

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
