import { afterEach, describe, expect, it } from '@jest/globals';
import type { JsonObject } from '@tollgate/core';
import { replies } from '@tollgate/testkit';
import { type ClientFormat, DELIVERIES, type Kind, UpstreamWorld } from './support/upstream-world.js';

const SCHEMA = { type: 'object', properties: {} };
const MARK = { type: 'ephemeral' };
const HOUR = { type: 'ephemeral', ttl: '1h' };
const TURN = { role: 'user', content: 'Hi' };

/** A request with cache marks in every permitted place. */
const MARKED: JsonObject = {
  cache_control: HOUR,
  system: [{ type: 'text', text: 'Be brief.' }, { type: 'text', text: 'Be kind.', cache_control: HOUR }],
  tools: [{ name: 'look', input_schema: SCHEMA, cache_control: MARK }],
  messages: [
    { role: 'user', content: [{ type: 'text', text: 'Hi', cache_control: MARK }, { type: 'image', source: { type: 'url', url: 'https://example.com/a.png' }, cache_control: MARK }] },
    { role: 'assistant', content: [{ type: 'text', text: 'Hm.', cache_control: MARK }, { type: 'tool_use', id: 'c1', name: 'look', input: {}, cache_control: MARK }] },
    { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'c1', content: [{ type: 'text', text: 'A cat.', cache_control: MARK }], cache_control: HOUR }] },
  ],
};

const IMAGE = 'https://example.com/a.png';
/** A chat request with cache marks on parts, tools and whole messages. */
const MARKED_CHAT: JsonObject = {
  cache_control: HOUR,
  tools: [{ type: 'function', function: { name: 'look', parameters: SCHEMA }, cache_control: MARK }],
  messages: [
    { role: 'system', content: [{ type: 'text', text: 'Be brief.' }] }, { role: 'system', content: 'Be kind.', cache_control: HOUR },
    { role: 'user', content: [{ type: 'text', text: 'Hi', cache_control: MARK }, { type: 'image_url', image_url: { url: IMAGE }, cache_control: MARK }] },
    { role: 'assistant', content: [{ type: 'text', text: 'Hm.', cache_control: MARK }], tool_calls: [{ id: 'c1', type: 'function', function: { name: 'look', arguments: '{}' } }], cache_control: MARK },
    { role: 'tool', tool_call_id: 'c1', content: [{ type: 'text', text: 'A cat.', cache_control: MARK }], cache_control: HOUR },
  ],
};
const REQUESTS = { messages: MARKED, chat: MARKED_CHAT } as const;
const FORMATS = ['messages', 'chat'] as const;

let world: UpstreamWorld;
afterEach(() => world.close());

async function sent(kind: Kind, options: JsonObject, format: ClientFormat, body: JsonObject): Promise<{ readonly body: JsonObject; readonly rawBody: string }> {
  world = await UpstreamWorld.start([{ kind, options }]);
  world.upstream().always('*', replies({ text: 'a' }));
  expect(await world.ask(format, body)).toContain('a');
  return world.upstream().requests[0] ?? { body: {}, rawBody: '' };
}

describe.each(FORMATS.flatMap((format) => DELIVERIES.map((stream) => [format, stream] as const)))('cache marks of a client of the %s format, streamed: %p,', (format, stream) => {
  it('reach an upstream of kind anthropic at the same places of the request, if the catalogue allows them', async () => {
    const { body } = await sent('anthropic', { cacheControl: 'sent' }, format, { ...REQUESTS[format], stream });
    expect(body).toMatchObject(MARKED);
  });

  it.each([['anthropic', { cacheControl: 'omitted' }], ['anthropic', {}], ['openai', {}], ['responses', {}]] as const)('do not reach an upstream of kind %s with the catalogue settings %j', async (kind, options) => {
    const { rawBody } = await sent(kind, options, format, { ...REQUESTS[format], stream });
    expect(rawBody).not.toContain('cache_control');
    expect(rawBody).toContain(kind === 'anthropic' ? '"system":"Be brief.\\n\\nBe kind."' : 'Be kind.');
  });

  it.each([['ephemeral'], [{ type: 'other' }], [null], [7]])('of an unknown form (%j) are ignored', async (mark) => {
    const { rawBody } = await sent('anthropic', { cacheControl: 'sent' }, format, { messages: [{ role: 'user', content: [{ type: 'text', text: 'Hi', cache_control: mark }] }], stream });
    expect(rawBody).not.toContain('cache_control');
  });
});

const KEYED: Readonly<Record<'chat' | 'responses', JsonObject>> = { chat: { messages: [TURN] }, responses: { input: [TURN] } };

describe.each((['openai', 'responses'] as const).flatMap((kind) => (['chat', 'responses'] as const).flatMap((format) => DELIVERIES.map((stream) => [kind, format, stream] as const))))(
  'the key of a prompt cache, to an upstream of kind %s from a client of the %s format, streamed: %p,', (kind, format, stream) => {
    it('is sent if the catalogue allows it, truncated to the vendors’ maximum', async () => {
      expect((await sent(kind, { promptCacheKey: 'sent' }, format, { ...KEYED[format], prompt_cache_key: 'conversation-7', stream })).body['prompt_cache_key']).toBe('conversation-7');
      await world.close();
      const long = (await sent(kind, { promptCacheKey: 'sent' }, format, { ...KEYED[format], prompt_cache_key: 'k'.repeat(200), stream })).body['prompt_cache_key'];
      expect(long).toMatch(/^k{47}_[0-9a-f]{16}$/);
    });

    it('is not sent unless the catalogue allows it', async () => {
      expect((await sent(kind, {}, format, { ...KEYED[format], prompt_cache_key: 'conversation-7', stream })).body).not.toHaveProperty('prompt_cache_key');
    });
  });

describe('use of a prompt cache', () => {
  it('is charged by token class as the upstream reports', async () => {
    world = await UpstreamWorld.start([{ kind: 'anthropic', options: { cacheControl: 'sent' } }]);
    world.upstream().always('*', (request) => replies({ text: 'a', usage: { prompt_tokens: 1_000, completion_tokens: 1, total_tokens: 1_001, prompt_tokens_details: { cached_tokens: request.rawBody.includes('cache_control') ? 900 : 0 } } })(request));
    await world.ask('messages', { messages: [{ role: 'user', content: [{ type: 'text', text: 'word '.repeat(900), cache_control: MARK }] }] });
    expect((await world.usage())[0]?.usage).toMatchObject({ prompt_tokens: 1_000, cached_prompt_tokens: 900, uncached_prompt_tokens: 100 });
  });
});
