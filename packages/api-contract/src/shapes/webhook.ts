import { EVENT_TYPES, WEBHOOK_DISABLED_REASONS } from '@tollgate/core';
import { z } from 'zod';
import { changeOf, id, instant, text } from '../definition/field-schemas.js';

const MAX_URL = 2_000;
const MAX_DESCRIPTION = 200;

const count = z.number().int().min(0);
const types = z.array(z.enum(EVENT_TYPES, { error: `must be one of ${EVENT_TYPES.join(', ')}` }));

export const webhook = z.strictObject({
  object: z.literal('webhook').describe('The kind of object.'),
  id: id.describe('The id of the webhook: `hook_…`.'),
  url: z.string().describe('Where events are sent.'),
  types: types.readonly().nullable().describe('The types of events that it receives; `null` for all.'),
  description: z.string().describe('A note for people; may be empty.'),
  status: z.enum(['active', 'disabled']).describe('A disabled webhook receives nothing.'),
  disabled_reason: z.enum(WEBHOOK_DISABLED_REASONS).nullable().describe('`requested`, `failing` after five days without a success, or `gone` after an answer 410; `null` while it is active.'),
  disabled_at: instant.nullable().describe('When it was disabled; `null` while it is active.'),
  failing_since: instant.nullable().describe('The first failure since the last success; `null` if the last attempt succeeded.'),
  created_at: instant.describe('When it was created.'),
  previous_secret_expires_at: instant.nullable().describe('Until when the secret before the last rotation signs too, possibly past; `null` without a rotation.'),
}).meta({ id: 'Webhook', description: 'An address to which events are sent, without its secret.' });

export const issuedWebhook = webhook.extend({ secret: z.string().describe('The secret that signs: `whsec_…`. It is shown once.') });

const attempt = z.strictObject({
  at: instant.describe('When it ended.'),
  duration_ms: count.describe('How many milliseconds it took.'),
  status: z.number().int().nullable().describe('The status of the answer; `null` if none came.'),
  answer: z.string().nullable().describe('The first 1,024 bytes of the answer; `null` if it had none.'),
  failure: z.string().nullable().describe('Why it failed; `null` if it succeeded.'),
});

export const webhookDelivery = z.strictObject({
  object: z.literal('webhook_delivery').describe('The kind of object.'),
  event_id: id.describe('The id of the event.'),
  type: z.enum([...EVENT_TYPES, 'webhook.test']).describe('The type of the event.'),
  account_id: id.nullable().describe('The account of the event; `null` for events of the platform.'),
  account_sequence: z.number().int().min(1).nullable().describe('The number of the event in its account; `null` for events of the platform and tests.'),
  status: z.enum(['waiting', 'delivered', 'failed']).describe('`failed` once no further attempt is made.'),
  attempts: count.describe('Attempts since the event was last queued.'),
  created_at: instant.describe('When the event was queued for the webhook.'),
  next_attempt_at: instant.nullable().describe('When the next attempt is made; `null` for at once, and once there is none.'),
  last_attempt: attempt.nullable().describe('The last attempt; `null` before the first one.'),
}).meta({ id: 'WebhookDelivery', description: 'One event on its way to one webhook.' });

export const webhookParams = z.strictObject({ id: id.describe('The id of the webhook.') });

const url = z.string().min(1).max(MAX_URL).meta({ pattern: '^https?://', description: 'Where events are sent. That of an owner must be `https` and on the public internet.' });
const wanted = types.min(1).max(EVENT_TYPES.length).nullable();
const description = text(MAX_DESCRIPTION);

export const webhookTerms = z.strictObject({
  url, types: wanted.default(null).describe('The types of events that it receives; `null` for all.'), description: description.default('').describe('A note for people; may be empty.'),
});

export const webhookChange = changeOf({
  url: url.optional(), types: wanted.optional().describe('The types of events that it receives; `null` for all.'), description: description.optional().describe('A note for people; may be empty.'),
  status: z.enum(['active', 'disabled']).optional().describe('`disabled` stops deliveries, `active` enables it again.'),
});

export const webhookResend = z.strictObject({
  since: instant.optional().describe('Sends all events since then that were not delivered.'),
  event_id: id.optional().describe('Sends this event, delivered or not.'),
}).refine(({ since, event_id: event }) => (since === undefined) !== (event === undefined), 'must name either since or event_id');
