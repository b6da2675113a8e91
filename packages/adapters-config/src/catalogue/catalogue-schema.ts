import { z } from 'zod';
import { alias, amount, cap, count, day, identifier, pricePerMillion, rate, text, yesOrNo } from './text-schemas.js';
import { upstreamSchema } from './upstream-schema.js';

const price = z.strictObject({
  prompt: pricePerMillion,
  output: pricePerMillion,
  /** The price of `prompt` unless set, like the next. */
  cached_prompt: pricePerMillion.optional(),
  cache_creation: pricePerMillion.optional(),
});

const target = z.strictObject({ upstream: identifier, model: text });

const model = z.strictObject({
  display_name: text.optional(),
  owned_by: text.optional(),
  created: day.optional(),
  aliases: z.array(alias).optional(),
  context_window: count(1),
  max_output_tokens: count(1),
  reasoning: yesOrNo.optional(),
  price,
  targets: z.array(target).min(1, 'must name at least one upstream'),
  fallbacks: z.array(identifier).optional(),
});

const plan = z.strictObject({
  name: text.optional(),
  requests_per_minute: count(1).optional(),
  tokens_per_minute: count(1).optional(),
  concurrent_requests: count(1).optional(),
  max_context_tokens: count(1).optional(),
  active_keys: count(1).optional(),
  tokens_per_day: cap.optional(),
  tokens_per_month: cap.optional(),
  excluded_models: z.array(identifier).optional(),
});

/** The form of a catalogue file; what its parts say about each other is checked afterwards. */
export const catalogueSchema = z.strictObject({
  usd_per_service_token: rate,
  minimum_reservation: amount.optional(),
  upstreams: z.record(identifier, upstreamSchema),
  models: z.record(identifier, model).refine((models) => Object.keys(models).length > 0, 'must name at least one model'),
  plans: z.record(identifier, plan).optional(),
});

export type CatalogueEntry = z.output<typeof catalogueSchema>;
export type ModelEntry = z.output<typeof model>;
export type PlanEntry = z.output<typeof plan>;
