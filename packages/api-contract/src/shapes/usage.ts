import { END_REASONS, OUTPUT_COUNTS, PROMPT_COUNTS, TOKEN_CLASSES } from '@tollgate/core';
import { z } from 'zod';
import { amount, fieldsOf, id, instant } from '../definition/field-schemas.js';

export const count = z.number().int().min(0);

export const endReason = z.enum(END_REASONS);

const ofPrompt = count.describe('Tokens of this class of the prompt.');
const ofOutput = count.describe('Tokens of this class of the output.');

/** Counts of prompt and output tokens, each followed by its parts. Visible output has no count: it is output less reasoning. */
export const tokenCounts = {
  prompt_tokens: count.describe('Tokens of the prompt, of all classes.'),
  ...fieldsOf(PROMPT_COUNTS.map(({ name }) => `${name}_tokens` as const), ofPrompt),
  output_tokens: count.describe('Tokens that were generated, reasoning included.'),
  ...fieldsOf(OUTPUT_COUNTS.flatMap(({ name }) => (name === 'visible_output' ? [] : [`${name}_tokens` as const])), ofOutput),
};

/** One accepted request, as `GET /v1/usage` shows it. */
export const usageRecord = z.strictObject({
  id: id.describe('The same as `request_id`.'),
  object: z.literal('usage_record').describe('The kind of object.'),
  request_id: id.describe('The id of the request, as in its `x-request-id` header.'),
  key_id: id.nullable().describe('The API key of the request; `null` for work that a service booked without one.'),
  format: z.enum(['chat', 'messages', 'responses']).nullable().describe('The format of the request.'),
  streamed: z.boolean().describe('Whether the reply was streamed.'),
  requested_model: z.string().describe('The model as the request named it.'),
  model: z.string().nullable().describe('The slug of the model that served; `null` if none did.'),
  fallback_used: z.boolean().describe('Whether another model than the requested one served.'),
  price_list: z.string().nullable().describe('The price list of the account when the request began, `standard` without one; `null` if nothing served it, and for work with a price of its own.'),
  price_version: z.string().nullable().describe('The day since which the list has had these rates, `initial` for rates without a date.'),
  user: z.string().nullable().describe('The client’s own name for the user.'),
  end_reason: endReason.describe('How the request ended.'),
  usage_source: z.enum(['reported', 'counted', 'checkpoint']).describe('Whether the server reported the tokens, the gateway counted them, or they are of the last checkpoint of a gateway that stopped.'),
  started_at: instant.describe('When the request arrived.'),
  admitted_at: instant.nullable().describe('When its reservation was made.'),
  first_output_at: instant.nullable().describe('When the first output came; `null` without output.'),
  ended_at: instant.describe('When it ended.'),
  settled_at: instant.describe('When the last of it was booked.'),
  usage: z.strictObject({
    ...tokenCounts,
    reasoning_withheld: z.boolean().describe('Whether there was reasoning that the server did not send.'),
    reasoning_omitted: z.boolean().describe('Whether the demanded reasoning was left out because the server refused it.'),
    settings_omitted: z.array(z.string()).readonly().describe('Settings that the server was not sent, or in part or with another value: those that it lacks or refuses, those that the catalogue leaves out or fixes, those that no server is sent, and `tools` where only a vendor runs some of them.'),
    total_tokens: count.describe('Prompt and output together.'),
  }).describe('Tokens by class.'),
  reserved: amount.nullable().describe('The most service tokens that were set aside.'),
  svc_tokens_debited: amount.describe('Service tokens that were charged.'),
  svc_cost_usd: amount.describe('The same in US dollars, at the rate when the request began.'),
  svc_tokens_written_off: amount.describe('The part of the cost that nothing could pay. It is not owed.'),
}).meta({ id: 'UsageRecord', description: 'One request with its tokens and its charge.' });

/** Ledger entries of one request, in the order of booking. */
export const requestTransfers = z.array(z.strictObject({
  kind: z.enum(['charge', 'write-off', 'late-charge', 'late-write-off', 'refund']).describe('What was booked.'),
  amount: amount.describe('Service tokens, above zero.'),
  reference: z.string().nullable().describe('Of a refund: the reference of the operator.'),
  at: instant.describe('When it was booked.'),
}).meta({ id: 'LedgerTransfer', description: 'One booking of a request.' })).readonly();

/** Calculation of a charge: each class of tokens times its rate, the sum, and the rounding. */
export const chargeExplanation = z.strictObject({
  lines: z.array(z.strictObject({
    token_class: z.enum(TOKEN_CLASSES.map(({ name }) => name)).describe('The class of tokens.'),
    tokens: count.describe('How many there were.'),
    rate: amount.describe('Service tokens for one of them.'),
    amount: amount.describe('The product.'),
  })).readonly().describe('One line for each class.'),
  sum: amount.describe('The sum of the lines.'),
  rounding: amount.describe('What rounding added.'),
  rounding_rule: z.string().describe('How amounts are rounded.'),
  computed: amount.describe('The rounded sum.'),
  written_off: amount.describe('The part that nothing could pay.'),
  purchase: z.strictObject({
    first_request_id: z.string().describe('The first of the requests.'),
    charged_with_other_requests: amount.describe('What the others were charged of this cost.'),
  }).nullable().describe('Of requests that one idempotency key made together and that are charged once.'),
  debited: amount.describe('What was charged.'),
  usd_per_service_token: amount.describe('US dollars for one service token when the request began.'),
  usd: amount.describe('The charge in US dollars.'),
}).meta({ id: 'ChargeExplanation', description: 'How the charge of a request was computed.' });

/** Totals of a group of requests. */
export const usageSums = z.strictObject({
  requests: count.describe('Requests.'),
  ...tokenCounts,
  svc_tokens_debited: amount.describe('Service tokens that were charged.'),
  svc_cost_usd: amount.describe('The same in US dollars, at the rates when the requests began.'),
});
