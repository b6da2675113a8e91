import { z } from 'zod';
import { isStreamed, jsonObject, maxTokens, modelName, replyFormat, streamReceipt, temperature, tokens, topP } from './shared-schemas.js';

const textPart = z.looseObject({
  type: z.enum(['input_text', 'output_text', 'text']).describe('A text.'),
  text: z.string().describe('The text.'),
}).meta({ id: 'ResponsesTextPart', description: 'A part that is text.' });

const imagePart = z.looseObject({
  type: z.literal('input_image').describe('An image.'),
  image_url: z.string().describe('An `http`, `https` or base64 `data:` URL. The gateway forwards it and never fetches it.'),
  detail: z.string().nullish().describe('Accepted and not applied.'),
}).meta({ id: 'ResponsesImagePart', description: 'A part that is an image.' });

const filePart = z.looseObject({
  type: z.literal('input_file').describe('A file.'),
  filename: z.string().nullish().describe('The name of the file, which the model is told.'),
  file_data: z.string().nullish().describe('The bytes in base64, or as a base64 `data:` URL.'),
  file_url: z.string().nullish().describe('An `http` or `https` URL; never fetched.'),
  file_id: z.string().nullish().describe('Files are not stored here: the model is told that the file could not be read.'),
}).meta({ id: 'ResponsesFilePart', description: 'A part that is a document.' });

const refusalPart = z.looseObject({
  type: z.literal('refusal').describe('An earlier refusal.'),
  refusal: z.string().describe('What the model said.'),
}).meta({ id: 'ResponsesRefusalPart', description: 'A part of an earlier reply in which the model refused.' });

const userPart = z.union([textPart, imagePart, filePart]);

const inputMessage = z.looseObject({
  type: z.literal('message').nullish().describe('May be left out.'),
  role: z.enum(['user', 'assistant', 'system', 'developer']).describe('Who speaks; `developer` is the same as `system`.'),
  content: z.union([z.string(), z.array(z.union([textPart, imagePart, filePart, refusalPart])).readonly()]).nullish().describe('A text, or parts that fit the role.'),
}).meta({ id: 'ResponsesInputMessage', description: 'A message of the conversation.' });

const reasoningItem = z.looseObject({
  type: z.literal('reasoning').describe('Reasoning of an earlier reply.'),
  encrypted_content: z.string().nullish().describe('Opaque; clients send it back unchanged.'),
  summary: z.array(jsonObject).nullish().describe('The reasoning as text, used where it has no `encrypted_content`.'),
}).meta({ id: 'ResponsesReasoningItem', description: 'Reasoning that precedes the items after it.' });

const callItem = z.looseObject({
  type: z.enum(['function_call', 'custom_tool_call', 'tool_search_call']).describe('A call of a tool in an earlier reply.'),
  call_id: z.string().min(1).nullish().describe('The id that the output refers to.'),
  name: z.string().nullish().describe('The tool that was called.'),
  namespace: z.string().nullish().describe('The group of the tool.'),
  arguments: z.union([z.string(), jsonObject]).nullish().describe('Arguments of a function, or of a search.'),
  input: z.string().nullish().describe('The text that a custom tool was called with.'),
}).meta({ id: 'ResponsesCallItem', description: 'A call of a tool.' });

const outputItem = z.looseObject({
  type: z.enum(['function_call_output', 'custom_tool_call_output', 'tool_search_output']).describe('The result of a call.'),
  call_id: z.string().min(1).nullish().describe('The id of the call that this answers.'),
  output: z.union([z.string(), z.array(userPart).readonly()]).nullish().describe('What the tool returned.'),
  tools: z.array(jsonObject).nullish().describe('Of a search: the tools that were found, which join those of the request.'),
}).meta({ id: 'ResponsesOutputItem', description: 'The result of one tool call.' });

const referenceItem = z.looseObject({
  type: z.literal('item_reference').describe('An item of a stored response.'),
  id: z.string().min(1).describe('Its id.'),
}).meta({ id: 'ResponsesReferenceItem', description: 'Stands for an item of a stored response of the same account.' });

const configurationItem = z.looseObject({
  type: z.literal('configuration_update').describe('Parameters from here on.'),
  reasoning: z.looseObject({ effort: z.string().nullish().describe('Replaces `reasoning.effort` of the request.') }).nullish().describe('How the model reasons.'),
  text: z.looseObject({ format: replyFormat.describe('Replaces `text.format` of the request.') }).nullish().describe('The form of the text.'),
}).meta({ id: 'ResponsesConfigurationItem', description: 'Changes parameters of this request and of those that continue it.' });

const otherItem = z.looseObject({ type: z.string().describe('Items of unknown types are skipped.') })
  .meta({ id: 'ResponsesOtherItem', description: 'An item of another type, which is skipped.' });

const tool = z.looseObject({
  type: z.string().describe('`function`, `custom`, `namespace`, or `tool_search` with `execution: "client"`. Tools of other types, which a vendor runs, are left out.'),
  name: z.string().nullish().describe('The name by which the model calls it.'),
  description: z.string().nullish().describe('When and how to call it; the model reads this.'),
  parameters: jsonObject.nullish().describe('JSON Schema of its arguments.'),
  format: jsonObject.nullish().describe('Of a custom tool: the grammar of its input.'),
  tools: z.array(jsonObject).nullish().describe('Of a namespace: its tools.'),
  execution: z.string().nullish().describe('Of `tool_search`: `client` offers the search, anything else leaves it out.'),
}).meta({ id: 'ResponsesTool', description: 'A tool that the model may call. The client runs it.' });

const requestFields = {
  model: modelName,
  input: z.union([z.string(), z.array(z.union([inputMessage, reasoningItem, callItem, outputItem, referenceItem, configurationItem, otherItem])).min(1).readonly()])
    .describe('A text of the user, or items, oldest first. Each call has exactly one output.'),
  instructions: z.string().nullish().describe('Instructions to the model, before `input`.'),
  previous_response_id: z.string().min(1).nullish().describe('Continues a stored response of the same account: its items come before `input`.'),
  max_output_tokens: maxTokens.nullish().describe('The most tokens to generate, reasoning included. The model’s maximum by default.'),
  temperature,
  top_p: topP,
  tools: z.array(tool).readonly().nullish().describe('Tools that the model may call.'),
  tool_choice: z.union([z.enum(['none', 'auto', 'required']), jsonObject]).nullish().describe('Whether and what the model must call: a word, one tool by `type` and `name`, or `allowed_tools`.'),
  parallel_tool_calls: z.boolean().nullish().describe('Whether the model may call several tools in one reply.'),
  reasoning: z.looseObject({
    effort: z.string().nullish().describe('How much the model reasons: `none` to `max`. Unknown words leave the choice to the model.'),
    summary: z.string().nullable().optional().describe('`null` leaves the text of the reasoning out of the reply.'),
  }).nullish().describe('How the model reasons.'),
  text: z.looseObject({
    format: replyFormat.describe('The form of the reply.'),
    verbosity: z.string().nullish().describe('Repeated in the reply and not applied.'),
  }).nullish().describe('The form of the text.'),
  metadata: z.record(z.string().max(64), z.string().max(512)).nullish().describe('Repeated in the reply: up to 16 pairs.'),
  user: z.string().max(256).nullish().describe('The older name of `safety_identifier`, which wins.'),
  safety_identifier: z.string().max(256).nullish().describe('Your own name for the user. It is recorded with the usage and never charged by.'),
  prompt_cache_key: z.string().max(1024).nullish().describe('Keeps requests with one prefix on one server, where the operator allows it.'),
};

/** The body of `POST /v1/responses`. */
export const responsesRequest = z.looseObject({
  ...requestFields,
  stream: isStreamed,
  store: z.boolean().nullish().describe('False stores nothing. Otherwise the response and the request’s own items are kept for a limited time, if the operator allows it.'),
}).meta({ id: 'ResponsesRequest', description: 'A request of the responses format. Unknown fields are ignored, except those that refer to what a vendor stores, which are refused.' });

/** The body of `POST /v1/responses/input_tokens`. */
export const responsesCountRequest = z.looseObject(requestFields)
  .meta({ id: 'ResponsesCountRequest', description: 'A request of the responses format whose prompt is to be counted.' });

export const responsesCount = z.strictObject({
  object: z.literal('response.input_tokens').describe('The kind of object.'),
  input_tokens: tokens.describe('The estimate that a reservation would use.'),
}).meta({ id: 'ResponsesTokenCount', description: 'The estimated size of a prompt.' });

const generatedItem = z.looseObject({
  id: z.string().describe('The id of the item.'),
  type: z.enum(['message', 'reasoning', 'function_call', 'custom_tool_call', 'tool_search_call']).describe('The kind of item.'),
  status: z.enum(['in_progress', 'completed', 'incomplete']).describe('`incomplete` items were cut off: clients must not run such calls.'),
  role: z.literal('assistant').optional().describe('Of a message.'),
  content: z.array(jsonObject).optional().describe('Of a message: parts of type `output_text` or `refusal`.'),
  summary: z.array(jsonObject).optional().describe('Of reasoning: its text in parts.'),
  encrypted_content: z.string().optional().describe('Of reasoning: opaque; clients send it back unchanged.'),
  call_id: z.string().optional().describe('Of a call: the id that its output refers to.'),
  name: z.string().optional().describe('Of a call: the tool.'),
  namespace: z.string().optional().describe('Of a call: the group of the tool.'),
  arguments: z.union([z.string(), jsonObject]).optional().describe('Of a function’s call: JSON text as the model wrote it; of a search: an object.'),
  input: z.string().optional().describe('Of a custom tool’s call: its text.'),
  execution: z.literal('client').optional().describe('Of a search: the client runs it.'),
}).meta({ id: 'ResponsesItem', description: 'An item of a reply.' });

const usage = z.strictObject({
  input_tokens: tokens.describe('Tokens of the prompt, cached ones included.'),
  input_tokens_details: z.strictObject({
    cached_tokens: tokens.describe('Tokens of the prompt that a cache served.'),
    cache_write_tokens: tokens.describe('Tokens of the prompt that were written to a cache.'),
  }).describe('Parts of the prompt.'),
  output_tokens: tokens.describe('Tokens that were generated, reasoning included.'),
  output_tokens_details: z.strictObject({ reasoning_tokens: tokens.describe('Tokens of the output that are reasoning.') }).describe('Parts of the output.'),
  total_tokens: tokens.describe('Prompt and output together.'),
  ...streamReceipt,
});

/** The reply of `POST /v1/responses`, and a stored response. */
export const response = z.strictObject({
  id: z.string().describe('The id of the response, `resp_…`.'),
  object: z.literal('response').describe('The kind of object.'),
  created_at: z.number().int().describe('When the request arrived, in Unix seconds.'),
  status: z.enum(['in_progress', 'completed', 'incomplete', 'failed']).describe('How far it is, or how it ended.'),
  completed_at: z.number().int().nullable().describe('When it was completed, in Unix seconds.'),
  error: z.strictObject({
    code: z.enum(['rate_limit_exceeded', 'context_length_exceeded', 'invalid_prompt', 'server_error']).describe('The kind of failure, in the words of this format.'),
    message: z.string().describe('What happened.'),
  }).nullable().describe('Of a failed response.'),
  incomplete_details: z.strictObject({ reason: z.enum(['max_output_tokens', 'content_filter']).describe('Why.') }).nullable().describe('Why the output was cut off.'),
  model: z.string().describe('The slug of the model that served.'),
  output: z.array(generatedItem).readonly().describe('The reply in items, in the order of generation.'),
  instructions: z.null().describe('Not repeated.'),
  tools: z.array(z.never()).describe('Not repeated.'),
  tool_choice: z.union([z.string(), jsonObject]).describe('As requested.'),
  parallel_tool_calls: z.boolean().describe('As requested; true by default.'),
  temperature: z.number().describe('As requested; 1 if nothing was.'),
  top_p: z.number().describe('As requested; 1 if nothing was.'),
  text: jsonObject.describe('As requested.'),
  reasoning: jsonObject.describe('As requested.'),
  max_output_tokens: z.number().int().nullable().describe('As requested.'),
  metadata: z.record(z.string(), z.string()).describe('As requested.'),
  prompt_cache_key: z.string().nullable().describe('As requested.'),
  store: z.boolean().describe('Whether the response is stored; before its end, whether it is to be.'),
  background: z.literal(false).describe('Not offered.'),
  previous_response_id: z.string().nullable().describe('The response that it continues.'),
  service_tier: z.literal('default').describe('There is one.'),
  truncation: z.literal('disabled').describe('Conversations are never shortened.'),
  access_programs: z.null().describe('Not offered.'),
  usage: usage.optional().describe('Tokens and charge, once it has ended; missing in a failed response that cost nothing.'),
}).meta({ id: 'Response', description: 'A reply of the responses format, whole or stored.' });

/** The data of one event of a stream. */
export const responsesEvent = z.looseObject({
  type: z.string().describe('The kind of event, also in the event’s name: `response.created`, `response.output_text.delta`, and so on.'),
  sequence_number: tokens.describe('Counts the events of a stream from 0.'),
  response: response.optional().describe('Of events about the whole response.'),
  item: generatedItem.optional().describe('Of events about an item.'),
  output_index: tokens.optional().describe('The position of the item in `output`.'),
  delta: z.string().optional().describe('The next piece of a text or of arguments.'),
}).meta({ id: 'ResponsesEvent', description: 'An event of a streamed reply. The stream ends with `response.completed`, `response.incomplete` or `response.failed`.' });

export const inputItemList = z.strictObject({
  object: z.literal('list').describe('The kind of object.'),
  data: z.array(jsonObject).readonly().describe('The items as they were sent, each with `type`, `id` and `status`.'),
  first_id: z.string().nullable().describe('The id of the first item of the page.'),
  last_id: z.string().nullable().describe('The id of the last item of the page: `after` of the next one.'),
  has_more: z.boolean().describe('Whether there is a next page.'),
}).meta({ id: 'ResponsesInputItems', description: 'A page of the items that a stored response was requested with.' });

export const deletedResponse = z.strictObject({
  id: z.string().describe('The id of the response.'),
  object: z.literal('response').describe('The kind of object.'),
  deleted: z.literal(true).describe('It is no longer stored.'),
}).meta({ id: 'DeletedResponse', description: 'A response that was removed.' });
