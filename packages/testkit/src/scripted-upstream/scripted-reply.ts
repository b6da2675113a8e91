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

export type LineEnd = '\n' | '\r\n' | '\r';

/** How the frames of a stream are encoded as bytes. */
export interface Framing {
  /** Default: `\n`. */
  readonly lineEnd?: LineEnd;
  /** Some servers never send `[DONE]`; servers of the messages format never do. */
  readonly done?: 'sent' | 'missing';
  /** Byte offsets at which writes end, even inside a character or a CRLF. */
  readonly splitAt?: readonly number[];
}

/** Frames with `[DONE]`. An object's `type` becomes the event name, as in the messages format. */
export function framesOf(chunks: readonly JsonObject[], framing: Framing = {}): readonly string[] {
  const lineEnd = framing.lineEnd ?? '\n';
  const frames = chunks.map((chunk) => frameOf(chunk, lineEnd));
  return framing.done === 'missing' ? frames : [...frames, `data: [DONE]${lineEnd}${lineEnd}`];
}

function frameOf(chunk: JsonObject, lineEnd: LineEnd): string {
  const name = typeof chunk['type'] === 'string' ? `event: ${chunk['type']}${lineEnd}` : '';
  return `${name}data: ${JSON.stringify(chunk)}${lineEnd}${lineEnd}`;
}

/** Ignores offsets outside the bytes. */
export function cutAt(bytes: Uint8Array, offsets: readonly number[]): readonly Uint8Array[] {
  const inside = [0, ...offsets, bytes.length].filter((offset) => offset >= 0 && offset <= bytes.length);
  const cuts = [...new Set(inside)].toSorted((a, b) => a - b);
  return cuts.slice(1).map((end, position) => bytes.subarray(cuts[position], end));
}

const COMPLETION_ID = 'chatcmpl-scripted';
const CREATED = 1_700_000_000;

export function chatCompletion(reply: ScriptedReply, model: string): JsonObject {
  const reasoning = [...piecesOf(reply.reasoning), ...piecesOf(reply.laterReasoning?.text)];
  const toolCalls = (reply.toolCalls ?? []).map((call) => ({
    id: call.id,
    type: 'function',
    function: { name: call.name, arguments: joined(call.arguments) },
    ...extraContentOf(call),
  }));
  const message = {
    role: 'assistant',
    content: reply.text === undefined ? null : joined(reply.text),
    ...(reasoning.length === 0 ? {} : { [reply.reasoningField ?? 'reasoning_content']: joined(reasoning) }),
    ...(toolCalls.length > 0 ? { tool_calls: toolCalls } : {}),
  };
  return {
    id: COMPLETION_ID,
    object: 'chat.completion',
    created: CREATED,
    model,
    choices: [{ index: 0, message, finish_reason: finishReasonOf(reply) }],
    ...(reply.usagePlace === 'nowhere' ? {} : { usage: usageOf(reply) }),
  };
}

export function chatChunk(model: string, delta: JsonObject, finishReason: string | null = null): JsonObject {
  return chunkOf(model, [{ index: 0, delta, finish_reason: finishReason }]);
}

/** Without `[DONE]`. */
export function chatChunks(reply: ScriptedReply, model: string): readonly JsonObject[] {
  const reasoningField = reply.reasoningField ?? 'reasoning_content';
  const finishReason = finishReasonOf(reply);
  const usagePlace = reply.usagePlace ?? 'last-chunk';
  const finish = chatChunk(model, {}, finishReason);
  return [
    chatChunk(model, { role: 'assistant', content: '' }),
    ...piecesOf(reply.reasoning).map((piece) => chatChunk(model, { [reasoningField]: piece })),
    ...piecesOf(reply.text).map((piece) => chatChunk(model, { content: piece })),
    ...piecesOf(reply.laterReasoning?.text).map((piece) => chatChunk(model, { [reasoningField]: piece })),
    ...toolCallFragments(reply).map((fragment) => chatChunk(model, { tool_calls: [fragment] })),
    ...(finishReason === null ? [] : [usagePlace === 'finish-chunk' ? { ...finish, usage: usageOf(reply) } : finish]),
    ...(usagePlace === 'last-chunk' ? [{ ...chunkOf(model, []), usage: usageOf(reply) }] : []),
  ];
}

function chunkOf(model: string, choices: readonly JsonObject[]): JsonObject {
  return { id: COMPLETION_ID, object: 'chat.completion.chunk', created: CREATED, model, choices };
}

function extraContentOf({ extraContent }: ScriptedToolCall): JsonObject {
  return extraContent === undefined ? {} : { extra_content: extraContent };
}

function toolCallFragments(reply: ScriptedReply): readonly JsonObject[] {
  const perCall = (reply.toolCalls ?? []).map((call, index) => [
    { index, id: call.id, type: 'function', function: { name: call.name, arguments: '' }, ...extraContentOf(call) },
    ...piecesOf(call.arguments).map((piece) => ({ index, function: { arguments: piece } })),
  ]);
  if (reply.toolCallOrder !== 'interleaved') return perCall.flat();
  const longest = Math.max(0, ...perCall.map((fragments) => fragments.length));
  return Array.from({ length: longest }, (_, position) => perCall.flatMap((fragments) => fragments[position] ?? [])).flat();
}

const MESSAGE_ID = 'msg_scripted';

/** By the chat `finish_reason`. Others pass unchanged. */
const STOP_REASONS: Readonly<Record<string, string>> = {
  stop: 'end_turn', tool_calls: 'tool_use', length: 'max_tokens', content_filter: 'refusal',
};

export function messagesReply(reply: ScriptedReply, model: string): JsonObject {
  return {
    ...head(model),
    content: [
      ...thinkingsOf(reply).before.map(({ text, signature }) => ({ type: 'thinking', thinking: joined(text), signature })),
      ...(reply.text === undefined ? [] : [{ type: 'text', text: joined(reply.text) }]),
      ...thinkingsOf(reply).after.map(({ text, signature }) => ({ type: 'thinking', thinking: joined(text), signature })),
      ...(reply.toolCalls ?? []).map((call) => ({ type: 'tool_use', id: call.id, name: call.name, input: inputOf(call) })),
    ],
    stop_reason: stopReasonOf(reply),
    stop_sequence: null,
    ...(reply.usagePlace === 'nowhere' ? {} : { usage: messagesUsageOf(reply) }),
  };
}

function head(model: string): JsonObject {
  return { id: MESSAGE_ID, type: 'message', role: 'assistant', model };
}

/** Blocks never interleave in this format, whatever the reply says. */
export function messagesEvents(reply: ScriptedReply, model: string): readonly JsonObject[] {
  const usage = reply.usagePlace === 'nowhere' ? null : messagesUsageOf(reply);
  const start = { ...head(model), content: [], stop_reason: null, stop_sequence: null };
  return [
    { type: 'message_start', message: usage === null ? start : { ...start, usage: { ...usage, output_tokens: 1 } } },
    { type: 'ping' },
    ...blocksOf(reply).flatMap(({ opening, deltas }, index) => [
      { type: 'content_block_start', index, content_block: opening },
      ...deltas.map((delta) => ({ type: 'content_block_delta', index, delta })),
      { type: 'content_block_stop', index },
    ]),
    { type: 'message_delta', delta: { stop_reason: stopReasonOf(reply), stop_sequence: null }, ...(usage === null ? {} : { usage }) },
    { type: 'message_stop' },
  ];
}

export function messagesError(error: JsonObject): JsonObject {
  return { type: 'error', error: { type: 'api_error', ...error } };
}

interface SpokenBlock {
  readonly opening: JsonObject;
  readonly deltas: readonly JsonObject[];
}

function blocksOf(reply: ScriptedReply): readonly SpokenBlock[] {
  return [
    ...thinkingsOf(reply).before.map(spokenThinking),
    ...(reply.text === undefined ? [] : [{ opening: { type: 'text', text: '' }, deltas: piecesOf(reply.text).map((text) => ({ type: 'text_delta', text })) }]),
    ...thinkingsOf(reply).after.map(spokenThinking),
    ...(reply.toolCalls ?? []).map((call) => ({
      opening: { type: 'tool_use', id: call.id, name: call.name, input: {} },
      deltas: piecesOf(call.arguments).map((piece) => ({ type: 'input_json_delta', partial_json: piece })),
    })),
  ];
}

interface ScriptedThinking {
  readonly text: string | readonly string[];
  readonly signature: string;
}

const SIGNATURE = 'scripted-signature';

/** Reasoning before and after the text. */
function thinkingsOf({ reasoning, reasoningSignature, laterReasoning }: ScriptedReply): { readonly before: readonly ScriptedThinking[]; readonly after: readonly ScriptedThinking[] } {
  return {
    before: reasoning === undefined ? [] : [{ text: reasoning, signature: reasoningSignature ?? SIGNATURE }],
    after: laterReasoning === undefined ? [] : [{ signature: SIGNATURE, ...laterReasoning }],
  };
}

function spokenThinking({ text, signature }: ScriptedThinking): SpokenBlock {
  return {
    opening: { type: 'thinking', thinking: '', signature: '' },
    deltas: [...piecesOf(text).map((thinking) => ({ type: 'thinking_delta', thinking })), { type: 'signature_delta', signature }],
  };
}

function inputOf(call: ScriptedToolCall): JsonObject {
  const text = joined(call.arguments);
  return text === '' ? {} : JSON.parse(text) as JsonObject;
}

function stopReasonOf(reply: ScriptedReply): string | null {
  const reason = finishReasonOf(reply);
  return reason !== null && Object.hasOwn(STOP_REASONS, reason) ? STOP_REASONS[reason] ?? reason : reason;
}

/** Converted from chat completions. Usage already in this format passes unchanged. */
function messagesUsageOf(reply: ScriptedReply): JsonObject {
  const usage = usageOf(reply) as Readonly<Record<string, number | JsonObject | undefined>>;
  if (usage['input_tokens'] !== undefined) return usage;
  const details = usage['prompt_tokens_details'] as Readonly<Record<string, number>> | undefined;
  const cached = details?.['cached_tokens'] ?? 0;
  return {
    input_tokens: Number(usage['prompt_tokens']) - cached,
    cache_creation_input_tokens: 0,
    cache_read_input_tokens: cached,
    output_tokens: Number(usage['completion_tokens']),
  };
}
