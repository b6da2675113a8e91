import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { JsonObject } from '@tollgate/core';
import { type Behaviour, sendsRaw } from '@tollgate/testkit';
import { type Kind, PATHS, ReplyWorld } from './support/reply-world.js';

/** What a server sends for one reply, in both deliveries. */
interface Dialect {
  readonly kind: Kind;
  readonly stream: string;
  readonly whole: JsonObject;
  readonly text: string;
  readonly prompt: number;
  readonly cached: number;
  readonly output: number;
}

const frames = (events: readonly (JsonObject | string)[], lineEnd = '\n'): string =>
  events.map((event) => `${typeof event === 'string' ? event : `data: ${JSON.stringify(event)}`}${lineEnd}${lineEnd}`).join('');
const named = (...events: readonly JsonObject[]): string => frames(events.map((event) => `event: named\ndata: ${JSON.stringify(event)}`));
const chunk = (delta: JsonObject, finish: string | null, more: JsonObject = {}): JsonObject => ({
  id: 'chatcmpl-1', object: 'chat.completion.chunk', created: 1, model: 'm', choices: [{ index: 0, delta, finish_reason: finish, logprobs: null }], ...more,
});
const whole = (message: JsonObject, usage: JsonObject, more: JsonObject = {}): JsonObject => ({
  id: 'chatcmpl-1', object: 'chat.completion', created: 1, model: 'm', choices: [{ index: 0, message: { role: 'assistant', ...message }, finish_reason: 'stop', ...more }], usage,
});
const counts = (prompt: number, output: number, more: JsonObject = {}): JsonObject => ({ prompt_tokens: prompt, completion_tokens: output, total_tokens: prompt + output, ...more });

const DIALECTS: Readonly<Record<string, Dialect>> = {
  'vLLM with usage in every chunk': {
    kind: 'openai', text: 'Hi.', prompt: 12, cached: 4, output: 7,
    stream: frames([
      chunk({ role: 'assistant', content: '' }, null, { usage: counts(12, 0), prompt_token_ids: null }),
      chunk({ reasoning: 'Hm', reasoning_content: 'Hm' }, null, { usage: counts(12, 2) }),
      chunk({ content: 'Hi' }, null, { usage: counts(12, 5) }),
      { ...chunk({ content: '.' }, 'stop', { usage: counts(12, 7) }), choices: [{ index: 0, delta: { content: '.' }, logprobs: null, finish_reason: 'stop', stop_reason: 128009, token_ids: null }] },
      { id: 'chatcmpl-1', object: 'chat.completion.chunk', created: 1, model: 'm', choices: [], usage: counts(12, 7, { prompt_tokens_details: { cached_tokens: 4 } }), kv_transfer_params: null },
      'data: [DONE]',
    ]),
    whole: { ...whole({ content: 'Hi.', reasoning_content: 'Hm', tool_calls: [], refusal: null, function_call: null }, counts(12, 7, { prompt_tokens_details: { cached_tokens: 4 } }), { stop_reason: 128009 }), prompt_logprobs: null, kv_transfer_params: null },
  },
  'llama.cpp': {
    kind: 'openai', text: 'Hi.', prompt: 12, cached: 0, output: 3,
    stream: frames([
      ':', chunk({ role: 'assistant', content: null }, null, { usage: null }), chunk({ content: 'Hi' }, null), ':', chunk({ content: '.' }, null), chunk({}, 'stop', { timings: { prompt_n: 12, predicted_n: 3 } }),
      { choices: [], object: 'chat.completion.chunk', usage: counts(12, 3), timings: { prompt_n: 12, predicted_n: 3 } }, 'data: [DONE]',
    ], '\r\n'),
    whole: { ...whole({ content: 'Hi.' }, counts(12, 3)), timings: { prompt_n: 12 }, id_slot: 0 },
  },
  'DeepSeek': {
    kind: 'openai', text: 'Hi.', prompt: 20, cached: 15, output: 6,
    stream: frames([
      ': keep-alive', chunk({ role: 'assistant', content: null, reasoning_content: '' }, null), chunk({ content: null, reasoning_content: 'Hm' }, null), ': keep-alive', chunk({ content: 'Hi.', reasoning_content: null }, null),
      chunk({ content: '', reasoning_content: null }, 'stop', { usage: counts(20, 6, { prompt_cache_hit_tokens: 15, prompt_cache_miss_tokens: 5, completion_tokens_details: { reasoning_tokens: 3 } }) }), 'data: [DONE]',
    ]),
    whole: whole({ content: 'Hi.', reasoning_content: 'Hm' }, counts(20, 6, { prompt_cache_hit_tokens: 15, prompt_cache_miss_tokens: 5 })),
  },
  'Mistral with reasoning': {
    kind: 'openai', text: 'Hi.', prompt: 12, cached: 0, output: 9,
    stream: frames([
      chunk({ role: 'assistant', content: '' }, null), chunk({ content: [{ type: 'thinking', thinking: [{ type: 'text', text: 'Hm' }] }] }, null),
      chunk({ content: [{ type: 'thinking', thinking: [], closed: true }, { type: 'text', text: 'Hi' }] }, null), chunk({ content: '.' }, 'stop', { usage: counts(12, 9) }), 'data: [DONE]',
    ]),
    whole: whole({ content: [{ type: 'thinking', thinking: [{ type: 'text', text: 'Hm' }] }, { type: 'text', text: 'Hi.' }], tool_calls: null }, counts(12, 9)),
  },
  'Groq': {
    kind: 'openai', text: 'Hi.', prompt: 12, cached: 0, output: 3,
    stream: frames([chunk({ role: 'assistant', content: '' }, null, { x_groq: { id: 'req_1' } }), chunk({ content: 'Hi.' }, null), chunk({}, 'stop', { x_groq: { id: 'req_1', usage: counts(12, 3, { queue_time: 0.1 }) } }), 'data: [DONE]']),
    whole: { ...whole({ content: 'Hi.' }, counts(12, 3, { queue_time: 0.1 })), x_groq: { id: 'req_1' } },
  },
  'Moonshot': {
    kind: 'openai', text: 'Hi.', prompt: 12, cached: 8, output: 3,
    stream: frames([chunk({ content: 'Hi.' }, null), { ...chunk({}, null), choices: [{ index: 0, delta: {}, finish_reason: 'stop', usage: counts(12, 3, { cached_tokens: 8 }) }] }, 'data: [DONE]']),
    whole: whole({ content: 'Hi.' }, counts(12, 3, { cached_tokens: 8 })),
  },
  'OpenRouter': {
    kind: 'openai', text: 'Hi.', prompt: 12, cached: 5, output: 8,
    stream: frames([
      ': OPENROUTER PROCESSING', ': OPENROUTER PROCESSING',
      { ...chunk({}, null), provider: 'P', choices: [{ index: 0, delta: { role: 'assistant', content: '', reasoning: 'Hm', reasoning_details: [{ type: 'reasoning.text', text: 'Hm', format: 'unknown', index: 0 }] }, finish_reason: null, native_finish_reason: null, logprobs: null }] },
      chunk({ role: 'assistant', content: 'Hi.' }, null), { ...chunk({}, null), choices: [{ index: 0, delta: { role: 'assistant', content: '' }, finish_reason: 'stop', native_finish_reason: 'end_turn', logprobs: null }] },
      chunk({ role: 'assistant', content: '' }, null, { usage: counts(12, 8, { cost: 0.001, is_byok: false, prompt_tokens_details: { cached_tokens: 5 }, completion_tokens_details: { reasoning_tokens: 2 }, cost_details: { upstream_inference_cost: null } }) }),
      'data: [DONE]',
    ]),
    whole: { ...whole({ content: 'Hi.', refusal: null, reasoning: 'Hm' }, counts(12, 8, { cost: 0.001, prompt_tokens_details: { cached_tokens: 5 } }), { native_finish_reason: 'end_turn' }), provider: 'P' },
  },
  'Azure OpenAI': {
    kind: 'openai', text: 'Hi.', prompt: 12, cached: 0, output: 3,
    stream: frames([
      { choices: [], created: 0, id: '', model: '', object: '', prompt_filter_results: [{ prompt_index: 0, content_filter_results: { hate: { filtered: false, severity: 'safe' } } }] },
      chunk({ role: 'assistant', content: '', refusal: null }, null), { ...chunk({}, null), choices: [{ index: 0, delta: { content: 'Hi.' }, content_filter_results: { error: { code: 'content_filter_error', message: 'The contents are not filtered' } }, finish_reason: null }] },
      chunk({}, 'stop'), { ...chunk({}, null), choices: [{ index: 0, finish_reason: null, content_filter_offsets: { check_offset: 0 }, content_filter_results: {} }] }, { ...chunk({}, null), choices: [], usage: counts(12, 3) }, 'data: [DONE]',
    ]),
    whole: { ...whole({ content: 'Hi.', refusal: null }, counts(12, 3), { content_filter_results: { hate: { filtered: false } } }), prompt_filter_results: [] },
  },
  'Gemini’s endpoint': {
    kind: 'openai', text: 'Hi.', prompt: 12, cached: 0, output: 3,
    stream: frames([
      { choices: [{ delta: { content: 'Hi', role: 'assistant' }, index: 0 }], created: 1, id: '', model: 'm', object: 'chat.completion.chunk', usage: counts(12, 1) },
      { choices: [{ delta: { content: '.', role: 'assistant' }, finish_reason: 'stop', index: 0 }], created: 1, id: '', model: 'm', object: 'chat.completion.chunk', usage: counts(12, 3) }, 'data: [DONE]',
    ]),
    whole: whole({ content: 'Hi.' }, counts(12, 3)),
  },
  'Anthropic': {
    kind: 'anthropic', text: 'Hi.', prompt: 42, cached: 20, output: 15,
    stream: named(
      { type: 'message_start', message: { id: 'msg_1', type: 'message', role: 'assistant', model: 'm', content: [], stop_reason: null, usage: { input_tokens: 12, cache_creation_input_tokens: 10, cache_read_input_tokens: 20, cache_creation: { ephemeral_5m_input_tokens: 4, ephemeral_1h_input_tokens: 6 }, output_tokens: 1, service_tier: 'standard' } } },
      { type: 'ping' }, { type: 'content_block_start', index: 0, content_block: { type: 'server_tool_use', id: 'srvtoolu_1', name: 'web_search', input: {} } }, { type: 'content_block_delta', index: 0, delta: { type: 'input_json_delta', partial_json: '{"query":"x"}' } },
      { type: 'content_block_stop', index: 0 }, { type: 'content_block_start', index: 1, content_block: { type: 'web_search_tool_result', tool_use_id: 'srvtoolu_1', content: [] } }, { type: 'content_block_stop', index: 1 },
      { type: 'content_block_start', index: 2, content_block: { type: 'redacted_thinking', data: 'xyz' } }, { type: 'content_block_stop', index: 2 },
      { type: 'content_block_start', index: 3, content_block: { type: 'text', text: '' } }, { type: 'content_block_delta', index: 3, delta: { type: 'text_delta', text: 'Hi.' } }, { type: 'content_block_delta', index: 3, delta: { type: 'citations_delta', citation: { type: 'web_search_result_location', url: 'x' } } }, { type: 'content_block_stop', index: 3 },
      { type: 'message_delta', delta: { stop_reason: 'pause_turn', stop_sequence: null, container: null }, usage: { input_tokens: 12, cache_creation_input_tokens: 10, cache_read_input_tokens: 20, output_tokens: 15, server_tool_use: { web_search_requests: 1 } }, context_management: { applied_edits: [] } },
      { type: 'message_stop' },
    ),
    whole: {
      id: 'msg_1', type: 'message', role: 'assistant', model: 'm', stop_reason: 'end_turn', stop_sequence: null, content: [{ type: 'redacted_thinking', data: 'xyz' }, { type: 'server_tool_use', id: 's', name: 'web_search', input: {} }, { type: 'text', text: 'Hi.', citations: null }],
      usage: { input_tokens: 12, cache_creation_input_tokens: 10, cache_read_input_tokens: 20, cache_creation: { ephemeral_5m_input_tokens: 4, ephemeral_1h_input_tokens: 6 }, output_tokens: 15 },
    },
  },
  'a messages server that states 0 at the end': {
    kind: 'anthropic', text: 'Hi.', prompt: 12, cached: 0, output: 3,
    stream: named(
      { type: 'message_start', message: { id: 'msg_1', type: 'message', role: 'assistant', content: [], usage: { input_tokens: 12, output_tokens: 0 } } }, { type: 'content_block_start', index: 0, content_block: { type: 'text', text: 'Hi.' } }, { type: 'content_block_stop', index: 0 },
      { type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage: { input_tokens: 0, cache_creation_input_tokens: 0, cache_read_input_tokens: 0, output_tokens: 3 } }, { type: 'message_stop' },
    ),
    whole: { type: 'message', role: 'assistant', content: [{ type: 'text', text: 'Hi.' }], stop_reason: 'end_turn', usage: { input_tokens: 12, output_tokens: 3 } },
  },
  'OpenAI’s responses': {
    kind: 'responses', text: 'Hi.', prompt: 42, cached: 20, output: 15,
    stream: named(
      { type: 'response.created', sequence_number: 0, response: { id: 'resp_1', object: 'response', status: 'in_progress', output: [], usage: null } }, { type: 'response.in_progress', sequence_number: 1, response: { object: 'response', status: 'in_progress', usage: null } },
      { type: 'response.output_item.added', output_index: 0, item: { id: 'rs_1', type: 'reasoning', summary: [], encrypted_content: 'abc' } }, { type: 'response.reasoning_summary_part.added', item_id: 'rs_1', output_index: 0, summary_index: 0, part: { type: 'summary_text', text: '' } },
      { type: 'response.reasoning_summary_text.delta', item_id: 'rs_1', output_index: 0, summary_index: 0, delta: 'Hm', obfuscation: 'Xk2' }, { type: 'response.reasoning_summary_text.done', item_id: 'rs_1', output_index: 0, summary_index: 0, text: 'Hm' },
      { type: 'response.output_item.done', output_index: 0, item: { id: 'rs_1', type: 'reasoning', summary: [{ type: 'summary_text', text: 'Hm' }], encrypted_content: 'abcd' } },
      { type: 'response.output_item.added', output_index: 1, item: { id: 'msg_1', type: 'message', status: 'in_progress', content: [], role: 'assistant', phase: 'final' } }, { type: 'response.content_part.added', item_id: 'msg_1', output_index: 1, content_index: 0, part: { type: 'output_text', text: '', annotations: [], logprobs: [] } },
      { type: 'response.output_text.delta', item_id: 'msg_1', output_index: 1, content_index: 0, delta: 'Hi', logprobs: [], obfuscation: 'aaaaaaaaaaaaaa' }, { type: 'response.output_text.delta', item_id: 'msg_1', output_index: 1, content_index: 0, delta: '.', logprobs: [], obfuscation: 'bbbbbbbbbbbbbbb' },
      { type: 'response.output_text.annotation.added', item_id: 'msg_1', output_index: 1, content_index: 0, annotation_index: 0, annotation: { type: 'url_citation', url: 'x' } }, { type: 'response.output_text.done', item_id: 'msg_1', output_index: 1, content_index: 0, text: 'Hi.' },
      { type: 'response.output_item.done', output_index: 1, item: { id: 'msg_1', type: 'message', status: 'completed', role: 'assistant', content: [{ type: 'output_text', text: 'Hi.', annotations: [] }] } },
      { type: 'response.completed', response: { object: 'response', status: 'completed', output: [], usage: { input_tokens: 42, input_tokens_details: { cached_tokens: 20 }, output_tokens: 15, output_tokens_details: { reasoning_tokens: 10 }, total_tokens: 57 } } },
    ),
    whole: {
      object: 'response', status: 'completed', error: null, incomplete_details: null, output: [{ type: 'reasoning', summary: [], encrypted_content: 'abcd' }, { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'Hi.', annotations: [] }] }],
      usage: { input_tokens: 42, input_tokens_details: { cached_tokens: 20 }, output_tokens: 15, output_tokens_details: { reasoning_tokens: 10 }, total_tokens: 57 },
    },
  },
};

const STOPS = { chat: 'stop', messages: 'end_turn', responses: 'completed' } as const;

function answers({ stream, whole: body }: Dialect): Behaviour {
  return (request) => (request.body['stream'] === true ? sendsRaw(stream) : sendsRaw(JSON.stringify(body), 'application/json'))(request);
}

let world: ReplyWorld;
beforeAll(async () => {
  world = await ReplyWorld.start();
});
afterAll(() => world.close());

it.each(Object.entries(DIALECTS))('a client of every format gets what %s sends, and pays what it reports', async (_name, dialect) => {
  const { kind, text, prompt, cached, output } = dialect;
  for (const [client, delivery, , format] of PATHS.filter((path) => path[2] === kind)) {
    world.script(`thinking-${kind}`, answers(dialect));
    const reply = await world.ask(format, delivery, `thinking-${kind}`);
    expect({ client, delivery, reply: { status: reply.status, text: reply.text, stop: reply.stop, source: reply.record?.usage.source, charged: reply.charged } }).toEqual({
      client, delivery, reply: { status: 200, text, stop: STOPS[format.name], source: 'reported', charged: expect.objectContaining({ prompt, cached, output }) },
    });
  }
});
