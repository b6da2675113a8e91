import { z } from 'zod';
import { amount, instant } from '../definition/field-schemas.js';
import { rates } from './price-list.js';

/** A model as `GET /v1/models` shows it, the same in every format. */
export const offeredModel = z.strictObject({
  id: z.string().describe('The slug by which requests name the model.'),
  object: z.literal('model').describe('The kind of object, as clients of the chat format read it.'),
  type: z.literal('model').describe('The kind of object, as clients of the messages format read it.'),
  created: z.number().int().describe('When the model was added, in Unix seconds.'),
  created_at: instant.describe('When the model was added.'),
  owned_by: z.string().describe('Who provides it.'),
  display_name: z.string().describe('Its name for people.'),
  description: z.string().optional().describe('Its purpose in a sentence; absent if the operator has not stated one.'),
  aliases: z.array(z.string()).readonly().describe('Other names that requests may use.'),
  context_window: z.number().int().describe('Tokens of prompt and output of one request.'),
  max_output_tokens: z.number().int().describe('The most tokens that one request can generate.'),
  reasoning: z.boolean().describe('Whether the model can reason.'),
  reasoning_assumed: z.boolean().describe('Whether that is assumed because the operator has not stated it.'),
  input_modalities: z.array(z.enum(['text', 'image', 'document'])).readonly().optional().describe('Which kinds of input it reads; absent where the operator has not said it.'),
  simulated: z.boolean().describe('Whether it is a sandbox model, which generates without a real model.'),
  pricing: z.strictObject({
    unit: z.literal('service tokens per model token').describe('The unit of the rates.'),
    ...rates,
    usd_per_service_token: amount.describe('US dollars that one service token is worth.'),
  }).describe('What a token of each class costs the account of the key.'),
  price_list: z.string().describe('The price list of the account; `standard` without one.'),
  price_version: z.string().describe('The day since which the list has had these rates; `initial` for rates without a date. Usage records name it.'),
  next_price: z.strictObject({ from: instant.describe('When they come into force.'), ...rates }).nullable().describe('The next announced rates; `null` if none are.'),
  shutdown_date: z.string().nullable().describe('The UTC day from whose beginning the model is no longer served; `null` if none is announced.'),
  successor: z.string().nullable().describe('The model to use instead of one that is shut down.'),
}).meta({ id: 'Model', description: 'A model with its prices.' });
