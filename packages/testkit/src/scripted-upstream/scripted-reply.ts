import type { JsonObject } from '@tollgate/core';

export interface ScriptedToolCall {
  readonly id: string;
  readonly name: string;
  /** The arguments, whole or in the pieces in which a stream sends them. */
  readonly arguments: string | readonly string[];
  /** Extra fields of a chat completion's call, such as a thought signature. */
  readonly extraContent?: JsonObject;
}

/**
 * A reply that can be sent in any format, described with the fields of chat completions. In a stream, each member of an array is a delta; in a whole
 * reply, the members are joined.
 */
export interface ScriptedReply {
  readonly text?: string | readonly string[];
  readonly reasoning?: string | readonly string[];
  /** The field that contains the reasoning; by default `reasoning_content`. vLLM and Ollama use `reasoning`. */
  readonly reasoningField?: 'reasoning_content' | 'reasoning';
  /** Signature of the reasoning in the messages format. */
  readonly reasoningSignature?: string;
  /** Reasoning between the text and the tool calls. */
  readonly laterReasoning?: { readonly text: string | readonly string[]; readonly signature?: string };
  readonly toolCalls?: readonly ScriptedToolCall[];
  /** `interleaved` sends the first pieces of all calls, then the second pieces, and so on. */
  readonly toolCallOrder?: 'sequential' | 'interleaved';
  /** By default `tool_calls` if there are calls, and otherwise `stop`. `null` omits the finish reason. */
  readonly finishReason?: string | null;
  /** The reported usage. By default 12 prompt tokens, and one output token per four characters. */
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
