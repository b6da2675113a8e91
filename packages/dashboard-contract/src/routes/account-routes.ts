import { z } from 'zod';
import { defineRoute } from '../route-contract.js';
import { amount, bothCurrencies, id, instant } from '../values.js';

const count = z.number().int().min(0);
/** `null`: no limit. */
const cap = count.nullable();

/** A limit of one model during a capacity incident. */
const modelLimit = z.strictObject({
  model: z.string(), requests_per_minute: cap, tokens_per_minute: cap, concurrent_requests: cap, expires_at: instant.nullable(),
});

/** An account as `GET /v1/account` shows it. */
export const account = z.strictObject({
  id,
  object: z.literal('account'),
  name: z.string(),
  status: z.enum(['active', 'suspended', 'pending-deletion', 'deleted']),
  created_at: instant,
  plan: z.strictObject({ id: z.string(), name: z.string() }),
  balance: z.strictObject({ available: bothCurrencies, reserved: bothCurrencies, total: bothCurrencies, usd_per_service_token: amount }),
  limits: z.strictObject({
    requests_per_minute: count, tokens_per_minute: count, concurrent_requests: count, max_context_tokens: count, api_keys: count,
    tokens_per_day: cap, tokens_per_month: cap, models: z.array(modelLimit),
  }),
  used: z.strictObject({
    requests_this_minute: count, tokens_this_minute: count, minute_resets_in_seconds: count, tokens_today: count, tokens_this_month: count, api_keys: count,
  }),
});

export const accountRoutes = {
  account: defineRoute({
    method: 'get', path: '/account', access: 'owner', summary: 'The account: status, plan, balance, the limits in force and what is used of them.',
    reply: account,
  }),
} as const;
