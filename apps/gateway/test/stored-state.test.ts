import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import Anthropic from '@anthropic-ai/sdk';
import { REFUSED_FIELDS, REFUSED_RESPONSES_FIELDS } from '@tollgate/wire-kit';
import { replies } from '@tollgate/testkit';
import { CLIENT_FORMATS, type ClientFormat, DELIVERIES, KINDS, PATHS, UpstreamWorld } from './support/upstream-world.js';

const TURN = { role: 'user' as const, content: 'What is the weather in Paris?' };
const LEAST = {
  chat: { model: 'u0', messages: [TURN] }, messages: { model: 'u0', max_tokens: 100, messages: [TURN] }, responses: { model: 'u0', input: [TURN] },
};

let world: UpstreamWorld;
afterEach(() => world.close());

describe.each(CLIENT_FORMATS.flatMap((format) => DELIVERIES.map((stream) => [format, stream] as const)))('a request of the %s format, streamed: %p,', (format, stream) => {
  beforeEach(async () => {
    world = await UpstreamWorld.start([{ kind: 'openai' }]);
    world.upstream().always('*', replies({ text: 'a' }));
  });

  const post = (fields: object) => world.gateway.post(PATHS[format], { ...LEAST[format], ...fields, stream });
  const refused = format === 'responses' ? REFUSED_RESPONSES_FIELDS : REFUSED_FIELDS;

  it.each([[{ type: 'create' }], [{ type: 'continue', previous_message_id: 'msg_1' }]])('with the state of a thread (%p) is refused without charge, with the message that SDKs recover from', async (thread) => {
    const reply = await post({ thread });
    expect(reply.status).toBe(400);
    expect(await reply.json()).toMatchObject({ error: {
      type: 'invalid_request_error', code: 'invalid_request', message: expect.stringContaining("'thread'"), details: { error_code: 'thread_unsupported_request', unsupported: ['thread'] },
    } });
    expect(world.upstream().requests).toEqual([]);
  });

  it('that refers to a vendor’s storage is refused, and the field is named', async () => {
    for (const field of refused.keys()) {
      const reply = await post({ [field]: field === 'background' ? true : { id: 'stored_1' } });
      const body = await reply.json() as { readonly error: { readonly message: string } };
      expect([reply.status, body.error.message]).toEqual([400, expect.stringContaining(`'${field}'`)]);
    }
  });

  it('with null or false in the fields for stored state is served', async () => {
    for (const nothing of [null, false]) {
      const fields = Object.fromEntries(['thread', ...refused.keys()].filter((name) => name !== 'previous_response_id').map((name) => [name, nothing]));
      expect((await post(fields)).status).toBe(200);
    }
  });
});

describe('counting tokens with the state of a thread', () => {
  it.each([['messages', '/v1/messages/count_tokens'], ['responses', '/v1/responses/input_tokens']] as const)('is refused in the %s format', async (format: ClientFormat, path) => {
    world = await UpstreamWorld.start([{ kind: 'openai' }]);
    expect((await world.gateway.post(path, { ...LEAST[format], thread: { type: 'create' } })).status).toBe(400);
  });
});

describe.each(KINDS.flatMap((kind) => DELIVERIES.map((stream) => [kind, stream] as const)))("the official SDK's tool runner, with an upstream of kind %s, streamed: %p,", (kind, stream) => {
  it('sends the whole conversation after one refusal, which is free', async () => {
    world = await UpstreamWorld.start([{ kind }]);
    world.upstream().always('*', (request) => replies(request.rawBody.includes('18 degrees') ? { text: 'It is mild.' } : { toolCalls: [{ id: 'c1', name: 'weather', arguments: '{"city":"Paris"}' }] })(request));
    const { key } = await world.gateway.addCaller('runner');
    const client = new Anthropic({ apiKey: key, baseURL: world.gateway.url, maxRetries: 0 });
    const weather = {
      type: 'custom' as const, name: 'weather', input_schema: { type: 'object' as const, properties: {} }, parse: (input: unknown) => input, run: () => '18 degrees',
    };
    const runner = client.beta.messages.toolRunner({ model: 'u0', max_tokens: 1_000, messages: [TURN], tools: [weather], stream });
    const last = await runner.runUntilDone();
    expect(last.content).toEqual([expect.objectContaining({ type: 'text', text: 'It is mild.' })]);
    const sent = world.upstream().requests.map(({ rawBody }) => ['What is the weather', '18 degrees'].filter((text) => rawBody.includes(text)));
    expect(sent).toEqual([['What is the weather'], ['What is the weather', '18 degrees']]);
    expect(await world.usage(key)).toHaveLength(2);
  });
});
