import type { ChatCompletion, ChatCompletionChunk, ChatCompletionMessage, ChatCompletionMessageFunctionToolCall } from 'openai/resources/chat/completions';
import type { CompletionUsage } from 'openai/resources/completions';
import { COUNT, DECIMAL, listOf, NEVER_SENT, objectOf, orNull, TEXT } from './public-shape.js';

/**
 * The compiler compares the members of each schema with the types of the `openai` package. Those types are generated from the public OpenAPI
 * document, which the values follow too.
 */

const PUBLIC_FINISH_REASONS = ['stop', 'length', 'tool_calls', 'content_filter', 'function_call'];

/** Fields of this service that the public document lacks or contradicts. */
export const CONTRADICTIONS = {
  finishReasons: ['insufficient_system_resource'],
  reasoning: { reasoning_content: TEXT },
  usage: { prompt_cache_hit_tokens: COUNT, prompt_cache_miss_tokens: COUNT, svc_tokens_debited: DECIMAL, svc_cost_usd: DECIMAL },
  /** Fields of the last chunk and of its usage. */
  streamReceipt: { svc_tokens_debited: DECIMAL, svc_cost_usd: DECIMAL, svc_balance_tokens: DECIMAL, svc_fallback_used: { type: 'boolean' } },
} as const;

const FINISH_REASON = { enum: [...PUBLIC_FINISH_REASONS, ...CONTRADICTIONS.finishReasons] };

const NEVER_SENT_USAGE_DETAILS = { audio_tokens: NEVER_SENT, text_tokens: NEVER_SENT };

function usageSchema(added: Readonly<Record<string, typeof DECIMAL>>) {
  return objectOf<CompletionUsage>({
    required: { prompt_tokens: COUNT, completion_tokens: COUNT, total_tokens: COUNT },
    optional: {
      prompt_tokens_details: objectOf<CompletionUsage.PromptTokensDetails>({
        required: {},
        optional: { cached_tokens: COUNT, cache_write_tokens: NEVER_SENT, image_tokens: NEVER_SENT, ...NEVER_SENT_USAGE_DETAILS },
      }),
      completion_tokens_details: objectOf<CompletionUsage.CompletionTokensDetails>({
        required: {},
        optional: {
          reasoning_tokens: COUNT, accepted_prediction_tokens: NEVER_SENT, rejected_prediction_tokens: NEVER_SENT, ...NEVER_SENT_USAGE_DETAILS,
        },
      }),
    },
    added: { ...CONTRADICTIONS.usage, ...added },
  });
}

const toolCall = objectOf<ChatCompletionMessageFunctionToolCall>({
  required: {
    id: TEXT,
    type: { const: 'function' },
    function: objectOf<ChatCompletionMessageFunctionToolCall.Function>({ required: { name: TEXT, arguments: TEXT }, optional: {} }),
  },
  optional: {},
});

const message = objectOf<ChatCompletionMessage>({
  required: { role: { const: 'assistant' }, content: orNull(TEXT), refusal: orNull(TEXT) },
  optional: { tool_calls: listOf(toolCall, { minItems: 1 }), annotations: NEVER_SENT, audio: NEVER_SENT, function_call: NEVER_SENT },
  added: CONTRADICTIONS.reasoning,
});

/** `logprobs` is always `null`, which the public document permits. */
const LOGPROBS = { type: 'null' };

export const CHAT_COMPLETION = objectOf<ChatCompletion>({
  required: {
    id: TEXT,
    object: { const: 'chat.completion' },
    created: COUNT,
    model: TEXT,
    choices: listOf(
      objectOf<ChatCompletion.Choice>({ required: { index: COUNT, message, logprobs: LOGPROBS, finish_reason: FINISH_REASON }, optional: {} }),
      { minItems: 1 },
    ),
  },
  optional: { usage: usageSchema({}), system_fingerprint: TEXT, service_tier: NEVER_SENT, metadata: NEVER_SENT, moderation: NEVER_SENT },
});

const toolCallFragment = objectOf<ChatCompletionChunk.Choice.Delta.ToolCall>({
  required: { index: COUNT },
  optional: {
    id: TEXT,
    type: { const: 'function' },
    function: objectOf<ChatCompletionChunk.Choice.Delta.ToolCall.Function>({ required: {}, optional: { name: TEXT, arguments: TEXT } }),
    custom: NEVER_SENT,
  },
});

const delta = objectOf<ChatCompletionChunk.Choice.Delta>({
  required: {},
  optional: {
    role: { enum: ['developer', 'system', 'user', 'assistant', 'tool'] },
    content: orNull(TEXT),
    refusal: orNull(TEXT),
    tool_calls: listOf(toolCallFragment, { minItems: 1 }),
    audio: NEVER_SENT,
    function_call: NEVER_SENT,
  },
  added: CONTRADICTIONS.reasoning,
});

/** A chunk of a stream; the last chunk has no choices. */
export const CHAT_COMPLETION_CHUNK = objectOf<ChatCompletionChunk>({
  required: {
    id: TEXT,
    object: { const: 'chat.completion.chunk' },
    created: COUNT,
    model: TEXT,
    choices: listOf(objectOf<ChatCompletionChunk.Choice>({
      required: { index: COUNT, delta, finish_reason: orNull(FINISH_REASON) }, optional: { logprobs: LOGPROBS },
    })),
  },
  optional: {
    usage: usageSchema(CONTRADICTIONS.streamReceipt), system_fingerprint: TEXT, service_tier: NEVER_SENT, obfuscation: NEVER_SENT, moderation: NEVER_SENT,
  },
  added: CONTRADICTIONS.streamReceipt,
});
