import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import type { JsonObject, JsonValue } from '@tollgate/core';
import { answersStatus, type RecordedRequest, replies, wantsStream } from '@tollgate/testkit';
import { AcceptanceWorld } from './support/acceptance-world.js';
import { CHAT, DELIVERIES, figuresOf, type Format, FORMATS, MESSAGES, RESPONSES } from './support/formats.js';

const MODELS = [{ id: 'llama-3', object: 'model', max_model_len: 32_000 }, { id: 'makers/qwen', object: 'model' }];
const KEY = 'the-upstream-key';
const USAGE: JsonObject = { prompt_tokens: 30, completion_tokens: 6, total_tokens: 36, prompt_tokens_details: { cached_tokens: 4 } };

let world: AcceptanceWorld;
beforeAll(async () => {
  world = await AcceptanceWorld.start({
    upstream: { models: MODELS },
    environment: ({ baseUrl }) => ({ UPSTREAM_BASE_URL: baseUrl, UPSTREAM_API_KEY: KEY }),
  });
  world.upstream.always('*', replies({ text: ['Good ', 'day.'], usage: USAGE }));
});
afterEach(() => {
  world.upstream.requests.length = 0;
});
afterAll(() => world.close());

function lastRequest(): RecordedRequest {
  const request = world.upstream.requests.at(-1);
  if (request === undefined) throw new Error('the upstream was asked for nothing');
  return request;
}

it('the gateway asks the upstream for its models at the start, with the configured key', () => {
  const [first] = world.upstream.requests;
  expect(first).toMatchObject({ method: 'GET', path: '/v1/models', headers: { authorization: `Bearer ${KEY}` } });
});

it('the gateway lists the upstream’s models, each under its own id', async () => {
  const { data } = (await world.get('/v1/models')) as { data: JsonObject[] };
  expect(data.map(({ id, context_window: window }) => [id, window])).toEqual([['llama-3', 32_000], ['makers/qwen', 128_000]]);
  expect(await world.get('/v1/models/makers/qwen')).toMatchObject({ id: 'makers/qwen', object: 'model', type: 'model' });
});

describe.each(FORMATS)('in the $name format', (format) => {
  describe.each(MODELS)('the model $id', ({ id }) => {
    it.each(DELIVERIES)('serves a %s reply and charges the usage that the upstream reports', async (delivery) => {
      const reply = await world.post(format.path, format.body(id, 'Greet me.', { stream: delivery === 'stream' }));
      const { text, figures } = delivery === 'stream'
        ? format.readStream(await reply.text())
        : format.readWhole((await reply.json()) as JsonObject);
      // 26 × 0.0005 + 4 × 0.00005 + 6 × 0.0015: the default price of models whose server states none.
      expect([text, figures]).toEqual(['Good day.', { debited: '0.0222', usd: '0.0000222', prompt: 30, cached: 4, output: 6 }]);
      expect(reply.headers.get('x-svc-model')).toBe(id);
      const record = await world.recordOf(reply);
      expect(record === null ? null : figuresOf(record)).toEqual(figures);
      expect(lastRequest().body['model']).toBe(id);
    });
  });
});

/** The same conversation in each format, with every kind of turn. */
const CONVERSATION: ReadonlyMap<Format, JsonObject> = new Map([
  [CHAT, {
    messages: [
      { role: 'system', content: 'Be brief.' },
      { role: 'user', content: [{ type: 'text', text: 'What is this?' }, { type: 'image_url', image_url: { url: 'https://example.com/a.png' } }] },
      {
        role: 'assistant', content: 'Let me look.',
        tool_calls: [
          { id: 'call_a', type: 'function', function: { name: 'look', arguments: '{"at":"left"}' } },
          { id: 'call_b', type: 'function', function: { name: 'look', arguments: '{"at":"right"}' } },
        ],
      },
      { role: 'tool', tool_call_id: 'call_a', content: 'A cat.' },
      { role: 'tool', tool_call_id: 'call_b', content: 'A dog.' },
      { role: 'user', content: 'Which is larger?' },
    ],
    tools: [{ type: 'function', function: { name: 'look', description: 'Looks.', parameters: { type: 'object', properties: { at: { type: 'string' } } } } }],
    tool_choice: 'auto',
    stop: ['END'],
    temperature: 0.5,
    top_p: 0.9,
    user: 'the-client-user',
  }],
  [MESSAGES, {
    system: [{ type: 'text', text: 'Be brief.', cache_control: { type: 'ephemeral' } }],
    messages: [
      { role: 'user', content: [{ type: 'text', text: 'What is this?' }, { type: 'image', source: { type: 'url', url: 'https://example.com/a.png' } }] },
      {
        role: 'assistant',
        content: [
          { type: 'text', text: 'Let me look.' },
          { type: 'tool_use', id: 'call_a', name: 'look', input: { at: 'left' } },
          { type: 'tool_use', id: 'call_b', name: 'look', input: { at: 'right' } },
        ],
      },
      {
        role: 'user',
        content: [
          { type: 'tool_result', tool_use_id: 'call_a', content: 'A cat.' },
          { type: 'tool_result', tool_use_id: 'call_b', content: [{ type: 'text', text: 'A dog.' }] },
          { type: 'text', text: 'Which is larger?' },
        ],
      },
    ],
    tools: [{ name: 'look', description: 'Looks.', input_schema: { type: 'object', properties: { at: { type: 'string' } } } }],
    tool_choice: { type: 'auto' },
    stop_sequences: ['END'],
    temperature: 0.5,
    top_p: 0.9,
    metadata: { user_id: 'the-client-user' },
  }],
  [RESPONSES, {
    instructions: 'Be brief.',
    input: [
      { role: 'user', content: [{ type: 'input_text', text: 'What is this?' }, { type: 'input_image', image_url: 'https://example.com/a.png' }] },
      { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'Let me look.', annotations: [] }] },
      { type: 'function_call', call_id: 'call_a', name: 'look', arguments: '{"at":"left"}' },
      { type: 'function_call', call_id: 'call_b', name: 'look', arguments: '{"at":"right"}' },
      { type: 'function_call_output', call_id: 'call_a', output: 'A cat.' },
      { type: 'function_call_output', call_id: 'call_b', output: [{ type: 'input_text', text: 'A dog.' }] },
      { role: 'user', content: 'Which is larger?' },
    ],
    tools: [{ type: 'function', name: 'look', description: 'Looks.', parameters: { type: 'object', properties: { at: { type: 'string' } } } }],
    tool_choice: 'auto',
    temperature: 0.5,
    top_p: 0.9,
    user: 'the-client-user',
    metadata: { trace: 'the-client-user' },
  }],
]);

/** The request that the upstream receives, whatever the client's format. */
const SENT_UPSTREAM: JsonObject = {
  model: 'llama-3',
  messages: [
    { role: 'system', content: 'Be brief.' },
    { role: 'user', content: [{ type: 'text', text: 'What is this?' }, { type: 'image_url', image_url: { url: 'https://example.com/a.png' } }] },
    {
      role: 'assistant', content: 'Let me look.', reasoning_content: '',
      tool_calls: [
        { id: 'call_a', type: 'function', function: { name: 'look', arguments: '{"at":"left"}' } },
        { id: 'call_b', type: 'function', function: { name: 'look', arguments: '{"at":"right"}' } },
      ],
    },
    { role: 'tool', tool_call_id: 'call_a', content: 'A cat.' },
    { role: 'tool', tool_call_id: 'call_b', content: 'A dog.' },
    { role: 'user', content: 'Which is larger?' },
  ],
  max_tokens: 77,
  temperature: 0.5,
  top_p: 0.9,
  stop: ['END'],
  tools: [{ type: 'function', function: { name: 'look', description: 'Looks.', parameters: { type: 'object', properties: { at: { type: 'string' } } } } }],
  tool_choice: 'auto',
};

describe.each(FORMATS)('a request in the $name format, as the upstream receives it,', (format) => {
  it.each(DELIVERIES)('has the conversation, without data that concern only the gateway or the client, for a %s reply', async (delivery) => {
    const streamed = delivery === 'stream';
    const reply = await world.post(format.path, { model: 'llama-3', [format.outputField]: 77, stream: streamed, ...CONVERSATION.get(format) });
    expect(reply.status).toBe(200);
    const raw = await reply.text();
    if (streamed) format.readStream(raw);
    const { method, path, headers, body, rawBody } = lastRequest();
    expect([method, path]).toEqual(['POST', '/v1/chat/completions']);
    // Thinking is opt-in in the messages format, so the gateway tells the upstream to turn it off.
    const reasoning = format === MESSAGES ? { reasoning_effort: 'none' } : {};
    // The responses format has no stop sequences.
    const { stop, ...sent } = SENT_UPSTREAM;
    expect(body).toEqual({ ...sent, ...(format === RESPONSES ? {} : { stop }), ...reasoning, stream: streamed, ...(streamed ? { stream_options: { include_usage: true } } : {}) });
    expect(headers).toMatchObject({
      'authorization': `Bearer ${KEY}`, 'content-type': 'application/json', 'accept': streamed ? 'text/event-stream' : 'application/json',
      'x-request-id': reply.headers.get('x-request-id'),
    });
    expect(Object.keys(headers).toSorted()).toEqual([
      'accept', 'authorization', 'connection', 'content-length', 'content-type', 'host', 'user-agent', 'x-request-id',
    ]);
    for (const secret of [world.caller.key, 'svc_', 'the-client-user', 'cache_control', world.caller.account.id]) {
      expect(`${rawBody}${JSON.stringify(headers)}`).not.toContain(secret);
    }
  });

  it.each<readonly [asked: JsonValue | undefined, sent: number, streamed: boolean]>([
    [9, 9, false],
    [4096, 4096, false],
    // A reply that may outgrow its reservation is read as a stream, so that it can be stopped; 16,384 is the model's maximum output.
    [5000, 5000, true],
    [20_000, 16_384, true],
  ])('contains at most %s output tokens as %s, and streams if that exceeds the reservation', async (asked, sent, streamed) => {
    const reply = await world.post(format.path, format.body('llama-3', 'Hi', { max_tokens: asked }));
    expect(format.readWhole((await reply.json()) as JsonObject).text).toBe('Good day.');
    expect([lastRequest().body['max_tokens'], wantsStream(lastRequest())]).toEqual([sent, streamed]);
  });
});

it('if the upstream rejects the key, requests are refused with 503, without the key or the upstream’s address', async () => {
  world.upstream.script('llama-3', answersStatus(401, { error: { message: `bad key ${KEY}` } }));
  const reply = await world.post('/v1/messages', MESSAGES.body('llama-3', 'Hi'));
  const text = await reply.text();
  expect([reply.status, JSON.parse(text)]).toEqual([503, expect.objectContaining({ error: expect.objectContaining({ code: 'provider_unavailable' }) })]);
  for (const secret of [KEY, new URL(world.upstream.origin).port, 'bad key']) expect(text).not.toContain(secret);
});

it('an audit of the ledger finds no differences afterwards', async () => {
  expect(await world.differences()).toEqual([]);
});
