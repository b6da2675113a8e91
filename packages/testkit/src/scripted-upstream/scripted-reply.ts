import type { JsonObject } from '@tollgate/core';

export interface ScriptedToolCall {
  readonly id: string;
  readonly name: string;
  /** The arguments' text, or the pieces a stream sends of it. */
  readonly arguments: string | readonly string[];
}

/** A scripted model's reply, in either format. Where the formats have different words, these are chat completions'. An array is one delta per member in a stream, and the joined text in a whole reply. */
export interface ScriptedReply {
  readonly text?: string | readonly string[];
  readonly reasoning?: string | readonly string[];
  /** `reasoning_content` unless said otherwise; vLLM and Ollama say `reasoning`. */
  readonly reasoningField?: 'reasoning_content' | 'reasoning';
  /** What the messages format signs reasoning with. */
  readonly reasoningSignature?: string;
  readonly toolCalls?: readonly ScriptedToolCall[];
  /** `interleaved` sends the first piece of every call, then the second of every call, and so on. */
  readonly toolCallOrder?: 'sequential' | 'interleaved';
  /** `stop`, or `tool_calls` when there are any; `null` leaves it out. */
  readonly finishReason?: string | null;
  /** 12 prompt tokens and one output token for every four characters, unless said otherwise. */
  readonly usage?: JsonObject;
  readonly usagePlace?: 'last-chunk' | 'finish-chunk' | 'nowhere';
}

/** The pieces a stream sends of a text. */
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

export type LineEnd = '\n' | '\r\n' | '\r';

/** How the frames of a stream are put into bytes. */
export interface Framing {
  /** `\n` unless said otherwise. */
  readonly lineEnd?: LineEnd;
  /** Some servers never send `[DONE]`; none that speaks the messages format does. */
  readonly done?: 'sent' | 'missing';
  /** Writes end at these byte offsets of the stream, even inside a character or between CR and LF. */
  readonly splitAt?: readonly number[];
}

/** The text of each event, `[DONE]` included. Objects with a `type` are named after it, as in the messages format. */
export function framesOf(chunks: readonly JsonObject[], framing: Framing = {}): readonly string[] {
  const lineEnd = framing.lineEnd ?? '\n';
  const frames = chunks.map((chunk) => frameOf(chunk, lineEnd));
  return framing.done === 'missing' ? frames : [...frames, `data: [DONE]${lineEnd}${lineEnd}`];
}

function frameOf(chunk: JsonObject, lineEnd: LineEnd): string {
  const name = typeof chunk['type'] === 'string' ? `event: ${chunk['type']}${lineEnd}` : '';
  return `${name}data: ${JSON.stringify(chunk)}${lineEnd}${lineEnd}`;
}

/** The bytes cut at the given offsets; offsets outside of them are ignored. */
export function cutAt(bytes: Uint8Array, offsets: readonly number[]): readonly Uint8Array[] {
  const inside = [0, ...offsets, bytes.length].filter((offset) => offset >= 0 && offset <= bytes.length);
  const cuts = [...new Set(inside)].toSorted((a, b) => a - b);
  return cuts.slice(1).map((end, position) => bytes.subarray(cuts[position], end));
}
