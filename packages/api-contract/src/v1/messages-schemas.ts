import { z } from 'zod';
import { cacheControl, effort, isStreamed, jsonObject, maxTokens, modelName, replyFormat, streamReceipt, thinking, tokens, topP, wholeReceipt } from './shared-schemas.js';

const textBlock = z.looseObject({
  type: z.literal('text').describe('A text.'),
  text: z.string().describe('The text.'),
  cache_control: cacheControl,
}).meta({ id: 'MessagesTextBlock', description: 'A block of text.' });

const imageBlock = z.looseObject({
  type: z.literal('image').describe('An image.'),
  source: z.union([
    z.looseObject({
      type: z.literal('base64').describe('The bytes themselves.'),
      media_type: z.string().nullish().describe('The type of the image. The bytes decide if they are of a known type.'),
      data: z.string().min(1).describe('The bytes in base64.'),
    }),
    z.looseObject({
      type: z.literal('url').describe('An address.'),
      url: z.string().describe('An `http`, `https` or base64 `data:` URL. The gateway forwards it and never fetches it.'),
    }),
  ]).describe('Where the image is.'),
  cache_control: cacheControl,
}).meta({ id: 'MessagesImageBlock', description: 'An image.' });

const documentBlock = z.looseObject({
  type: z.literal('document').describe('A document.'),
  source: jsonObject.describe('`type` with `text` and `data`, with `content` and blocks, with `base64`, or with `url`. Plain text becomes text of the prompt.'),
  title: z.string().nullish().describe('The title, which the model is told.'),
  context: z.string().nullish().describe('What the document is about, which the model is told.'),
  cache_control: cacheControl,
}).meta({ id: 'MessagesDocumentBlock', description: 'A document.' });

const searchResultBlock = z.looseObject({
  type: z.literal('search_result').describe('What a search found.'),
  source: z.string().nullish().describe('Where it was found.'),
  title: z.string().nullish().describe('Its title.'),
  content: z.union([z.string(), z.array(jsonObject)]).describe('Its text, or text blocks.'),
}).meta({ id: 'MessagesSearchResultBlock', description: 'The result of a search of the client; it becomes text of the prompt.' });

const toolResultBlock = z.looseObject({
  type: z.literal('tool_result').describe('The result of a tool call.'),
  tool_use_id: z.string().min(1).describe('The id of the call that this answers.'),
  content: z.union([z.string(), z.array(z.union([textBlock, imageBlock, documentBlock, searchResultBlock]))]).nullish().describe('What the tool returned.'),
  is_error: z.boolean().nullish().describe('Whether the tool failed.'),
  cache_control: cacheControl,
}).meta({ id: 'MessagesToolResultBlock', description: 'The result of one tool call.' });

const toolUseBlock = z.looseObject({
  type: z.literal('tool_use').describe('A call of a tool.'),
  id: z.string().min(1).describe('The id that the result refers to; unique within its message.'),
  name: z.string().min(1).describe('The tool that is called.'),
  input: jsonObject.nullish().describe('Its arguments.'),
}).meta({ id: 'MessagesToolUseBlock', description: 'A call of a tool, which the client runs.' });

const thinkingBlock = z.looseObject({
  type: z.literal('thinking').describe('Reasoning.'),
  thinking: z.string().nullish().describe('The reasoning.'),
  signature: z.string().nullish().describe('Opaque; clients send it back unchanged.'),
}).meta({ id: 'MessagesThinkingBlock', description: 'Reasoning of the model.' });

const compactionBlock = z.looseObject({
  type: z.literal('compaction').describe('A summary of earlier turns.'),
  content: z.string().nullish().describe('The summary, which becomes text of the model.'),
}).meta({ id: 'MessagesCompactionBlock', description: 'The vendor’s summary of earlier turns, which replaces them.' });

const redactedThinkingBlock = z.looseObject({
  type: z.literal('redacted_thinking').describe('Reasoning that is not shown.'),
  data: z.string().nullish().describe('Opaque; clients send it back unchanged.'),
}).meta({ id: 'MessagesRedactedThinkingBlock', description: 'Reasoning that only its vendor can read.' });

const userMessage = z.looseObject({
  role: z.literal('user').describe('The user.'),
  content: z.union([z.string(), z.array(z.union([textBlock, imageBlock, documentBlock, searchResultBlock, toolResultBlock])).readonly()]).describe('A text, or blocks. Blocks of unknown types are ignored.'),
}).meta({ id: 'MessagesUserMessage', description: 'A message of the user, and results of tools.' });

const assistantMessage = z.looseObject({
  role: z.literal('assistant').describe('The model.'),
  content: z.union([z.string(), z.array(z.union([thinkingBlock, redactedThinkingBlock, textBlock, toolUseBlock, compactionBlock])).readonly()]).nullish().describe('A text, or blocks. Blocks of unknown types are ignored.'),
}).meta({ id: 'MessagesAssistantMessage', description: 'An earlier reply of the model.' });

const tool = z.looseObject({
  type: z.string().nullish().describe('`custom`, or nothing; `bash_…`, `text_editor_…` and `memory_…` with the date of the vendor’s schema. Other types are left out.'),
  name: z.string().min(1).describe('The name by which the model calls it.'),
  description: z.string().nullish().describe('When and how to call it; the model reads this.'),
  input_schema: jsonObject.nullish().describe('JSON Schema of its arguments; required unless a vendor defines the tool.'),
  cache_control: cacheControl,
}).meta({ id: 'MessagesTool', description: 'A tool that the model may call. The client runs it; tools that only a vendor can run are left out.' });

const toolReference = z.looseObject({
  type: z.literal('tool_reference').describe('A tool of the request, or of an earlier `tool_addition`.'),
  name: z.string().min(1).describe('Its name.'),
});

const toolAdditionBlock = z.looseObject({
  type: z.literal('tool_addition').describe('A tool that is offered from here on.'),
  tool: z.union([toolReference, z.looseObject({
    type: z.literal('tool_definition').describe('A new tool.'),
    definition: tool.describe('The tool, as in `tools`.'),
  })]).describe('Which tool.'),
}).meta({ id: 'MessagesToolAdditionBlock', description: 'Offers the model one more tool.' });

const toolRemovalBlock = z.looseObject({
  type: z.literal('tool_removal').describe('A tool that is no longer offered.'),
  tool: toolReference.describe('Which tool.'),
}).meta({ id: 'MessagesToolRemovalBlock', description: 'Takes a tool from the model.' });

const systemMessage = z.looseObject({
  role: z.enum(['system', 'developer']).describe('Instructions in the middle of the conversation.'),
  content: z.union([z.string(), z.array(z.union([textBlock, toolAdditionBlock, toolRemovalBlock])).readonly()]).nullish().describe('A text, or blocks; required unless the message changes the output.'),
  output_config: z.looseObject({ effort }).nullish().describe('The effort from the user’s input before or after this message on.'),
  clear_at: z.string().nullish().describe('`next_user_message` if the text counts only until the next message of the user.'),
}).meta({ id: 'MessagesSystemMessage', description: 'Instructions that keep their place in the conversation.' });

const toolChoice = z.looseObject({
  type: z.enum(['auto', 'any', 'none', 'tool']).describe('`any` demands a call, `tool` one of `name`.'),
  name: z.string().min(1).nullish().describe('With `tool`: which one.'),
  disable_parallel_tool_use: z.boolean().nullish().describe('True for at most one call in a reply.'),
}).nullish().describe('Whether and what the model must call; `auto` by default.');

const countFields = {
  model: modelName,
  messages: z.array(z.union([userMessage, assistantMessage, systemMessage])).min(1).readonly().describe('The conversation, oldest message first. Each tool call has exactly one result, in the message after it.'),
  system: z.union([z.string(), z.array(textBlock).readonly()]).nullish().describe('Instructions to the model.'),
  tools: z.array(tool).readonly().nullish().describe('Tools that the model may call.'),
  tool_choice: toolChoice,
  thinking: thinking.describe('Switches reasoning on; it is off by default in this format.'),
  output_config: z.looseObject({
    effort,
    format: replyFormat.describe('The form of the reply.'),
  }).nullish().describe('How the model answers.'),
  output_format: replyFormat.describe('The older name of `output_config.format`, which wins.'),
  temperature: z.number().min(0).max(1).nullish().describe('Randomness of the output. The model’s own default is used if it is missing.'),
  top_p: topP,
  top_k: z.number().nullish().describe('Accepted and not applied.'),
  stop_sequences: z.array(z.string().min(1)).readonly().nullish().describe('Texts at which the output ends; up to 16 by default.'),
  metadata: z.looseObject({ user_id: z.string().max(4096).nullish().describe('Your own name for the user. It is recorded with the usage and never charged by.') }).nullish().describe('What the request is about.'),
  cache_control: cacheControl,
};

/** The body of `POST /v1/messages`. */
export const messagesRequest = z.looseObject({
  ...countFields,
  max_tokens: maxTokens.describe('The most tokens to generate, reasoning included.'),
  stream: isStreamed,
}).meta({ id: 'MessagesRequest', description: 'A request of the messages format. Unknown fields are ignored, except those that refer to what a vendor stores, which are refused.' });

/** The body of `POST /v1/messages/count_tokens`. */
export const messagesCountRequest = z.looseObject({
  ...countFields,
  max_tokens: maxTokens.nullish().describe('Accepted and not needed.'),
}).meta({ id: 'MessagesCountRequest', description: 'A request of the messages format whose prompt is to be counted.' });

export const messagesCount = z.strictObject({ input_tokens: tokens.describe('The estimate that a reservation would use.') })
  .meta({ id: 'MessagesTokenCount', description: 'The estimated size of a prompt.' });

const usageFields = {
  input_tokens: tokens.describe('Tokens of the prompt that no cache served.'),
  cache_creation_input_tokens: z.literal(0).describe('Always 0: tokens written to a cache count as `input_tokens` here, and separately in the usage record.'),
  cache_read_input_tokens: tokens.describe('Tokens of the prompt that a cache served.'),
  output_tokens: tokens.describe('Tokens that were generated, reasoning included.'),
};

const stopReason = z.enum(['end_turn', 'max_tokens', 'tool_use']).describe('Why the output ended.');

/** The reply of `POST /v1/messages` without `stream`. */
export const message = z.strictObject({
  id: z.string().describe('The id of the reply, `msg_…`.'),
  type: z.literal('message').describe('The kind of object.'),
  role: z.literal('assistant').describe('The model.'),
  model: z.string().describe('The slug of the model that served.'),
  content: z.array(z.union([textBlock, thinkingBlock, redactedThinkingBlock, toolUseBlock])).min(1).describe('The reply in blocks, in the order of generation; at least one.'),
  stop_reason: stopReason,
  stop_sequence: z.null().describe('Always `null`: the stop sequence that ended the output is not reported.'),
  usage: z.strictObject({ ...usageFields, ...wholeReceipt }).describe('Tokens and charge.'),
}).meta({ id: 'Message', description: 'A whole reply of the messages format.' });

/** The data of one event of a stream. */
export const messagesEvent = z.looseObject({
  type: z.enum(['message_start', 'content_block_start', 'content_block_delta', 'content_block_stop', 'message_delta', 'message_stop', 'ping', 'error'])
    .describe('The kind of event, also in the event’s name.'),
  message: jsonObject.optional().describe('Of `message_start`: the reply without content.'),
  index: tokens.optional().describe('Of events about a block: its place in `content`.'),
  content_block: jsonObject.optional().describe('Of `content_block_start`: the block as it begins.'),
  delta: jsonObject.optional().describe('What an event adds: a piece of a block, or the reason of the end.'),
  usage: z.strictObject({ ...usageFields, ...streamReceipt }).optional().describe('Of `message_delta`: tokens and charge.'),
}).meta({ id: 'MessagesEvent', description: 'An event of a streamed reply. The stream ends with `message_stop`, or with `error`.' });
