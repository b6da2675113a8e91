import type { JsonObject } from '@tollgate/core';

const PNG = 'iVBORw0KGgo=';
const SCHEMA: JsonObject = {
  type: 'object', properties: { city: { type: 'string', minLength: 1 }, days: { type: 'integer', minimum: 1, maximum: 14 } }, required: ['city'], additionalProperties: false,
};

const CHAT_CONVERSATION: readonly JsonObject[] = [
  { role: 'system', content: 'Be brief.' },
  { role: 'user', content: [{ type: 'text', text: 'What is this?' }, { type: 'image_url', image_url: { url: `data:image/png;base64,${PNG}`, detail: 'low' } }] },
  {
    role: 'assistant', content: null, reasoning_content: 'I had better look.',
    tool_calls: [
      { id: 'call_1', type: 'function', function: { name: 'weather', arguments: '{"city":"Turin"}' } },
      { id: 'call_2', type: 'function', function: { name: 'weather', arguments: '{"city":"Rome","days":3}' } },
    ],
  },
  { role: 'tool', tool_call_id: 'call_1', content: 'Rain' },
  { role: 'tool', tool_call_id: 'call_2', content: [{ type: 'text', text: 'Sun' }] },
  { role: 'developer', content: 'Answer in French.' },
  { role: 'user', content: 'And now?' },
];

const MESSAGES_CONVERSATION: readonly JsonObject[] = [
  { role: 'user', content: [{ type: 'text', text: 'What is this?' }, { type: 'image', source: { type: 'base64', media_type: 'image/png', data: PNG } }] },
  {
    role: 'assistant',
    content: [
      { type: 'thinking', thinking: 'I had better look.', signature: 'c2lnbmVk' },
      { type: 'text', text: 'Let me see.' },
      { type: 'tool_use', id: 'toolu_1', name: 'weather', input: { city: 'Turin' } },
      { type: 'tool_use', id: 'toolu_2', name: 'weather', input: {} },
    ],
  },
  {
    role: 'user',
    content: [
      { type: 'tool_result', tool_use_id: 'toolu_1', content: [{ type: 'text', text: 'Rain' }, { type: 'image', source: { type: 'url', url: 'https://example.test/map.png' } }] },
      { type: 'tool_result', tool_use_id: 'toolu_2', content: 'no city given', is_error: true },
      { type: 'text', text: 'So?', cache_control: { type: 'ephemeral' } },
    ],
  },
  { role: 'system', content: 'Answer in French.' },
];

const RESPONSES_CONVERSATION: readonly JsonObject[] = [
  { type: 'additional_tools', role: 'developer', tools: [responsesTool('moon')] },
  { type: 'message', role: 'developer', content: [{ type: 'input_text', text: 'Be brief.' }] },
  { role: 'user', content: [{ type: 'input_text', text: 'What is this?' }, { type: 'input_image', image_url: `data:image/png;base64,${PNG}`, detail: 'original' }] },
  { type: 'reasoning', id: 'rs_1', summary: [{ type: 'summary_text', text: 'I had better look.' }], content: null, encrypted_content: 'v1.k.n.c' },
  { type: 'message', role: 'assistant', status: 'completed', id: 'msg_1', content: [{ type: 'output_text', text: 'Let me see.', annotations: [] }], phase: 'commentary' },
  { type: 'function_call', id: 'fc_1', call_id: 'call_1', name: 'weather', arguments: '{"city":"Turin"}' },
  { type: 'function_call', call_id: 'call_2', name: 'wait', namespace: 'clock', arguments: '' },
  { type: 'custom_tool_call', call_id: 'call_3', name: 'apply_patch', input: '*** Begin Patch' },
  { type: 'tool_search_call', call_id: 'call_4', execution: 'client', arguments: { query: 'tides' } },
  { type: 'function_call_output', call_id: 'call_1', output: 'Rain' },
  { type: 'function_call_output', call_id: 'call_2', output: [{ type: 'input_text', text: 'Sun' }, { type: 'input_image', image_url: 'https://example.test/map.png' }] },
  { type: 'custom_tool_call_output', call_id: 'call_3', output: 'Done!' },
  { type: 'tool_search_output', call_id: 'call_4', execution: 'client', tools: [{ type: 'namespace', name: 'sea', description: 'The sea.', tools: [responsesTool('tides')] }] },
  { type: 'web_search_call', id: 'ws_1', status: 'completed' },
  { role: 'system', content: 'Answer in French.' },
  { role: 'user', content: 'And now?' },
];

function responsesTool(name: string): JsonObject {
  return { type: 'function', name, description: 'Tells the weather.', parameters: SCHEMA, strict: false };
}

function chatTool(name: string): JsonObject {
  return { type: 'function', function: { name, description: 'Tells the weather.', parameters: SCHEMA } };
}

function messagesTool(name: string): JsonObject {
  return { name, description: 'Tells the weather.', input_schema: SCHEMA };
}

/** Copies each body for the model `by-openai` to every kind of upstream. */
function servedByAll(bodies: readonly JsonObject[]): readonly JsonObject[] {
  return bodies.flatMap((body) => (body['model'] === 'by-openai' ? ['by-openai', 'by-anthropic', 'by-responses'].map((model) => ({ ...body, model })) : [body]));
}

export const VALID_CHAT_BODIES: readonly JsonObject[] = servedByAll([
  { model: 'sandboxed', messages: [{ role: 'user', content: 'Hello' }] },
  { model: 'gpt-4o', messages: [{ role: 'user', content: 'Hello' }] },
  { model: 'by-openai', stream: true, messages: [{ role: 'user', content: 'Hello' }] },
  { model: 'by-openai', messages: CHAT_CONVERSATION, tools: [chatTool('weather')], max_tokens: 50 },
  {
    model: 'by-openai', messages: CHAT_CONVERSATION, tools: [chatTool('weather'), chatTool('tides')], tool_choice: { type: 'function', function: { name: 'tides' } },
    parallel_tool_calls: false, stream: true, stream_options: { include_usage: false }, max_completion_tokens: 60, temperature: 1.5, top_p: 0.9,
    frequency_penalty: -1, presence_penalty: 1, stop: ['a', 'b', 'c', 'd', 'e'], response_format: { type: 'json_object' }, reasoning_effort: 'medium',
    thinking: { type: 'enabled' }, user: 'user-1', n: 1, seed: 7, logprobs: true, metadata: { a: 'b' }, store: false,
  },
  {
    model: 'sandboxed', stream: true, messages: [{ role: 'user', content: 'Weather? [[tools:2]]' }], tools: [chatTool('weather')], tool_choice: 'required', stop: 'x',
    response_format: { type: 'json_schema', json_schema: { name: 'a', schema: SCHEMA } },
  },
]);

export const VALID_MESSAGES_BODIES: readonly JsonObject[] = servedByAll([
  { model: 'sandboxed', max_tokens: 50, messages: [{ role: 'user', content: 'Hello' }] },
  { model: 'by-openai', max_tokens: 50, stream: true, messages: [{ role: 'user', content: 'Hello' }] },
  { model: 'by-openai', max_tokens: 50, messages: MESSAGES_CONVERSATION, tools: [messagesTool('weather')] },
  {
    model: 'by-openai', max_tokens: 2_000, stream: true, messages: MESSAGES_CONVERSATION,
    system: [{ type: 'text', text: 'x-anthropic-billing-header: v=1' }, { type: 'text', text: 'Be brief.', cache_control: { type: 'ephemeral' } }],
    tools: [messagesTool('weather'), { type: 'custom', ...messagesTool('tides'), defer_loading: true }, { type: 'web_search_20250305', name: 'web_search' }],
    tool_choice: { type: 'tool', name: 'tides', disable_parallel_tool_use: true }, temperature: 0.5, top_p: 0.9, top_k: 5, stop_sequences: ['a', 'b', 'c', 'd', 'e'],
    thinking: { type: 'enabled', budget_tokens: 1_024 }, output_config: { effort: 'high' }, metadata: { user_id: 'user-1' },
    context_management: { edits: [{ type: 'clear_thinking_20251015' }] },
  },
  {
    model: 'sandboxed', max_tokens: 40, stream: true, system: 'Be brief.', messages: [{ role: 'user', content: 'Weather? [[tools:2]]' }],
    tools: [messagesTool('weather')], tool_choice: { type: 'any' }, thinking: { type: 'adaptive', display: 'omitted' },
  },
]);

/** Some bodies refer to stored responses. */
export const VALID_RESPONSES_BODIES: readonly JsonObject[] = servedByAll([
  { model: 'sandboxed', input: 'Hello' },
  { model: 'by-openai', stream: true, input: 'Hello', store: false },
  { model: 'by-openai', input: RESPONSES_CONVERSATION, tools: [responsesTool('weather')], max_output_tokens: 50 },
  { model: 'by-openai', input: [{ role: 'user', content: 'So?' }], previous_response_id: 'resp_fuzzfirst' },
  {
    model: 'by-openai', stream: true, previous_response_id: 'resp_fuzzsecond',
    input: [{ type: 'custom_tool_call_output', call_id: 'call_g', output: 'Done!' }, { type: 'item_reference', id: 'rs_fuzzfirst_0' }],
  },
  { model: 'by-openai', input: [{ role: 'user', content: 'Hi' }, { id: 'rs_fuzzfirst_0' }, { type: 'item_reference', id: 'msg_fuzzsecond_0' }, { role: 'user', content: 'So?' }] },
  {
    model: 'by-openai', input: RESPONSES_CONVERSATION, instructions: 'Be brief.', stream: true, max_output_tokens: 2_000, store: true,
    tools: [
      responsesTool('weather'), { type: 'custom', name: 'apply_patch', format: { type: 'grammar', syntax: 'lark', definition: 'start: "a"' } }, { type: 'web_search' },
      { type: 'namespace', name: 'clock', description: 'Time.', tools: [responsesTool('wait'), { type: 'custom', name: 'exec' }] },
      { type: 'tool_search', execution: 'client', description: 'Finds tools.', parameters: SCHEMA },
    ],
    tool_choice: { type: 'allowed_tools', mode: 'auto', tools: [{ type: 'function', name: 'weather' }, { type: 'custom', name: 'apply_patch' }] }, parallel_tool_calls: false,
    reasoning: { effort: 'medium', summary: 'auto' }, include: ['reasoning.encrypted_content'], text: { format: { type: 'json_schema', name: 'a', schema: SCHEMA }, verbosity: 'low' },
    temperature: 1.5, top_p: 0.9, user: 'user-1', safety_identifier: 'user-2', metadata: { a: 'b' }, prompt_cache_key: 'c', truncation: 'disabled', service_tier: 'priority',
    conversation: null, background: false, prompt: null, client_metadata: { a: 'b' }, stream_options: { include_obfuscation: false }, top_logprobs: 0, max_tool_calls: 3,
  },
  {
    model: 'sandboxed', stream: true, input: 'Weather? [[tools:2]]', tools: [responsesTool('weather')], tool_choice: 'required',
    reasoning: { effort: 'high', summary: null }, text: { format: { type: 'json_object' } },
  },
]);
