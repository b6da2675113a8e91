import { z } from 'zod';
import {
  cacheControl, effort, isStreamed, jsonObject, maxTokens, modelName, replyFormat, streamReceipt, temperature, thinking, tokens, topP, wholeReceipt,
} from './shared-schemas.js';

const textPart = z.looseObject({
  type: z.literal('text').describe('A text.'),
  text: z.string().describe('The text.'),
  cache_control: cacheControl,
}).meta({ id: 'ChatTextPart', description: 'A part of a message that is text.' });

const imagePart = z.looseObject({
  type: z.literal('image_url').describe('An image.'),
  image_url: z.union([
    z.string(),
    z.looseObject({
      url: z.string().describe('An `http`, `https` or base64 `data:` URL. The gateway forwards it and never fetches it.'),
      detail: z.string().nullish().describe('Accepted and not applied.'),
    }),
  ]).describe('Where the image is: its URL, or an object with it.'),
  cache_control: cacheControl,
}).meta({ id: 'ChatImagePart', description: 'A part of a message that is an image.' });

const filePart = z.looseObject({
  type: z.literal('file').describe('A file.'),
  file: z.looseObject({
    filename: z.string().nullish().describe('The name of the file, which the model is told.'),
    file_data: z.string().nullish().describe('The bytes in base64, or as a base64 `data:` URL.'),
    file_url: z.string().nullish().describe('An `http` or `https` URL; never fetched.'),
    file_id: z.string().nullish().describe('Files are not stored here: the model is told that the file could not be read.'),
  }).describe('The file. Plain text becomes text of the prompt; other kinds are replaced by a sentence that says so.'),
}).meta({ id: 'ChatFilePart', description: 'A part of a message that is a document.' });

const refusalPart = z.looseObject({
  type: z.literal('refusal').describe('An earlier refusal.'),
  refusal: z.string().describe('What the model said.'),
}).meta({ id: 'ChatRefusalPart', description: 'A part of an earlier reply in which the model refused.' });

function contentOf<Part extends z.ZodType>(part: Part) {
  return z.union([z.string(), z.array(part).readonly()]);
}

const USER_PARTS = z.union([textPart, imagePart, filePart]);

const instructionMessage = z.looseObject({
  role: z.enum(['system', 'developer']).describe('Instructions; `developer` is the same as `system`.'),
  content: contentOf(textPart).describe('A text, or text parts.'),
  cache_control: cacheControl,
}).meta({ id: 'ChatInstructionMessage', description: 'Instructions to the model.' });

const userMessage = z.looseObject({
  role: z.literal('user').describe('The user.'),
  content: contentOf(USER_PARTS).describe('A text, or parts.'),
  cache_control: cacheControl,
}).meta({ id: 'ChatUserMessage', description: 'A message of the user.' });

const toolCall = z.looseObject({
  id: z.string().min(1).describe('The id that the result refers to; unique within its message.'),
  type: z.literal('function').describe('The only kind of call.'),
  function: z.looseObject({
    name: z.string().min(1).describe('The function that is called.'),
    arguments: z.string().describe('Its arguments as JSON text, as the model wrote it: it may be invalid.'),
  }).describe('The called function and its arguments.'),
  extra_content: jsonObject.nullish().describe('Opaque data of the server, which clients send back unchanged.'),
}).meta({ id: 'ChatToolCall', description: 'A call of a function.' });

const opaqueReasoning = {
  reasoning_content: z.string().nullish().describe('The reasoning of the model. Present in replies only if there is some; send it back with the conversation.'),
  extra_content: jsonObject.nullish().describe('Opaque data of the server, which clients send back unchanged.'),
  reasoning_details: z.array(z.unknown()).nullish().describe('Opaque reasoning of the server, which clients send back unchanged.'),
};

const assistantMessage = z.looseObject({
  role: z.literal('assistant').describe('The model.'),
  content: contentOf(z.union([textPart, refusalPart])).nullish().describe('What the model said; `null` beside tool calls.'),
  refusal: z.string().nullish().describe('What the model said when it refused.'),
  tool_calls: z.array(toolCall).readonly().nullish().describe('Calls of the model, each of which the next messages answer.'),
  ...opaqueReasoning,
}).meta({ id: 'ChatAssistantMessage', description: 'An earlier reply of the model.' });

const toolMessage = z.looseObject({
  role: z.literal('tool').describe('The result of a tool call.'),
  tool_call_id: z.string().min(1).describe('The id of the call that this answers.'),
  content: contentOf(USER_PARTS).nullish().describe('What the tool returned.'),
}).meta({ id: 'ChatToolMessage', description: 'The result of one tool call.' });

const chatMessage = z.union([instructionMessage, userMessage, assistantMessage, toolMessage])
  .meta({ id: 'ChatMessage', description: 'One message of a conversation.' });

const functionTool = z.looseObject({
  type: z.literal('function').describe('The only kind of tool; tools that a vendor runs are refused.'),
  function: z.looseObject({
    name: z.string().min(1).describe('The name by which the model calls it.'),
    description: z.string().nullish().describe('When and how to call it; the model reads this.'),
    parameters: jsonObject.nullish().describe('JSON Schema of its arguments.'),
    cache_control: cacheControl,
  }).describe('The function that the client runs.'),
  cache_control: cacheControl,
}).meta({ id: 'ChatTool', description: 'A function that the model may call. The client runs it.' });

const namedFunction = z.looseObject({
  type: z.literal('function').describe('Demands one function.'),
  function: z.looseObject({ name: z.string().min(1).describe('The function that must be called.') }).describe('Which one.'),
});

const allowedTools = z.looseObject({
  type: z.literal('allowed_tools').describe('Leaves only some of `tools`.'),
  allowed_tools: z.looseObject({
    mode: z.enum(['auto', 'required']).describe('Whether a call is demanded.'),
    tools: z.array(namedFunction).describe('The tools that are left.'),
  }).describe('Which tools, and whether one must be called.'),
});

/** The body of `POST /v1/chat/completions`. */
export const chatRequest = z.looseObject({
  model: modelName,
  messages: z.array(chatMessage).readonly().describe('The conversation, oldest message first. Each tool call has exactly one result, directly after the message that calls.'),
  max_completion_tokens: maxTokens.nullish().describe('The most tokens to generate, reasoning included. The model’s maximum by default.'),
  max_tokens: maxTokens.nullish().describe('The older name of `max_completion_tokens`, which wins if both are given.'),
  temperature,
  top_p: topP,
  frequency_penalty: z.number().min(-2).max(2).nullish().describe('Positive values make repeated words less likely.'),
  presence_penalty: z.number().min(-2).max(2).nullish().describe('Positive values make new subjects more likely.'),
  stop: z.union([z.string().min(1), z.array(z.string().min(1)).readonly()]).nullish().describe('Texts at which the output ends; up to 16 by default.'),
  stream: isStreamed,
  stream_options: z.looseObject({ include_usage: z.boolean().nullish().describe('Whether the last chunk has token counts; true by default.') }).nullish().describe('Details of a stream.'),
  response_format: replyFormat.describe('The form of the reply.'),
  tools: z.array(functionTool).readonly().nullish().describe('Functions that the model may call.'),
  tool_choice: z.union([z.enum(['none', 'auto', 'required']), namedFunction, allowedTools]).nullish().describe('Whether and what the model must call; `auto` by default.'),
  parallel_tool_calls: z.boolean().nullish().describe('Whether the model may call several tools in one reply.'),
  reasoning_effort: effort,
  thinking,
  user: z.string().max(256).nullish().describe('The older name of `safety_identifier`, which wins.'),
  safety_identifier: z.string().max(256).nullish().describe('Your own name for the user. It is recorded with the usage and never charged by.'),
  prompt_cache_key: z.string().max(1024).nullish().describe('Keeps requests with one prefix on one server, where the operator allows it.'),
  cache_control: cacheControl,
  n: z.literal(1).nullish().describe('Only 1: one reply is generated per request.'),
}).meta({ id: 'ChatRequest', description: 'A request of the chat-completions format. Unknown fields are ignored, except those that refer to what a vendor stores, which are refused.' });

const chatUsageFields = {
  prompt_tokens: tokens.describe('Tokens of the prompt, cached ones included.'),
  completion_tokens: tokens.describe('Tokens that were generated, reasoning included.'),
  total_tokens: tokens.describe('Prompt and output together.'),
  prompt_tokens_details: z.strictObject({ cached_tokens: tokens.describe('Tokens of the prompt that a cache served.') }).describe('Parts of the prompt.'),
  completion_tokens_details: z.strictObject({ reasoning_tokens: tokens.describe('Tokens of the output that are reasoning.') }).describe('Parts of the output.'),
  prompt_cache_hit_tokens: tokens.describe('The same as `prompt_tokens_details.cached_tokens`, by a name that some clients read.'),
  prompt_cache_miss_tokens: tokens.describe('Tokens of the prompt that no cache served.'),
};

const FINISH_REASONS = ['stop', 'length', 'tool_calls', 'content_filter', 'insufficient_system_resource'] as const;
const finishReason = z.enum(FINISH_REASONS).describe('Why the output ended.');

/** The reply of `POST /v1/chat/completions` without `stream`. */
export const chatCompletion = z.strictObject({
  id: z.string().describe('The id of the reply, `chatcmpl-…`.'),
  object: z.literal('chat.completion').describe('The kind of object.'),
  created: z.number().int().describe('When the request arrived, in Unix seconds.'),
  model: z.string().describe('The slug of the model that served.'),
  choices: z.array(z.strictObject({
    index: z.literal(0).describe('There is one choice.'),
    message: z.strictObject({
      role: z.literal('assistant').describe('The model.'),
      content: z.string().nullable().describe('What the model said; `null` beside tool calls without text.'),
      refusal: z.string().nullable().describe('What the model said when it refused; `null` if it did not.'),
      tool_calls: z.array(toolCall).readonly().optional().describe('Calls of functions, which the client runs and answers.'),
      ...opaqueReasoning,
    }).describe('The reply.'),
    logprobs: z.null().describe('Not offered.'),
    finish_reason: finishReason,
  })).describe('The reply, as the only choice.'),
  usage: z.strictObject({ ...chatUsageFields, ...wholeReceipt }).describe('Tokens and charge.'),
  system_fingerprint: z.string().describe('A constant.'),
}).meta({ id: 'ChatCompletion', description: 'A whole reply of the chat-completions format.' });

/** One chunk of a stream. */
export const chatChunk = z.strictObject({
  id: z.string().describe('The id of the reply, the same in every chunk.'),
  object: z.literal('chat.completion.chunk').describe('The kind of object.'),
  created: z.number().int().describe('When the request arrived, in Unix seconds.'),
  model: z.string().describe('The slug of the model that served.'),
  system_fingerprint: z.string().describe('A constant.'),
  choices: z.array(z.strictObject({
    index: z.literal(0).describe('There is one choice.'),
    delta: z.looseObject({
      role: z.literal('assistant').optional().describe('In the first chunk.'),
      content: z.string().nullish().describe('The next piece of text.'),
      refusal: z.string().optional().describe('The next piece of a refusal.'),
      reasoning_content: z.string().optional().describe('The next piece of reasoning.'),
      tool_calls: z.array(jsonObject).optional().describe('The beginning of a call, with `index`, `id` and name, or the next piece of its `arguments`.'),
    }).describe('What this chunk adds.'),
    logprobs: z.null().describe('Not offered.'),
    finish_reason: finishReason.nullable().describe('Why the output ended; `null` before its end.'),
  })).describe('One choice; none in the last chunk.'),
  usage: z.strictObject({ ...chatUsageFields, ...streamReceipt }).optional().describe('In the last chunk, unless `stream_options.include_usage` is false.'),
  svc_tokens_debited: streamReceipt.svc_tokens_debited.optional().describe('In the last chunk: service tokens that were charged.'),
  svc_cost_usd: streamReceipt.svc_cost_usd.optional().describe('In the last chunk: the charge in US dollars.'),
  svc_settlement: streamReceipt.svc_settlement.describe('In the last chunk, while the charge is queued.'),
  svc_balance_tokens: streamReceipt.svc_balance_tokens.describe('In the last chunk: service tokens that are available after the request.'),
  svc_fallback_used: z.boolean().optional().describe('In the last chunk: whether another model served.'),
}).meta({ id: 'ChatChunk', description: 'A chunk of a streamed reply. The stream ends with `data: [DONE]`.' });
