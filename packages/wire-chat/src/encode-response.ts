import {
  type AssistantBlock, type CompletedGeneration, type ContextOverflow, EMPTY_ARGUMENTS, type EncodeContext, type ErrorText,
  type GatewayError, isBlank, type JsonObject, type JsonValue, outputTokensOf, promptTokensOf, type RequestId, type StopReason, type ThinkingBlock, type ToolCallBlock,
  totalTokensOf, unixSeconds, type Usage,
} from '@tollgate/core';
import { describePromptOverflow, encodeCharge, typeOf } from '@tollgate/wire-kit';

export const finishReasons: Readonly<Record<StopReason, string>> = {
  end: 'stop',
  'max-tokens': 'length',
  'tool-call': 'tool_calls',
  'content-filter': 'content_filter',
  capacity: 'insufficient_system_resource',
};

/** Totals, with cached and reasoning tokens as details. */
export function encodeUsage(usage: Usage) {
  const promptTokens = promptTokensOf(usage);
  return {
    prompt_tokens: promptTokens,
    completion_tokens: outputTokensOf(usage),
    total_tokens: totalTokensOf(usage),
    prompt_tokens_details: { cached_tokens: usage.cachedPromptTokens },
    completion_tokens_details: { reasoning_tokens: usage.reasoningTokens },
    prompt_cache_hit_tokens: usage.cachedPromptTokens,
    prompt_cache_miss_tokens: promptTokens - usage.cachedPromptTokens,
  };
}

/** A constant, because there is no backend configuration to compare. */
export const SYSTEM_FINGERPRINT = 'fp_tollgate';

function isToolCall(block: AssistantBlock): block is ToolCallBlock {
  return block.type === 'tool-call';
}

function encodeToolCall(call: ToolCallBlock, { extra_content }: OpaqueFields): JsonObject {
  return {
    extra_content,
    id: call.id,
    type: 'function',
    function: { name: call.name, arguments: isBlank(call.argumentsJson) ? EMPTY_ARGUMENTS : call.argumentsJson },
  };
}

function joinedText(blocks: readonly AssistantBlock[], type: 'text' | 'thinking' | 'refusal'): string {
  let text = '';
  for (const block of blocks) if (block.type !== 'tool-call' && fieldOf(block) === type) text += block.text;
  return text;
}

function fieldOf(block: Exclude<AssistantBlock, ToolCallBlock>): 'text' | 'thinking' | 'refusal' {
  return block.type === 'text' && block.isRefusal === true ? 'refusal' : block.type;
}

/** True for thinking that clients see. Thinking without text only carries opaque data for the next part. */
function isShownThinking(block: AssistantBlock): boolean {
  return block.type === 'thinking' && (block.text !== '' || block.form === undefined);
}

/** Opaque data for the call at an index, from the block before it. */
function extraBefore(blocks: readonly AssistantBlock[], index: number): readonly ThinkingBlock[] {
  const before = blocks[index - 1];
  return before?.type === 'thinking' && before.form === 'call-extra' ? [before] : [];
}

/** Opaque data for the client to send back. */
export interface OpaqueFields {
  readonly extra_content?: JsonValue | undefined;
  readonly reasoning_details?: readonly JsonValue[] | undefined;
}

/** The fields with a reply's opaque data. Data of other kinds of servers has no field in this format. */
export function opaqueFields(blocks: readonly Pick<ThinkingBlock, 'signature' | 'form'>[]): OpaqueFields {
  let extra: JsonValue = null;
  const details: (readonly JsonValue[])[] = [];
  for (const { signature, form } of blocks) {
    if (signature === null) continue;
    if (form === 'call-extra' || form === 'message-extra') extra = JSON.parse(signature) as JsonValue;
    else if (form === 'reasoning-details') details.push(JSON.parse(signature) as readonly JsonValue[]);
  }
  return { extra_content: extra ?? undefined, reasoning_details: details.length === 0 ? undefined : details.flat() };
}

/**
 * Encodes a message. `content` is `null` if a message with tool calls or a refusal has no text. The public schema requires the field `refusal`, which
 * is `null` without a refusal.
 */
function encodeMessage(blocks: readonly AssistantBlock[]): JsonObject {
  const text = joinedText(blocks, 'text');
  const refusal = joinedText(blocks, 'refusal');
  const { extra_content, reasoning_details } = opaqueFields(blocks.filter((block): block is ThinkingBlock => block.type === 'thinking' && block.form !== 'call-extra'));
  const calls = blocks.flatMap((block, index) => (isToolCall(block) ? [encodeToolCall(block, opaqueFields(extraBefore(blocks, index)))] : []));
  return {
    role: 'assistant',
    content: text === '' && (calls.length > 0 || refusal !== '') ? null : text,
    refusal: refusal === '' ? null : refusal,
    reasoning_content: blocks.some(isShownThinking) ? joinedText(blocks, 'thinking') : undefined,
    extra_content,
    reasoning_details,
    tool_calls: calls.length > 0 ? calls : undefined,
  };
}

export function encodeResponse(generation: CompletedGeneration, context: EncodeContext): string {
  return JSON.stringify({
    id: context.responseId,
    object: 'chat.completion',
    created: unixSeconds(context.createdAt),
    model: generation.servedBy,
    choices: [{
      index: 0,
      message: encodeMessage(generation.blocks),
      logprobs: null,
      finish_reason: finishReasons[generation.stopReason],
    }],
    usage: { ...encodeUsage(generation.usage), ...encodeCharge(generation.settlement) },
    system_fingerprint: SYSTEM_FINGERPRINT,
  });
}

/** Encodes an error. `param` is present only if a field is at fault. */
export function encodeError(error: GatewayError, requestId: RequestId): JsonObject {
  return {
    error: {
      message: error.message,
      type: typeOf(error.code),
      code: error.code,
      ...(error.param === null ? {} : { param: error.param }),
      ...(error.wireDetails === null ? {} : { details: error.wireDetails }),
      request_id: requestId,
    },
  };
}

const PROMPT_WORDS = { field: 'messages', verb: 'have', noun: 'messages', pronoun: 'them' } as const;

export function describeOverflow(overflow: ContextOverflow, outputField: string): ErrorText {
  return describePromptOverflow(overflow, PROMPT_WORDS, outputField);
}
