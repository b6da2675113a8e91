import {
  type AssistantBlock, type CompletedGeneration, EMPTY_ARGUMENTS, type EncodeContext, isBlank, type JsonObject, type ToolCallBlock, unixSeconds,
} from '@tollgate/core';
import { encodeCharge } from '@tollgate/wire-kit';
import { finishReasons } from './encode-finish-reason.js';
import { encodeUsage } from './encode-usage.js';
import { SYSTEM_FINGERPRINT } from './system-fingerprint.js';

function isToolCall(block: AssistantBlock): block is ToolCallBlock {
  return block.type === 'tool-call';
}

function encodeToolCall(call: ToolCallBlock): JsonObject {
  return {
    id: call.id,
    type: 'function',
    function: { name: call.name, arguments: isBlank(call.argumentsJson) ? EMPTY_ARGUMENTS : call.argumentsJson },
  };
}

function joinedText(blocks: readonly AssistantBlock[], type: 'text' | 'thinking'): string {
  return blocks.map((block) => (block.type === type ? block.text : '')).join('');
}

/**
 * `content` is `null` beside tool calls that came without text; `reasoning_content` is there only when the model reasoned.
 * `refusal` says nothing, but the public schema of chat completions demands it.
 */
function encodeMessage(blocks: readonly AssistantBlock[]): JsonObject {
  const text = joinedText(blocks, 'text');
  const calls = blocks.filter(isToolCall).map(encodeToolCall);
  return {
    role: 'assistant',
    content: text === '' && calls.length > 0 ? null : text,
    refusal: null,
    ...(blocks.some((block) => block.type === 'thinking') ? { reasoning_content: joinedText(blocks, 'thinking') } : {}),
    ...(calls.length > 0 ? { tool_calls: calls } : {}),
  };
}

/** A whole reply: the chat completion object. */
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
