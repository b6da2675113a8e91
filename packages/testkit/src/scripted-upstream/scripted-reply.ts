import type { JsonObject } from '@tollgate/core';

export interface ScriptedToolCall {
  readonly id: string;
  readonly name: string;
  /** The whole text, or the pieces that a stream sends. */
  readonly arguments: string | readonly string[];
  /** Extra fields of a chat completion's call, such as a thought signature. */
  readonly extraContent?: JsonObject;
}

/** A scripted reply for any format, in the terms of chat completions. An array is sent as one delta per member, or joined in a whole reply. */
export interface ScriptedReply {
  readonly text?: string | readonly string[];
  readonly reasoning?: string | readonly string[];
  /** Default: `reasoning_content`. vLLM and Ollama use `reasoning`. */
  readonly reasoningField?: 'reasoning_content' | 'reasoning';
  /** Signature of the reasoning in the messages format. */
  readonly reasoningSignature?: string;
  /** Reasoning between the text and the tool calls. */
  readonly laterReasoning?: { readonly text: string | readonly string[]; readonly signature?: string };
  readonly toolCalls?: readonly ScriptedToolCall[];
  /** `interleaved` sends the first piece of every call, then the second, and so on. */
  readonly toolCallOrder?: 'sequential' | 'interleaved';
  /** Default: `stop`, or `tool_calls` with calls. `null` omits it. */
  readonly finishReason?: string | null;
  /** Default: 12 prompt tokens, and one output token per four characters. */
  readonly usage?: JsonObject;
  readonly usagePlace?: 'last-chunk' | 'finish-chunk' | 'nowhere';
}

export function piecesOf(text: string | readonly string[] | undefined): readonly string[] {
  if (text === undefined) return [];
  return typeof text === 'string' ? [text] : text;
}

export function joined(text: string | readonly string[] | undefined): string {
  return piecesOf(text).join('');
}

export function finishReasonOf(reply: ScriptedReply): string | null {
  if (reply.finishReason !== undefined) return reply.finishReason;
  return (reply.toolCalls ?? []).length > 0 ? 'tool_calls' : 'stop';
}

export function usageOf(reply: ScriptedReply): JsonObject {
  if (reply.usage !== undefined) return reply.usage;
  const written = [joined(reply.text), joined(reply.reasoning), ...(reply.toolCalls ?? []).map((call) => joined(call.arguments))].join('');
  const completionTokens = Math.max(1, Math.ceil(written.length / 4));
  return { prompt_tokens: 12, completion_tokens: completionTokens, total_tokens: 12 + completionTokens };
}
