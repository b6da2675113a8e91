import type { JsonObject } from '@tollgate/core';
import { finishReasonOf, joined, piecesOf, type ScriptedReply, type ScriptedToolCall, usageOf } from './scripted-reply.js';

const MESSAGE_ID = 'msg_scripted';

/** The stop reason for each `finish_reason` of chat completions. Other reasons are sent unchanged. */
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

/** The events of a stream. In this format, blocks are never interleaved, even if the reply asks for it. */
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

/** The reasoning before the text, and the reasoning after it. */
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

/** Usage in this format. Converts usage of chat completions, and returns usage in this format unchanged. */
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
