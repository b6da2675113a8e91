import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ManualClock, SequentialIds, StaticCatalogue } from '@tollgate/adapters-memory';
import { UpstreamRouter } from '@tollgate/adapters-upstream';
import type { JsonObject } from '@tollgate/core';
import {
  answersStatus, breaksAfter, replies, type ScriptedReply, type ScriptedUpstream, sendsRaw, startScriptedUpstream,
} from '@tollgate/testkit';
import { startTestGateway, type TestGateway } from '../src/test-support/start-test-gateway.js';
import { aModel, testCatalogue } from '../src/test-support/test-catalogue.js';
import { type ClientFormat, FORMAT_PAIRS, type ReceivedReply, UPSTREAMS } from './support/client-formats.js';

const PNG = 'iVBORw0KGgo=';
const SCHEMA = '{"type":"object","properties":{"2":{"default":1.0},"1":{"maximum":12345678901234567890},"é":{"enum":["漢","\\ud83d\\ude00"]}}}';
const ARGUMENTS = '{"2":1.0,"1":12345678901234567890,"é":"漢"}';

/** Bodies, by format, with instructions, an image, thinking, a text with two calls, their two results, and a question. */
const CONVERSATIONS: Readonly<Record<ClientFormat['name'], string>> = {
  chat: `{
    "messages": [
      {"role": "system", "content": "Be brief."},
      {"role": "user", "content": [{"type": "text", "text": "What is this?"}, {"type": "image_url", "image_url": {"url": "data:image/png;base64,${PNG}"}}]},
      {"role": "assistant", "reasoning_content": "Hm.", "content": "Let me look.", "tool_calls": [
        {"id": "c1", "type": "function", "function": {"name": "look", "arguments": ${JSON.stringify(ARGUMENTS)}}},
        {"id": "c2", "type": "function", "function": {"name": "look", "arguments": ""}}]},
      {"role": "tool", "tool_call_id": "c1", "content": "A cat."},
      {"role": "tool", "tool_call_id": "c2", "content": "Nothing."},
      {"role": "user", "content": "So?"}
    ],
    "tools": [{"type": "function", "function": {"name": "look", "description": "Looks.", "parameters": ${SCHEMA}}}],
    "tool_choice": "required", "parallel_tool_calls": false, "stop": "END", "temperature": 0.5`,
  messages: `{
    "system": "Be brief.",
    "messages": [
      {"role": "user", "content": [{"type": "text", "text": "What is this?"}, {"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": "${PNG}"}}]},
      {"role": "assistant", "content": [
        {"type": "thinking", "thinking": "Hm.", "signature": "theirs"}, {"type": "text", "text": "Let me look."},
        {"type": "tool_use", "id": "c1", "name": "look", "input": ${ARGUMENTS}}, {"type": "tool_use", "id": "c2", "name": "look", "input": {}}]},
      {"role": "user", "content": [
        {"type": "text", "text": "So?"}, {"type": "tool_result", "tool_use_id": "c1", "content": "A cat."},
        {"type": "tool_result", "tool_use_id": "c2", "content": "Nothing."}]}
    ],
    "tools": [{"name": "look", "description": "Looks.", "input_schema": ${SCHEMA}}],
    "tool_choice": {"type": "any", "disable_parallel_tool_use": true}, "stop_sequences": ["END"], "temperature": 0.5`,
  responses: `{
    "instructions": "Be brief.",
    "input": [
      {"role": "user", "content": [{"type": "input_text", "text": "What is this?"}, {"type": "input_image", "image_url": "data:image/png;base64,${PNG}"}]},
      {"type": "reasoning", "summary": [{"type": "summary_text", "text": "Hm."}], "content": null, "encrypted_content": null},
      {"role": "assistant", "content": [{"type": "output_text", "text": "Let me look."}]},
      {"type": "function_call", "call_id": "c1", "name": "look", "arguments": ${JSON.stringify(ARGUMENTS)}},
      {"type": "function_call", "call_id": "c2", "name": "look", "arguments": ""},
      {"type": "function_call_output", "call_id": "c1", "output": "A cat."},
      {"type": "function_call_output", "call_id": "c2", "output": "Nothing."},
      {"role": "user", "content": "So?"}
    ],
    "tools": [{"type": "function", "name": "look", "description": "Looks.", "parameters": ${SCHEMA}}],
    "tool_choice": "required", "parallel_tool_calls": false, "temperature": 0.5`,
};

const openaiCall = (id: string, args: string) => ({ id, type: 'function', function: { name: 'look', arguments: args } });
const text = (words: string) => ({ type: 'text', text: words });

/** The request that each kind of upstream receives. */
const EXPECTED: Readonly<Record<keyof typeof UPSTREAMS, (client: ClientFormat) => JsonObject>> = {
  openai: ({ name }) => ({
    // Thinking is opt-in in the messages format, so the gateway tells the upstream to turn it off.
    ...(name === 'messages' ? { reasoning_effort: 'none' } : {}),
    ...(name === 'responses' ? {} : { stop: ['END'] }),
    model: 'thinker', stream: false, max_tokens: 100, temperature: 0.5, tool_choice: 'required', parallel_tool_calls: false,
    messages: [
      { role: 'system', content: 'Be brief.' },
      { role: 'user', content: [text('What is this?'), { type: 'image_url', image_url: { url: `data:image/png;base64,${PNG}` } }] },
      { role: 'assistant', content: 'Let me look.', reasoning_content: 'Hm.', tool_calls: [openaiCall('c1', ARGUMENTS), openaiCall('c2', '{}')] },
      { role: 'tool', tool_call_id: 'c1', content: 'A cat.' },
      { role: 'tool', tool_call_id: 'c2', content: 'Nothing.' },
      { role: 'user', content: 'So?' },
    ],
    tools: [{ type: 'function', function: { name: 'look', description: 'Looks.', parameters: JSON.parse(SCHEMA) as JsonObject } }],
  }),
  anthropic: ({ name }) => ({
    ...(name === 'messages' ? { thinking: { type: 'disabled' } } : {}),
    ...(name === 'responses' ? {} : { stop_sequences: ['END'] }),
    model: 'thinker', stream: false, max_tokens: 100, temperature: 0.5, tool_choice: { type: 'any', disable_parallel_tool_use: true },
    system: 'Be brief.',
    messages: [
      { role: 'user', content: [text('What is this?'), { type: 'image', source: { type: 'base64', media_type: 'image/png', data: PNG } }] },
      { role: 'assistant', content: [
        // This upstream checks signatures, and only a messages client sends its thinking with one; unsigned thinking is not sent.
        ...(name === 'messages' ? [{ type: 'thinking', thinking: 'Hm.', signature: 'theirs' }] : []),
        text('Let me look.'),
        { type: 'tool_use', id: 'c1', name: 'look', input: JSON.parse(ARGUMENTS) as JsonObject }, { type: 'tool_use', id: 'c2', name: 'look', input: {} },
      ] },
      { role: 'user', content: [
        { type: 'tool_result', tool_use_id: 'c1', content: [text('A cat.')] }, { type: 'tool_result', tool_use_id: 'c2', content: [text('Nothing.')] }, text('So?'),
      ] },
    ],
    tools: [{ name: 'look', description: 'Looks.', input_schema: JSON.parse(SCHEMA) as JsonObject }],
  }),
  // The responses format has no stop sequences.
  responses: ({ name }) => ({
    ...(name === 'messages' ? { reasoning: { effort: 'none' } } : {}),
    model: 'thinker', stream: false, store: false, include: ['reasoning.encrypted_content'], max_output_tokens: 100, temperature: 0.5, tool_choice: 'required', parallel_tool_calls: false,
    instructions: 'Be brief.',
    input: [
      { type: 'message', role: 'user', content: [{ type: 'input_text', text: 'What is this?' }, { type: 'input_image', image_url: `data:image/png;base64,${PNG}`, detail: 'auto' }] },
      // Thinking is not sent, because it has another vendor's signature or none.
      { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'Let me look.' }] },
      { type: 'function_call', call_id: 'c1', name: 'look', arguments: ARGUMENTS },
      { type: 'function_call', call_id: 'c2', name: 'look', arguments: '{}' },
      { type: 'function_call_output', call_id: 'c1', output: 'A cat.' },
      { type: 'function_call_output', call_id: 'c2', output: 'Nothing.' },
      { type: 'message', role: 'user', content: [{ type: 'input_text', text: 'So?' }] },
    ],
    tools: [{ type: 'function', name: 'look', description: 'Looks.', parameters: JSON.parse(SCHEMA) as JsonObject, strict: false }],
  }),
};

/** A reply of each kind of upstream that calls a tool. */
const CALLING: Readonly<Record<keyof typeof UPSTREAMS, (input: string) => string>> = {
  openai: (input) => `{"choices":[{"message":{"tool_calls":[{"id":"c1","function":{"name":"look","arguments":${input}}}]},"finish_reason":"tool_calls"}]}`,
  anthropic: (input) => `{"type":"message","content":[{"type":"tool_use","id":"c1","name":"look","input":${input}}],"stop_reason":"tool_use"}`,
  responses: (input) => `{"object":"response","status":"completed","output":[{"type":"function_call","call_id":"c1","name":"look","arguments":${input}}]}`,
};

const USAGE = { prompt_tokens: 20, completion_tokens: 9, total_tokens: 29, prompt_tokens_details: { cached_tokens: 5 } };
const TOKENS = { prompt: 20, cached: 5, output: 9 };

describe.each(FORMAT_PAIRS)('the gateway, between a client of the %s format and an upstream of kind %s,', (_name, kind, client) => {
  let upstream: ScriptedUpstream;
  let gateway: TestGateway;
  let router: UpstreamRouter;

  beforeAll(async () => {
    upstream = await startScriptedUpstream();
    router = new UpstreamRouter([UPSTREAMS[kind](upstream)], { clock: new ManualClock(), ids: new SequentialIds() });
    const catalogue = testCatalogue({ requestsPerMinute: 1_000, concurrentRequests: 100 });
    gateway = await startTestGateway({
      limits: { requestsPerMinute: 1_000 },
      services: { provider: router, catalogue: new StaticCatalogue({ ...catalogue, models: [...catalogue.models, aModel('thinker', { reasoning: true })] }) },
    });
  });
  afterAll(async () => {
    await gateway.close();
    await upstream.close();
    await router.close();
  });

  /** Sends a body that begins with `more`. */
  async function ask(stream: boolean, more = client.least): Promise<{ readonly status: number; readonly body: string }> {
    const reply = await gateway.fetch(client.path, { method: 'POST', body: `${more}, "model": "thinker", "${client.outputField}": 100, "stream": ${stream} }` });
    return { status: reply.status, body: await reply.text() };
  }

  it.each<[string, ScriptedReply, Omit<ReceivedReply, 'stop' | 'tokens'>, 'end' | 'tool-call' | 'max-tokens']>([
    ['text', { text: ['Hel', 'lo ', '漢😀'] }, { thinking: '', text: 'Hello 漢😀', calls: [] }, 'end'],
    ['text that is cut off', { text: ['Hel'], finishReason: 'length' }, { thinking: '', text: 'Hel', calls: [] }, 'max-tokens'],
    ['reasoning', { reasoning: ['Let me ', 'see.'], text: ['a'] }, { thinking: 'Let me see.', text: 'a', calls: [] }, 'end'],
    ['a tool call', { toolCalls: [{ id: 'c1', name: 'f', arguments: ['{"a"', ':"é"}'] }] }, { thinking: '', text: '', calls: [{ id: 'c1', name: 'f', input: '{"a":"é"}' }] }, 'tool-call'],
    ['a tool call without arguments', { toolCalls: [{ id: 'c1', name: 'f', arguments: '' }] }, { thinking: '', text: '', calls: [{ id: 'c1', name: 'f', input: '{}' }] }, 'tool-call'],
    ['reasoning, text and two parallel calls',
      { reasoning: 'Hm', text: 'Both.', toolCallOrder: 'interleaved', toolCalls: [{ id: 'c1', name: 'f', arguments: ['{"a"', ':1}'] }, { id: 'c2', name: 'g', arguments: ['{"b"', ':2}'] }] },
      { thinking: 'Hm', text: 'Both.', calls: [{ id: 'c1', name: 'f', input: '{"a":1}' }, { id: 'c2', name: 'g', input: '{"b":2}' }] }, 'tool-call'],
  ])('relays %s, whole and streamed', async (_what, ...[reply, received, stop]) => {
    upstream.script('thinker', replies({ ...reply, usage: USAGE }), replies({ ...reply, usage: USAGE }));
    const expected = { ...received, stop: client.stops[stop], tokens: TOKENS };
    expect(client.readWhole((await ask(false)).body)).toEqual(expected);
    expect(client.readStream((await ask(true)).body)).toEqual(expected);
  });

  it('translates a conversation with instructions, an image, thinking, two calls and their results', async () => {
    await ask(false, CONVERSATIONS[client.name]);
    const request = upstream.requests.at(-1);
    expect(request?.body).toEqual(EXPECTED[kind](client));
  });

  it('preserves numbers and the order of keys in schemas and arguments, in both directions', async () => {
    const input = kind === 'anthropic' ? ARGUMENTS : JSON.stringify(ARGUMENTS);
    upstream.script('thinker', sendsRaw(CALLING[kind](input), 'application/json'), replies({ toolCalls: [{ id: 'c1', name: 'look', arguments: [ARGUMENTS.slice(0, 9), ARGUMENTS.slice(9)] }] }));
    const { body } = await ask(false, CONVERSATIONS[client.name]);
    const sent = upstream.requests.at(-1)?.rawBody ?? '';
    expect(sent).toContain(SCHEMA);
    expect(sent).toContain(input);
    expect(body).toContain(client.name === 'messages' ? `"input":${ARGUMENTS}` : JSON.stringify(ARGUMENTS));
    expect(client.readStream((await ask(true)).body).calls[0]?.input).toBe(ARGUMENTS);
  });

  it('ends an interrupted stream with an error', async () => {
    upstream.script('thinker', breaksAfter(5, { error: { type: 'api_error', message: 'secret of the upstream' } }));
    const { status, body } = await ask(true);
    expect(status).toBe(200);
    expect(client.errorOf(body)).toMatchObject({ code: 'provider_unavailable', type: 'overloaded_error' });
    expect(body).not.toContain('secret');
  });

  it.each([[429, 503, 'provider_unavailable'], [529, 503, 'provider_unavailable'], [400, 400, 'invalid_request']])('translates status %d of the upstream to %d and %s', async (said, status, code) => {
    upstream.always('thinker', answersStatus(said));
    const answer = await ask(true);
    expect(answer.status).toBe(status);
    expect(JSON.parse(answer.body)).toMatchObject({ error: { code } });
  });
});
