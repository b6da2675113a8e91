import { z } from 'zod';
import { amount, bothCurrencies, id, instant } from '../definition/field-schemas.js';

const count = z.number().int().min(0);
const cap = count.nullable();

/** Parameters of a path that names an account. */
export const accountInPath = z.strictObject({ id: id.describe('The id of the account.') });

const modelLimit = z.strictObject({
  model: z.string().describe('Slug of the model.'),
  requests_per_minute: cap.describe('Requests a minute; `null` for no limit.'),
  tokens_per_minute: cap.describe('Tokens a minute; `null` for no limit.'),
  concurrent_requests: cap.describe('Requests at the same time; `null` for no limit.'),
  expires_at: instant.nullable().describe('When the limit ends; `null` until an operator ends it.'),
}).meta({ id: 'ModelLimit', description: 'A limit that operators have put on a model during an incident.' });

export const balance = z.strictObject({
  available: bothCurrencies.describe('What can be reserved now: the total without what running requests have reserved.'),
  reserved: bothCurrencies.describe('What running requests have reserved.'),
  total: bothCurrencies.describe('What is booked.'),
});

const planLimits = z.strictObject({
  requests_per_minute: count.describe('Requests a minute.'),
  tokens_per_minute: count.describe('Tokens a minute, prompt and output.'),
  concurrent_requests: count.describe('Requests at the same time.'),
  max_context_tokens: count.describe('Tokens of prompt and output of one request.'),
  api_keys: count.describe('Active API keys.'),
  tokens_per_day: cap.describe('Tokens in a UTC day; `null` for no limit.'),
  tokens_per_month: cap.describe('Tokens in a UTC month; `null` for no limit.'),
});

/** An account as `GET /v1/account` shows it. */
export const account = z.strictObject({
  id: id.describe('The id of the account, `acct_…`.'),
  object: z.literal('account').describe('The kind of object.'),
  name: z.string().describe('The name that its owner has given.'),
  status: z.enum(['active', 'suspended', 'pending-deletion', 'deleted']).describe('Only an active account is served.'),
  created_at: instant.describe('When it was created.'),
  plan: z.strictObject({
    id: z.string().describe('The id of the plan in the catalogue.'),
    name: z.string().describe('The name of the plan.'),
  }).describe('The plan in force.'),
  balance: balance.extend({ usd_per_service_token: amount.describe('US dollars that one service token is worth.') }).describe('What the account has.'),
  limits: planLimits.extend({ models: z.array(modelLimit).describe('Limits of models during an incident.') }).describe('The limits in force.'),
  used: z.strictObject({
    requests_this_minute: count.describe('Requests in the running window of a minute.'),
    tokens_this_minute: count.describe('Tokens in the running window of a minute.'),
    minute_resets_in_seconds: count.describe('Seconds until the window ends.'),
    tokens_today: count.describe('Tokens in the running UTC day.'),
    tokens_this_month: count.describe('Tokens in the running UTC month.'),
    api_keys: count.describe('Active API keys.'),
  }).describe('Current use of the limits.'),
}).meta({ id: 'Account', description: 'An account with its balance, its limits and their current use.' });
