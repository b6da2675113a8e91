import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import {
  answersHtml, answersMalformedJson, answersStatus, type Behaviour, breaksAfter, hangsBeforeHeaders, redirectsTo, replies, resetsBeforeHeaders, sendsRaw,
} from './behaviours.js';
import { Gate } from './gate.js';
import type { ScriptedReply } from './scripted-reply.js';
import { type ScriptedUpstream, startScriptedUpstream } from './scripted-upstream.js';

describe('ScriptedUpstream', () => {
  let upstream: ScriptedUpstream;

  beforeEach(async () => {
    upstream = await startScriptedUpstream({ models: [{ id: 'one', max_model_len: 1000 }] });
  });
  afterEach(() => upstream.close());

  function ask(model: string, stream = false, signal: AbortSignal | null = null): Promise<Response> {
    return fetch(`${upstream.baseUrl}/chat/completions`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: 'Bearer secret' },
      body: JSON.stringify({ model, stream, messages: [{ role: 'user', content: 'Hi' }] }),
      redirect: 'manual',
      signal,
    });
  }

  it('lists its models', async () => {
    const listed = await fetch(`${upstream.baseUrl}/models`);
    expect(await listed.json()).toEqual({ object: 'list', data: [{ id: 'one', max_model_len: 1000 }] });
  });

  it('records the requests it receives', async () => {
    await (await ask('one')).text();
    expect(upstream.requests).toHaveLength(1);
    expect(upstream.requests[0]).toMatchObject({
      method: 'POST', path: '/v1/chat/completions', headers: { authorization: 'Bearer secret' }, body: { model: 'one', stream: false },
    });
    await expect(upstream.requests[0]?.ended).resolves.toBe('completed');
  });

  it.each(['{', '{"model":', '[]', 'null', ''])('records the body %j, which is not a JSON object, as an empty object, and still answers', async (body) => {
    const answer = await fetch(`${upstream.baseUrl}/chat/completions`, { method: 'POST', body });
    expect([answer.status, upstream.requests.map((request) => [request.body, request.rawBody])]).toEqual([200, [[{}, body]]]);
  });

  it('answers from the queue of the requested model, else from the queue for all models, else with the default', async () => {
    upstream.script('one', answersStatus(500));
    upstream.script('*', answersStatus(501));
    upstream.always('one', answersStatus(502));
    const statuses: number[] = [];
    for (let turn = 0; turn < 4; turn += 1) statuses.push((await ask('one')).status);
    expect(statuses).toEqual([500, 501, 502, 502]);
  });

  it('streams text, interleaved calls, usage and [DONE]', async () => {
    upstream.script('one', replies({
      reasoning: 'Hm', text: ['a', 'b'], toolCallOrder: 'interleaved',
      toolCalls: [{ id: 'c1', name: 'f', arguments: ['{"x"', ':1}'] }, { id: 'c2', name: 'g', arguments: '{}' }],
    }));
    const frames = (await (await ask('one', true)).text()).split('\n\n').filter((frame) => frame !== '');
    const deltas = frames.slice(0, -1).map((frame) => JSON.parse(frame.slice('data: '.length)).choices[0]?.delta);
    expect(deltas).toEqual([
      { role: 'assistant', content: '' }, { reasoning_content: 'Hm' }, { content: 'a' }, { content: 'b' },
      { tool_calls: [{ index: 0, id: 'c1', type: 'function', function: { name: 'f', arguments: '' } }] },
      { tool_calls: [{ index: 1, id: 'c2', type: 'function', function: { name: 'g', arguments: '' } }] },
      { tool_calls: [{ index: 0, function: { arguments: '{"x"' } }] },
      { tool_calls: [{ index: 1, function: { arguments: '{}' } }] },
      { tool_calls: [{ index: 0, function: { arguments: ':1}' } }] },
      {}, undefined,
    ]);
    expect(frames.at(-1)).toBe('data: [DONE]');
  });

  describe('asked in the messages format', () => {
    const askMessages = (stream: boolean): Promise<Response> => fetch(`${upstream.baseUrl}/messages?beta=true`, {
      method: 'POST', body: JSON.stringify({ model: 'one', stream, max_tokens: 1, messages: [] }),
    });
    const reply: ScriptedReply = {
      reasoning: 'Hm', text: ['a', 'b'], toolCalls: [{ id: 'c1', name: 'f', arguments: ['{"x"', ':1}'] }, { id: 'c2', name: 'g', arguments: '' }],
      usage: { prompt_tokens: 9, completion_tokens: 5, prompt_tokens_details: { cached_tokens: 2 } },
    };
    const usage = { input_tokens: 7, cache_creation_input_tokens: 0, cache_read_input_tokens: 2, output_tokens: 5 };

    it('returns the scripted reply as a whole message', async () => {
      upstream.script('one', replies(reply));
      expect(await (await askMessages(false)).json()).toEqual({
        id: 'msg_scripted', type: 'message', role: 'assistant', model: 'one', stop_reason: 'tool_use', stop_sequence: null, usage,
        content: [
          { type: 'thinking', thinking: 'Hm', signature: 'scripted-signature' }, { type: 'text', text: 'ab' },
          { type: 'tool_use', id: 'c1', name: 'f', input: { x: 1 } }, { type: 'tool_use', id: 'c2', name: 'g', input: {} },
        ],
      });
    });

    it('streams the scripted reply as named events, one block after the other', async () => {
      upstream.script('one', replies(reply));
      const frames = (await (await askMessages(true)).text()).split('\n\n').slice(0, -1).map((frame) => /^event: (\w+)\ndata: (.*)$/.exec(frame) ?? []);
      const events = frames.map(([, , data]) => JSON.parse(data ?? ''));
      expect(frames.map(([, name]) => name)).toEqual(events.map(({ type }) => type));
      expect(events.filter(({ index }) => index !== undefined).map(({ index, content_block, delta }) => [index, content_block?.type ?? delta?.type ?? 'stop'])).toEqual([
        [0, 'thinking'], [0, 'thinking_delta'], [0, 'signature_delta'], [0, 'stop'], [1, 'text'], [1, 'text_delta'], [1, 'text_delta'], [1, 'stop'],
        [2, 'tool_use'], [2, 'input_json_delta'], [2, 'input_json_delta'], [2, 'stop'], [3, 'tool_use'], [3, 'input_json_delta'], [3, 'stop'],
      ]);
      expect(events[0].message.usage).toEqual({ ...usage, output_tokens: 1 });
      expect(events.slice(-2)).toEqual([{ type: 'message_delta', delta: { stop_reason: 'tool_use', stop_sequence: null }, usage }, { type: 'message_stop' }]);
    });

    it.each<[string, Behaviour, string]>([
      ['an error status', answersStatus(529), '{"type":"error","error":{"type":"scripted_error","message":"scripted status 529","code":null}}'],
      ['an error in the middle', breaksAfter(2, { error: { message: 'out of memory' } }), 'event: error\ndata: {"type":"error","error":{"type":"api_error","message":"out of memory"}}\n\n'],
      ['no usage', replies({ text: 'a', usagePlace: 'nowhere' }), '"delta":{"stop_reason":"end_turn","stop_sequence":null}}'],
    ])('answers %s', async (_name, behaviour, part) => {
      upstream.script('one', behaviour);
      expect(await (await askMessages(true)).text()).toContain(part);
    });
  });

  it.each([
    ['LF', '\n'], ['CRLF', '\r\n'], ['CR', '\r'],
  ] as const)('sends the same bytes when %s lines are split at several offsets', async (_name, lineEnd) => {
    upstream.script('one', replies({ text: 'Grüße' }, { lineEnd }), replies({ text: 'Grüße' }, { lineEnd, splitAt: [1, 2, 3, 150, 151] }));
    const whole = await (await ask('one', true)).text();
    expect(await (await ask('one', true)).text()).toBe(whole);
    expect(whole).toContain(`Grüße"},"finish_reason":null}]}${lineEnd}${lineEnd}`);
  });

  it('waits with its reply until the test opens a gate', async () => {
    const gate = new Gate();
    upstream.script('one', replies({ text: 'late' }, { pauses: [{ before: 'headers', gate }] }));
    let answered = false;
    const asked = ask('one').then((response) => {
      answered = true;
      return response.text();
    });
    await upstream.request(0);
    expect(answered).toBe(false);
    gate.open();
    expect(await asked).toContain('late');
  });

  it.each<[string, Behaviour]>([
    ['before the headers', resetsBeforeHeaders()],
    ['after the headers', breaksAfter(0, 'reset')],
    ['in the middle', breaksAfter(3, 'reset')],
  ])('resets the connection %s', async (_when, behaviour) => {
    upstream.script('one', behaviour);
    await expect(ask('one', true).then((response) => response.text())).rejects.toThrow(/fetch failed|terminated/);
  });

  it.each<[string, Behaviour]>([
    ['before the headers', hangsBeforeHeaders()],
    ['in the middle', breaksAfter(2, 'hang')],
  ])('hangs %s until the client disconnects, and records the disconnect', async (_when, behaviour) => {
    upstream.script('one', behaviour);
    const leaving = new AbortController();
    const asked = ask('one', true, leaving.signal).then((response) => response.text());
    const { ended } = await upstream.request(0);
    leaving.abort();
    await expect(asked).rejects.toThrow('aborted');
    await expect(ended).resolves.toBe('aborted');
  });

  it.each<[string, Behaviour, { readonly status: number; readonly part: string }]>([
    ['an error status', answersStatus(429, undefined, { 'retry-after': '1' }), { status: 429, part: '"scripted status 429"' }],
    ['an HTML page', answersHtml(), { status: 502, part: '<html>' }],
    ['half a JSON body', answersMalformedJson(), { status: 200, part: '"choices": [' }],
    ['a redirect', redirectsTo('http://elsewhere.invalid'), { status: 307, part: '' }],
    ['raw bytes', sendsRaw(['data: x', '\n\n']), { status: 200, part: 'data: x\n\n' }],
    ['an error in the middle', breaksAfter(2, { error: { message: 'out of memory' } }), { status: 200, part: 'data: {"error":{"message":"out of memory"}}\n\n' }],
    ['an early end', breaksAfter(2, 'end'), { status: 200, part: 'Once ' }],
  ])('answers %s', async (_name, behaviour, { status, part }) => {
    upstream.script('one', behaviour);
    const response = await ask('one', true);
    expect(response.status).toBe(status);
    expect(await response.text()).toContain(part);
  });
});
