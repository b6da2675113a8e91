import { z } from 'zod';
import { amount } from '../definition/field-schemas.js';

export const tokens = z.number().int().min(0);

/** A JSON object that is forwarded unchanged. */
export const jsonObject = z.record(z.string(), z.unknown());

export const modelName = z.string().min(1).max(256).describe('Slug or alias of a model, as `GET /v1/models` lists them.');
export const temperature = z.number().min(0).max(2).nullish().describe('Randomness of the output. The model’s own default is used if it is missing.');
export const topP = z.number().gt(0).max(1).nullish().describe('Nucleus sampling: only tokens within this share of the probability are considered.');
export const isStreamed = z.boolean().nullish().describe('True for a stream of server-sent events, false (the default) for one JSON value.');
export const maxTokens = z.number().int().min(1);
export const cacheControl = jsonObject.nullish()
  .describe('`{"type": "ephemeral"}`, optionally with `ttl`: marks a prefix for the prompt cache of servers that have one. Other values have no effect.');

export const thinking = z.looseObject({
  type: z.enum(['enabled', 'adaptive', 'between_tools', 'disabled']).describe('Whether the model thinks before it answers; `between_tools` is the least that some models do.'),
  budget_tokens: z.number().nullish().describe('Accepted and not applied: the limits of the model apply.'),
}).nullish().describe('Switches reasoning on or off. `disabled` wins over any effort.');

export const effort = z.enum(['none', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max']).nullish()
  .describe('How much the model reasons: `none` is off, `minimal` and `low` are low, `medium`, `high` and `xhigh` are high.');

/** Name and schema of the output, in `json_schema` or beside `type`. */
const schemaFields = {
  name: z.string().nullish().describe('With `json_schema`: the name of the schema.'),
  description: z.string().nullish().describe('With `json_schema`: what the output is for; the model may read it.'),
  strict: z.boolean().nullish().describe('With `json_schema`: whether the server is to follow the schema exactly.'),
  schema: jsonObject.nullish().describe('With `json_schema`: the JSON Schema.'),
};

/** Format of the reply. The schema may be in `json_schema` or beside `type`. */
export const replyFormat = z.looseObject({
  type: z.enum(['text', 'json_object', 'json_schema']).describe('`text`, any JSON, or JSON of a schema. The gateway forwards the demand and does not enforce it.'),
  json_schema: z.looseObject(schemaFields).nullish().describe('With `json_schema`: the schema, as the chat-completions format has it.'),
  ...schemaFields,
}).nullish();

/** Charge of a request, in every format. */
const charge = {
  svc_tokens_debited: amount.describe('Service tokens that were charged for this request.'),
  svc_cost_usd: amount.describe('The same in US dollars.'),
  svc_settlement: z.literal('pending').optional().describe('Present while the charge is queued because the database did not answer; at most the stated charge is booked then.'),
};

/** Receipt in replies that are one JSON value. */
export const wholeReceipt = charge;

/** Receipt in the last event of a stream, whose headers were sent before the charge was known. */
export const streamReceipt = {
  ...charge,
  svc_balance_tokens: amount.optional().describe('Service tokens that are available after the request; missing while the charge is queued.'),
  svc_fallback_used: z.boolean().describe('Whether another model than the requested one served the request.'),
};
