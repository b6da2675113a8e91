import type { JsonObject } from '@tollgate/core';
import { finishReasonOf, joined, piecesOf, type ScriptedReply, type ScriptedToolCall, usageOf } from './scripted-reply.js';

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

/** The chunks of a stream, without `[DONE]`. */
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
