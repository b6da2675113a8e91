import type { JsonObject } from '@tollgate/core';
import { finishReasonOf, joined, piecesOf, type ScriptedReply, usageOf } from './scripted-reply.js';

/** `encrypted_content` of reasoning to which the reply gives no signature. */
const SEALED = 'scripted-encrypted-content';

const RESPONSE_ID = 'resp_scripted';

/** Why a response is incomplete, for each `finish_reason` of chat completions. */
const INCOMPLETE: Readonly<Record<string, string>> = { length: 'max_output_tokens', content_filter: 'content_filter' };
const COMPLETE: ReadonlySet<string> = new Set(['stop', 'tool_calls']);
const UNSUCCESSFUL: ReadonlySet<string> = new Set(['failed', 'cancelled']);

/** A completed item, and the pieces in which a stream sends it. */
interface SpokenItem {
  readonly done: JsonObject;
  /** The item as `response.output_item.added` has it. */
  readonly added: JsonObject;
  readonly delta: (piece: string) => JsonObject;
  readonly pieces: readonly string[];
}

function reasoningItem(id: string, text: string | readonly string[], sealed = SEALED): SpokenItem {
  const item = { id, type: 'reasoning', summary: [] };
  return {
    added: item,
    done: { ...item, summary: [{ type: 'summary_text', text: joined(text) }], encrypted_content: sealed },
    delta: (delta) => ({ type: 'response.reasoning_summary_text.delta', item_id: id, summary_index: 0, delta }),
    pieces: piecesOf(text),
  };
}

function itemsOf(reply: ScriptedReply): readonly SpokenItem[] {
  const items: SpokenItem[] = [];
  if (reply.reasoning !== undefined) items.push(reasoningItem('rs_1', reply.reasoning, reply.reasoningSignature));
  if (reply.text !== undefined) {
    const item = { id: 'msg_1', type: 'message', role: 'assistant', status: 'in_progress', content: [] };
    items.push({
      added: item,
      done: { ...item, status: 'completed', content: [{ type: 'output_text', text: joined(reply.text), annotations: [] }] },
      delta: (delta) => ({ type: 'response.output_text.delta', item_id: 'msg_1', content_index: 0, delta }),
      pieces: piecesOf(reply.text),
    });
  }
  if (reply.laterReasoning !== undefined) items.push(reasoningItem('rs_2', reply.laterReasoning.text, reply.laterReasoning.signature));
  for (const [number, call] of (reply.toolCalls ?? []).entries()) {
    const item = { id: `fc_${number}`, type: 'function_call', status: 'in_progress', call_id: call.id, name: call.name, arguments: '' };
    items.push({
      added: item,
      done: { ...item, status: 'completed', arguments: joined(call.arguments) },
      delta: (delta) => ({ type: 'response.function_call_arguments.delta', item_id: `fc_${number}`, delta }),
      pieces: piecesOf(call.arguments),
    });
  }
  return items;
}

/** Usage in this format. Converts usage of chat completions, and returns usage in this format unchanged. */
function responsesUsageOf(reply: ScriptedReply): JsonObject {
  const usage = usageOf(reply) as Readonly<Record<string, number | JsonObject | undefined>>;
  if (usage['input_tokens'] !== undefined) return usage;
  const cached = (usage['prompt_tokens_details'] as Readonly<Record<string, number>> | undefined)?.['cached_tokens'] ?? 0;
  const reasoning = (usage['completion_tokens_details'] as Readonly<Record<string, number>> | undefined)?.['reasoning_tokens'];
  return {
    input_tokens: Number(usage['prompt_tokens']),
    input_tokens_details: { cached_tokens: cached },
    output_tokens: Number(usage['completion_tokens']),
    output_tokens_details: reasoning === undefined ? {} : { reasoning_tokens: reasoning },
    total_tokens: Number(usage['prompt_tokens']) + Number(usage['completion_tokens']),
  };
}

function statusOf(reply: ScriptedReply): string {
  const reason = finishReasonOf(reply);
  if (reason === null) return 'in_progress';
  if (UNSUCCESSFUL.has(reason)) return reason;
  return COMPLETE.has(reason) ? 'completed' : 'incomplete';
}

/** A whole response. Without a finish reason its status is `in_progress`, as if the server had given up. */
export function responsesReply(reply: ScriptedReply, model: string): JsonObject {
  const status = statusOf(reply);
  return {
    id: RESPONSE_ID,
    object: 'response',
    created_at: 1_700_000_000,
    model,
    status,
    error: null,
    incomplete_details: status === 'incomplete' ? { reason: INCOMPLETE[finishReasonOf(reply) ?? ''] ?? finishReasonOf(reply) } : null,
    output: itemsOf(reply).map(({ done }) => done),
    ...(reply.usagePlace === 'nowhere' ? {} : { usage: responsesUsageOf(reply) }),
  };
}

/** The events of a stream. Items are never interleaved, and without a finish reason there is no final event. */
export function responsesEvents(reply: ScriptedReply, model: string): readonly JsonObject[] {
  const whole = responsesReply(reply, model);
  const { usage: _usage, ...begun } = { ...whole, status: 'in_progress', incomplete_details: null, output: [] } as JsonObject;
  const events: JsonObject[] = [{ type: 'response.created', response: begun }, { type: 'response.in_progress', response: begun }];
  for (const [output_index, { added, done, delta, pieces }] of itemsOf(reply).entries()) {
    events.push({ type: 'response.output_item.added', output_index, item: added });
    for (const piece of pieces) events.push({ ...delta(piece), output_index });
    events.push({ type: 'response.output_item.done', output_index, item: done });
  }
  if (finishReasonOf(reply) !== null) events.push({ type: `response.${statusOf(reply)}`, response: whole });
  return events.map((event, sequence_number) => ({ ...event, sequence_number }));
}

/** The error event of a stream. */
export function responsesError(error: JsonObject): JsonObject {
  return { type: 'error', code: null, param: null, message: 'error', ...error, error };
}
