import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { JsonObject } from '@tollgate/core';
import { answersStatus, replies } from '@tollgate/testkit';
import { CLIENT_FORMATS, type ClientFormat, DELIVERIES, KINDS, PATHS, UpstreamWorld } from './support/upstream-world.js';

const TURN = { role: 'user', content: 'Hi' };
const LEAST: Readonly<Record<ClientFormat, JsonObject>> = { chat: { messages: [TURN] }, messages: { messages: [TURN] }, responses: { input: [TURN] } };
const PAIRS = CLIENT_FORMATS.flatMap((format) => DELIVERIES.map((stream) => [format, stream] as const));

let world: UpstreamWorld;
beforeEach(async () => {
  world = await UpstreamWorld.start([{ kind: 'openai' }]);
  world.upstream().always('*', replies({ text: 'a' }));
});
afterEach(() => world.close());

describe.each(PAIRS)('a request of the %s format, streamed: %p', (format, stream) => {
  it('is served although the client has added a suffix to the model name', async () => {
    expect(await world.ask(format, { ...LEAST[format], model: 'u0[1m]', stream })).toContain('"model":"u0"');
    expect(world.upstream().requests[0]?.body).toMatchObject({ model: 'u0' });
  });

  it.each<[string, JsonObject]>(({
    chat: [['a tool', { tools: [{ type: 'web_search' }], tool_choice: 'required' }], ['the choice', { tools: [{ type: 'function', function: { name: 'look' } }], tool_choice: { type: 'web_search' } }]],
    messages: [
      ['the choice', { tools: [{ type: 'web_search_20250305', name: 'web_search' }], tool_choice: { type: 'tool', name: 'web_search' } }],
      ['the choice of any', { tools: [{ type: 'web_search_20250305', name: 'web_search' }], tool_choice: { type: 'any' } }],
    ],
    responses: [
      ['the choice', { tools: [{ type: 'web_search' }], tool_choice: { type: 'web_search' } }],
      ['the choice of any', { tools: [{ type: 'web_search' }], tool_choice: 'required' }],
      ['the choice among some', { tools: [{ type: 'web_search' }], tool_choice: { type: 'allowed_tools', mode: 'required', tools: [{ type: 'web_search' }] } }],
      ['the choice of a search', { tools: [{ type: 'tool_search' }], tool_choice: { type: 'tool_search' } }],
      ['the choice of any of a group', { tools: [{ type: 'namespace', name: 'web', tools: [{ type: 'web_search' }] }], tool_choice: 'required' }],
    ],
  } as Readonly<Record<ClientFormat, [string, JsonObject][]>>)[format])('that demands a tool of the vendor by %s is told that server tools are not offered', async (_what, fields) => {
    const reply = await world.gateway.post(PATHS[format], { model: 'u0', ...(format === 'messages' ? { max_tokens: 10 } : {}), ...LEAST[format], ...fields, stream });
    expect([reply.status, await reply.text()]).toEqual([400, expect.stringContaining('server tools, which a vendor runs on its own servers, are not offered')]);
  });
});

/** A text with half of a surrogate pair, as a JSON escape. */
const HALF = String.raw`cut \ud83d off`;
const JPEG = '/9j/4AAQ';
const TORN: Readonly<Record<ClientFormat, string>> = {
  chat: `"messages": [{"role": "user", "content": [{"type": "text", "text": "${HALF}"}, {"type": "image_url", "image_url": {"url": "data:image/jpg;base64,${JPEG}"}}]}], "max_tokens": 100`,
  messages: `"messages": [{"role": "user", "content": [{"type": "text", "text": "${HALF}"}, {"type": "image", "source": {"type": "base64", "media_type": "image/jpg", "data": "${JPEG}"}}]}], "max_tokens": 100`,
  responses: `"input": [{"role": "user", "content": [{"type": "input_text", "text": "${HALF}"}, {"type": "input_image", "image_url": "data:image/jpg;base64,${JPEG}"}]}]`,
};

describe.each(KINDS.flatMap((kind) => PAIRS.map(([format, stream]) => [kind, format, stream] as const)))('a request to an upstream of kind %s, from a client of the %s format, streamed: %p', (kind, format, stream) => {
  it('has U+FFFD instead of a lone surrogate, and image/jpeg instead of image/jpg', async () => {
    await world.close();
    world = await UpstreamWorld.start([{ kind }]);
    world.upstream().always('*', replies({ text: 'a' }));
    const reply = await world.gateway.fetch(PATHS[format], { method: 'POST', body: `{"model": "u0", "stream": ${stream}, ${TORN[format]}}` });
    expect(reply.status).toBe(200);
    await reply.text();
    const { rawBody } = world.upstream().requests[0] ?? { rawBody: '' };
    expect(JSON.stringify(JSON.parse(rawBody))).toContain('cut \u{FFFD} off');
    expect([rawBody.includes('image/jpeg'), rawBody.includes('image/jpg'), rawBody.includes(String.raw`\ud83d`)]).toEqual([true, false, false]);
  });
});

/** First bytes of each image format in base64, and its media type. */
const IMAGES = [['/9j/4AAQ', 'image/jpeg'], ['iVBORw0KGgo=', 'image/png'], ['R0lGODlh', 'image/gif'], ['UklGRiQAAABXRUJQ', 'image/webp']] as const;

describe.each(KINDS.flatMap((kind) => PAIRS.map(([format, stream]) => [kind, format, stream] as const)))('an image with a wrong media type, to an upstream of kind %s, from a client of the %s format, streamed: %p', (kind, format, stream) => {
  it('is sent with the media type that its bytes show', async () => {
    await world.close();
    world = await UpstreamWorld.start([{ kind }]);
    world.upstream().always('*', replies({ text: 'a' }));
    for (const [data, mediaType] of IMAGES) {
      for (const wrong of ['image/jpeg', 'application/octet-stream', 'image/png']) {
        const url = `data:${wrong};base64,${data}`;
        const body = {
          chat: { messages: [{ role: 'user', content: [{ type: 'image_url', image_url: { url } }] }] },
          messages: { messages: [{ role: 'user', content: [{ type: 'image', source: { type: 'base64', media_type: wrong, data } }] }] },
          responses: { input: [{ role: 'user', content: [{ type: 'input_image', image_url: url }] }] },
        }[format];
        await world.ask(format, { ...body, stream });
        const { rawBody = '' } = world.upstream().requests.at(-1) ?? {};
        expect([wrong, rawBody.includes(mediaType), rawBody.includes(data), rawBody.match(/(?:image|application)\/[\w-]+/g)]).toEqual([wrong, true, true, [mediaType]]);
      }
    }
  });
});

describe.each(PAIRS)('a request for less output than the minimum of a responses server, from a client of the %s format, streamed: %p', (format, stream) => {
  it('is served; the reply is cut and charged at the requested maximum', async () => {
    await world.close();
    world = await UpstreamWorld.start([{ kind: 'responses' }]);
    const text = Array.from({ length: 16 }, (_, index) => `word${index} `);
    const usage = { prompt_tokens: 12, completion_tokens: 16, total_tokens: 28 };
    world.upstream().always('*', (request) => (Number(request.body['max_output_tokens']) < 16 ? answersStatus(400) : replies({ text, usage, finishReason: 'length' }))(request));
    const reply = await world.ask(format, { ...LEAST[format], ...(format === 'responses' ? { max_output_tokens: 5 } : { max_tokens: 5 }), stream });
    expect(reply).toContain('word0');
    expect(reply).toMatch(/"(?:finish_reason|stop_reason|status)":"(?:length|max_tokens|incomplete)"/);
    expect((await world.usage())[0]?.usage).toMatchObject({ output_tokens: 5 });
  });
});

describe.each(PAIRS.filter(([format]) => format !== 'messages'))('a tool_choice of the %s format with allowed_tools, streamed: %p', (format, stream) => {
  const named = (name: string) => (format === 'chat' ? { type: 'function', function: { name } } : { type: 'function', name });
  const choiceOf = (mode: string, name: string) =>
    (format === 'chat' ? { type: 'allowed_tools', allowed_tools: { mode, tools: [named(name)] } } : { type: 'allowed_tools', mode, tools: [named(name)] });

  it('limits the tools that the upstream receives to the allowed ones', async () => {
    await world.ask(format, { ...LEAST[format], tools: [named('look'), named('listen')], tool_choice: choiceOf('required', 'look'), stream });
    expect(world.upstream().requests[0]?.body).toMatchObject({ tools: [{ function: { name: 'look' } }], tool_choice: 'required' });
    expect(world.upstream().requests[0]?.body['tools']).toHaveLength(1);
  });

  it('is refused if it allows a tool that the request lacks', async () => {
    const reply = await world.gateway.post(PATHS[format], { model: 'u0', ...LEAST[format], tools: [named('look')], tool_choice: choiceOf('auto', 'listen'), stream });
    expect([reply.status, await reply.text()]).toEqual([400, expect.stringContaining('allows a tool that is not in')]);
  });
});

describe.each(DELIVERIES)('a custom tool of a chat request, streamed: %p', (stream) => {
  it('is refused, and the message names a format that supports it', async () => {
    const reply = await world.gateway.post(PATHS.chat, { model: 'u0', ...LEAST.chat, tools: [{ type: 'custom', custom: { name: 'patch' } }], stream });
    expect([reply.status, await reply.text()]).toEqual([400, expect.stringContaining('custom tools are offered in the responses format')]);
  });
});

describe.each(PAIRS.filter(([format]) => format !== 'chat'))('a request of the %s format with a vendor’s tool and one of the client, streamed: %p', (format, stream) => {
  it('is served with the client’s own tool only', async () => {
    const own = format === 'messages' ? { name: 'look', input_schema: { type: 'object' } } : { type: 'function', name: 'look' };
    const choice = format === 'messages' ? { type: 'any' } : 'required';
    await world.ask(format, { ...LEAST[format], tools: [{ type: 'web_search_20250305', name: 'web_search' }, own], tool_choice: choice, stream });
    expect(world.upstream().requests[0]?.body['tools']).toHaveLength(1);
  });
});
