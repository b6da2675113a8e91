import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { ManualClock, SequentialIds } from '@tollgate/adapters-memory';
import { NO_PROMPT_PARTS, type CancelSignal, type ProviderCall, type OpenaiOptions } from '@tollgate/core';
import {
  answersHtml, answersMalformedJson, answersStatus, type Behaviour, breaksAfter, Gate, hangsBeforeHeaders, redirectsTo, replies,
  resetsBeforeHeaders, type ScriptedReply, type ScriptedUpstream, sendsRaw, startScriptedUpstream, until,
} from '@tollgate/testkit';
import { ReasoningRefusals } from '../http/reasoning-refusals.js';
import { aCall, failureOf, readStream, says, ToldProvider, turns } from '../test-support/calls.js';
import type { UpstreamFailure } from '../upstream/upstream-failure.js';
import { openaiProvider } from './openai-provider.js';

/** The promise's result at the next turn of the event loop, or `otherwise`. */
function nowOr(promise: Promise<unknown>, otherwise: string): Promise<unknown> {
  return Promise.race([promise, new Promise((resolve) => {
    setImmediate(resolve, otherwise);
  })]);
}

const deliveries = ['whole', 'stream'] as const;

describe('openaiProvider', () => {
  let upstream: ScriptedUpstream;
  let clock: ManualClock;
  let heard: string[];
  const providers: ToldProvider[] = [];

  beforeEach(async () => {
    upstream = await startScriptedUpstream();
    clock = new ManualClock();
    heard = [];
  });
  afterEach(async () => {
    await upstream.close();
    await Promise.all(providers.splice(0).map((provider) => provider.close()));
  });

  function providerAt(baseUrl: string, options: Partial<OpenaiOptions> = {}): ToldProvider {
    const definition = { id: 'main', kind: 'openai', baseUrl, apiKey: 'secret-key', options } as const;
    const provider = new ToldProvider(openaiProvider(definition, { clock, ids: new SequentialIds(), reasoningRefusals: new ReasoningRefusals(clock, () => undefined) }), (word) => { heard.push(word); });
    providers.push(provider);
    return provider;
  }

  async function generate(call: ProviderCall, options: Partial<OpenaiOptions> = {}) {
    return readStream(await providerAt(upstream.baseUrl, options).open(call));
  }

  const reply: ScriptedReply = {
    reasoning: ['Let me ', 'see.'], text: ['Hel', 'lo ', '漢😀'],
    toolCalls: [{ id: 'c1', name: 'f', arguments: ['{"a"', ':1}'] }, { id: 'c2', name: 'g', arguments: '{}' }], toolCallOrder: 'interleaved',
    usage: { prompt_tokens: 9, completion_tokens: 5, prompt_tokens_details: { cached_tokens: 2 } },
  };

  it.each(deliveries)('reads a %s reply', async (delivery) => {
    upstream.script('scripted-model', replies(reply));
    const { blocks, end } = await generate(aCall({ delivery }));
    expect(blocks).toEqual([
      { type: 'thinking', text: 'Let me see.', signature: null },
      { type: 'text', text: 'Hello 漢😀' },
      { type: 'tool-call', id: 'c1', name: 'f', argumentsJson: '{"a":1}' },
      { type: 'tool-call', id: 'c2', name: 'g', argumentsJson: '{}' },
    ]);
    expect(end).toEqual({
      stopReason: 'tool-call',
      usage: { promptTokens: 9, ...NO_PROMPT_PARTS, cachedPromptTokens: 2, outputTokens: 5, reasoningTokens: null, totalTokens: null },
    });
    expect(heard).toEqual(['answered']);
  });

  it('sends the request to its endpoint with its credentials', async () => {
    await generate(aCall({ delivery: 'whole' }));
    expect(upstream.requests[0]).toMatchObject({
      method: 'POST', path: '/v1/chat/completions',
      headers: { 'authorization': 'Bearer secret-key', 'content-type': 'application/json', 'x-request-id': 'req_1' },
      body: { model: 'scripted-model', messages: [{ role: 'user', content: 'Hello' }], max_tokens: 1_000, stream: false },
    });
  });

  it.each([
    ['short', 'word '], ['long', 'word '.repeat(10_000)], ['long and foreign', '漢字 '.repeat(10_000)], ['very long', 'word '.repeat(1_000_000)],
  ])('sends a %s text completely, with its content length', async (_how, text) => {
    const provider = providerAt(upstream.baseUrl);
    for (const delivery of deliveries) await readStream(await provider.open(aCall({ delivery, request: turns(says(text)) })));
    expect(upstream.requests).toHaveLength(deliveries.length);
    for (const { body, rawBody, headers } of upstream.requests) {
      expect(body['messages']).toEqual([{ role: 'user', content: text }]);
      expect([headers['content-length'], headers['transfer-encoding']]).toEqual([String(Buffer.byteLength(rawBody)), undefined]);
    }
  });

  it('aborts a long request that is refused before all of it was sent', async () => {
    const refusing = createServer((socket) => {
      socket.once('data', () => socket.write('HTTP/1.1 413 Too large\r\ncontent-length: 2\r\n\r\n{}'));
      socket.on('error', () => undefined);
    });
    await new Promise<void>((resolve) => { refusing.listen(0, '127.0.0.1', resolve); });
    try {
      const { port } = refusing.address() as AddressInfo;
      const call = aCall({ request: turns(says('word '.repeat(4_000_000))) });
      await expect(providerAt(`http://127.0.0.1:${port}/v1`).open(call)).rejects.toMatchObject({ kind: 'rejected', reason: 'refused' });
    } finally {
      refusing.close();
    }
  });

  it('yields pieces that arrive together as one batch, even to a reader that was already waiting', async () => {
    const chunkOf = (text: string): string => `${text.length.toString(16)}\r\n${text}\r\n`;
    const eventOf = (content: string): string => chunkOf(`data: ${JSON.stringify({ choices: [{ delta: { content } }] })}\n\n`);
    let send: (text: string) => void = () => undefined;
    const server = createServer((socket) => {
      send = (text) => socket.write(text);
      socket.once('data', () => send(`HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ntransfer-encoding: chunked\r\n\r\n${eventOf('a')}`));
      socket.on('error', () => undefined);
    });
    await new Promise<void>((resolve) => { server.listen(0, '127.0.0.1', resolve); });
    try {
      const { port } = server.address() as AddressInfo;
      const stream = await providerAt(`http://127.0.0.1:${port}/v1`).open(aCall({ delivery: 'stream' }));
      await stream.next();
      const waiting = stream.next();
      send(eventOf('b') + eventOf('c') + eventOf('d'));
      expect(await waiting).toMatchObject({ value: [{ delta: 'b' }, { delta: 'c' }, { delta: 'd' }] });
      await stream.return();
    } finally {
      server.close();
    }
  });

  it.each(['/v1', '/v1/'])('accepts a base URL that ends in %s', async (path) => {
    await readStream(await providerAt(`${upstream.origin}${path}`).open(aCall()));
    expect(upstream.requests[0]?.path).toBe('/v1/chat/completions');
  });

  it.each<[string, Behaviour]>([
    ['a stream although a whole reply was requested', sendsRaw('data: {"choices":[{"delta":{"content":"a"},"finish_reason":"stop"}]}\n\n')],
    ['a whole reply although a stream was requested', sendsRaw('{"choices":[{"message":{"content":"a"},"finish_reason":"stop"}]}', 'application/json; charset=utf-8')],
    ['a stream whose content type states a charset', sendsRaw(['data: {"choices":[{"delta":{"content":"a"},"finish_reason":"stop"}]}', '\n\n'], 'text/event-stream;charset=UTF-8')],
  ])('reads %s', async (_name, behaviour) => {
    upstream.always('*', behaviour);
    const call = aCall({ delivery: _name.includes('although a whole') ? 'whole' : 'stream' });
    expect((await generate(call)).blocks).toEqual([{ type: 'text', text: 'a' }]);
  });

  it('yields 50 events that arrive together as one batch', async () => {
    upstream.script('scripted-model', replies({ text: Array.from({ length: 50 }, () => 'a') }, { splitAt: [] }));
    expect((await generate(aCall())).batches).toHaveLength(1);
  });

  it('yields 300 events that arrive together in batches of at most 64, without loss', async () => {
    upstream.script('scripted-model', replies({ text: Array.from({ length: 300 }, () => 'a') }, { splitAt: [] }));
    const { batches } = await generate(aCall());
    expect(batches.map(({ length }) => length)).toEqual([64, 64, 64, 64, 47]);
    expect(batches.flat().filter(({ type }) => type === 'block-delta')).toHaveLength(300);
    expect(batches.at(-1)?.at(-1)?.type).toBe('provider-end');
  });

  it('yields each piece as soon as it arrives', async () => {
    const gate = new Gate();
    upstream.script('scripted-model', replies({ text: ['a', 'b'] }, { pauses: [{ before: 2, gate }] }));
    const stream = await providerAt(upstream.baseUrl).open(aCall());
    expect((await stream.next()).value).toEqual([
      { type: 'block-start', index: 0, block: { type: 'text' } }, { type: 'block-delta', index: 0, delta: 'a' },
    ]);
    gate.open();
    expect((await stream.next()).value?.[0]).toEqual({ type: 'block-delta', index: 0, delta: 'b' });
    await stream.return();
  });

  it('continues reading after data without events', async () => {
    const chunk = (delta: object, finish: string | null = null): string => `data: ${JSON.stringify({ choices: [{ delta, finish_reason: finish }] })}\n\n`;
    const comments = Array.from({ length: 100 }, () => ': still here\n\n');
    const frames = [...comments, chunk({ role: 'assistant' }), ...comments, chunk({ content: 'a' }), ...comments, chunk({ content: 'b' }), ...comments, chunk({}, 'stop')];
    upstream.script('scripted-model', sendsRaw(frames));
    expect((await generate(aCall())).blocks).toEqual([{ type: 'text', text: 'ab' }]);
    expect(heard).toEqual(['answered']);
  });

  it('waits for the usage after the reply reaches a stop sequence that the server does not know', async () => {
    upstream.script('scripted-model', replies({ text: ['one tw', 'o three', ' four'], usage: { prompt_tokens: 9, completion_tokens: 4, total_tokens: 13 } }));
    const { blocks, end } = await generate(aCall({ request: { stopSequences: ['x', 'two'] } }), { stopSequenceLimit: 1 });
    expect(blocks).toEqual([{ type: 'text', text: 'one ' }]);
    expect(end).toMatchObject({ stopReason: 'end', usage: { promptTokens: 9, outputTokens: 4 } });
    await expect(upstream.requests[0]?.ended).resolves.toBe('completed');
  });

  it('disconnects two seconds after the reply reaches a stop sequence unknown to the server, if no usage arrives', async () => {
    upstream.script('scripted-model', breaksAfter(3, 'hang', { text: ['one tw', 'o three'] }));
    const reading = generate(aCall({ request: { stopSequences: ['x', 'two'] } }), { stopSequenceLimit: 1 });
    await until(() => clock.pendingTasks === 3);
    clock.advance(1_999);
    expect(await nowOr(reading, 'waits')).toBe('waits');
    clock.advance(1);
    const { blocks, end } = await reading;
    expect(blocks).toEqual([{ type: 'text', text: 'one ' }]);
    expect(end).toEqual({ stopReason: 'end', usage: null });
    expect(heard).toEqual(['answered']);
    expect(clock.pendingTasks).toBe(0);
    expect(upstream.requests[0]?.body['stop']).toEqual(['x']);
    await expect(upstream.requests[0]?.ended).resolves.toBe('aborted');
  });

  it('accepts a reply as complete if only its closing event is missing', async () => {
    upstream.script('scripted-model', breaksAfter(4, 'reset', { text: ['a', 'b'] }), breaksAfter(4, 'end', { text: ['a', 'b'] }));
    expect((await generate(aCall())).end).toEqual({ stopReason: 'end', usage: null });
    expect((await generate(aCall())).end).toEqual({ stopReason: 'end', usage: null });
  });

  it('reuses a connection after a whole and after a streamed reply', async () => {
    const provider = providerAt(upstream.baseUrl);
    for (const delivery of [...deliveries, ...deliveries]) {
      await readStream(await provider.open(aCall({ delivery })));
      await upstream.requests.at(-1)?.ended;
      await new Promise((resolve) => { setImmediate(resolve); });
    }
    expect(await upstream.connectionCount()).toBe(1);
  });

  it('reuses a connection if the server ends the reply properly, and closes it otherwise', async () => {
    const provider = providerAt(upstream.baseUrl);
    const gates = [new Gate(), new Gate()];
    for (const gate of gates) upstream.script('scripted-model', replies({ text: 'a' }, { pauses: [{ before: 'end', gate }] }));
    await readStream(await provider.open(aCall()));
    gates[0]?.open();
    await expect(upstream.requests[0]?.ended).resolves.toBe('completed');
    for (let turn = 0; turn < 10; turn += 1) await new Promise((resolve) => { setImmediate(resolve); });
    await readStream(await provider.open(aCall()));
    expect(upstream.requests.map(({ connection }) => connection)).toEqual([0, 0]);
    clock.advance(1_000);
    await expect(upstream.requests[1]?.ended).resolves.toBe('aborted');
  });

  it('closes the connection if an error body does not end', async () => {
    upstream.script('scripted-model', () => [
      { type: 'send-headers', status: 500, headers: {} }, { type: 'write', bytes: Buffer.alloc(100_000, 'x') }, { type: 'hang' },
    ]);
    await expect(providerAt(upstream.baseUrl).open(aCall())).rejects.toMatchObject({ reason: 'server-error' });
    clock.advance(1_000);
    await expect(upstream.requests[0]?.ended).resolves.toBe('aborted');
  });

  it('never reveals its key, and keeps the server’s message in the cause only', async () => {
    upstream.always('*', answersStatus(500, { error: { message: 'secret-key is on host 10.0.0.1' } }));
    const failure = await failureOf(generate(aCall())) as Error;
    expect(`${failure.message} ${failure.stack}`).not.toMatch(/secret-key|10\.0/);
    expect(JSON.stringify(failure.cause)).toContain('10.0.0.1');
  });

  describe('when the upstream fails', () => {
    it.each<[string, Behaviour, { readonly kind: string; readonly reason: string; readonly needsOperator?: boolean }]>([
      ['hangs up before its headers', resetsBeforeHeaders(), { kind: 'unavailable', reason: 'hung-up' }],
      ['hangs up after its headers', breaksAfter(0, 'reset'), { kind: 'unavailable', reason: 'cut-off' }],
      ['hangs up in the middle', breaksAfter(2, 'reset'), { kind: 'unavailable', reason: 'cut-off' }],
      ['ends too early', breaksAfter(2, 'end'), { kind: 'unavailable', reason: 'cut-off|malformed-reply' }],
      ['reports an error in the middle', breaksAfter(2, { error: { message: 'out of memory' } }), { kind: 'unavailable', reason: 'server-error|malformed-reply' }],
      ['answers with half a body', answersMalformedJson(), { kind: 'unavailable', reason: 'malformed-reply' }],
      ['answers 200 with a page', answersHtml(200), { kind: 'unavailable', reason: 'cut-off|malformed-reply' }],
      ['answers 502 with a page', answersHtml(), { kind: 'unavailable', reason: 'server-unavailable' }],
      ['answers 503', answersStatus(503), { kind: 'unavailable', reason: 'server-unavailable' }],
      ['answers 504', answersStatus(504), { kind: 'unavailable', reason: 'server-unavailable' }],
      ['answers 500', answersStatus(500), { kind: 'unavailable', reason: 'server-error' }],
      ['answers 408', answersStatus(408), { kind: 'unavailable', reason: 'server-error' }],
      ['answers 429', answersStatus(429), { kind: 'unavailable', reason: 'rate-limited' }],
      ['answers 401', answersStatus(401), { kind: 'unavailable', reason: 'bad-credentials', needsOperator: true }],
      ['answers 403', answersStatus(403), { kind: 'unavailable', reason: 'bad-credentials', needsOperator: true }],
      ['answers 402', answersStatus(402), { kind: 'unavailable', reason: 'payment-required', needsOperator: true }],
      ['answers 404', answersStatus(404), { kind: 'unavailable', reason: 'model-unknown', needsOperator: true }],
      ['redirects', redirectsTo('http://127.0.0.1:1/'), { kind: 'unavailable', reason: 'redirected', needsOperator: true }],
      ['answers 400', answersStatus(400), { kind: 'rejected', reason: 'refused' }],
      ['answers 413', answersStatus(413), { kind: 'rejected', reason: 'refused' }],
      ['answers 422', answersStatus(422), { kind: 'rejected', reason: 'refused' }],
      ['answers 400 by vLLM that the context is full', answersStatus(400, { object: 'error', message: "This model's maximum context length is 8 tokens." }),
        { kind: 'too-long', reason: 'context-too-long' }],
      ['answers 400 by llama.cpp that the context is full', answersStatus(400, { error: { code: 400, message: 'no', type: 'exceed_context_size_error' } }),
        { kind: 'too-long', reason: 'context-too-long' }],
      ['answers 400 by OpenAI that the context is full', answersStatus(400, { error: { message: 'no', code: 'context_length_exceeded' } }),
        { kind: 'too-long', reason: 'context-too-long' }],
      ['answers 400 and only quotes a text about context', answersStatus(400, { error: { message: 'no' }, request: 'context length' }), { kind: 'rejected', reason: 'refused' }],
    ])('reports, with a specific reason, that the upstream %s', async (_name, behaviour, { kind, reason, needsOperator = false }) => {
      for (const delivery of deliveries) {
        upstream.script('scripted-model', behaviour);
        const failure = await failureOf(generate(aCall({ delivery })));
        expect(failure).toMatchObject({ name: 'ProviderFailure', kind, reason: expect.stringMatching(new RegExp(`^(${reason})$`)), needsOperator });
        expect(heard.filter((outcome) => outcome !== 'answered')).toEqual([(failure as UpstreamFailure).reason]);
        heard = [];
      }
    });

    it('distinguishes a reply that is not HTTP from a failure to connect', async () => {
      const server = createServer((socket) => socket.on('error', () => undefined).end('SSH-2.0\r\n\r\n', () => socket.destroy()));
      await new Promise<void>((resolve) => { server.listen(0, '127.0.0.1', resolve); });
      const { port } = server.address() as AddressInfo;
      await expect(providerAt(`http://127.0.0.1:${port}`).open(aCall())).rejects.toMatchObject({ kind: 'unavailable', reason: 'malformed-reply' });
      server.close();
    });

    it('reports a refused connection as a failure to connect', async () => {
      const { baseUrl } = upstream;
      await upstream.close();
      await expect(providerAt(baseUrl).open(aCall())).rejects.toMatchObject({ kind: 'unavailable', reason: 'connect-failed' });
    });

    it('first yields what arrived before the failure', async () => {
      upstream.script('scripted-model', breaksAfter(2, { error: { message: 'no' } }));
      const stream = await providerAt(upstream.baseUrl).open(aCall());
      expect((await stream.next()).value?.at(-1)).toEqual({ type: 'block-delta', index: 0, delta: 'Once ' });
      await expect(stream.next()).rejects.toMatchObject({ reason: 'server-error' });
      await expect(stream.next()).resolves.toEqual({ done: true, value: undefined });
    });

    it('reports a reply that exceeds the maximum size as malformed', async () => {
      upstream.script('scripted-model', replies({ text: 'x'.repeat(5_000) }), replies({ text: 'x'.repeat(5_000) }));
      for (const delivery of deliveries) await expect(generate(aCall({ delivery }), { maxResponseBytes: 4_000 })).rejects.toMatchObject({ reason: 'malformed-reply' });
    });
  });

  describe('time limits', () => {
    let silent: Server;
    beforeEach(async () => {
      silent = createServer();
      await new Promise<void>((resolve) => { silent.listen(0, '127.0.0.1', resolve); });
    });
    afterEach(() => new Promise<void>((resolve) => { silent.close(() => { resolve(); }); }));

    it('end an attempt to connect after 5 seconds', async () => {
      const { port } = silent.address() as AddressInfo;
      const accepted = new Promise<Socket>((resolve) => { silent.once('connection', (socket) => resolve(socket.on('error', () => undefined))); });
      // The server accepts the connection and never answers the TLS handshake.
      const opening = providerAt(`https://127.0.0.1:${port}`).open(aCall());
      const failing = failureOf(opening);
      const socket = await accepted;
      clock.advance(5_000);
      expect(await failing).toMatchObject({ kind: 'unavailable', reason: 'connect-failed' });
      socket.destroy();
    });

    it.each([['stream', 60_000], ['whole', 300_000]] as const)('end the wait for a %s reply after %d ms', async (delivery, limit) => {
      upstream.script('scripted-model', hangsBeforeHeaders());
      const opening = providerAt(upstream.baseUrl).open(aCall({ delivery }));
      let failed = false;
      const failing = failureOf(opening.finally(() => { failed = true; }));
      const { ended } = await upstream.request(0);
      await clock.advanceAsync(limit - 1);
      expect(failed).toBe(false);
      clock.advance(1);
      expect(await failing).toMatchObject({ reason: 'timed-out' });
      await expect(ended).resolves.toBe('aborted');
    });

    it('end a silence of 60 seconds in mid-reply, measured from the latest data', async () => {
      const gate = new Gate();
      upstream.script('scripted-model', replies({ text: ['a', 'b', 'c'] }, { pauses: [{ before: 2, gate }, { before: 3, gate: new Gate() }] }));
      const stream = await providerAt(upstream.baseUrl).open(aCall());
      await stream.next();
      clock.advance(59_000);
      gate.open();
      await stream.next();
      const failing = failureOf(stream.next());
      clock.advance(59_999);
      expect(await nowOr(failing, 'waits')).toBe('waits');
      clock.advance(1);
      expect(await failing).toMatchObject({ reason: 'timed-out' });
      await expect(upstream.requests[0]?.ended).resolves.toBe('aborted');
    });

    it('are suspended while the client does not read', async () => {
      const gate = new Gate();
      upstream.script('scripted-model', replies({ text: ['a', 'b', 'c'] }, { pauses: [{ before: 2, gate }, { before: 3, gate: new Gate() }] }));
      const stream = await providerAt(upstream.baseUrl).open(aCall());
      await stream.next();
      clock.advance(10 * 60_000);
      gate.open();
      expect((await stream.next()).value).toEqual([{ type: 'block-delta', index: 0, delta: 'b' }]);
      const failing = failureOf(stream.next());
      clock.advance(59_999);
      expect(await nowOr(failing, 'waits')).toBe('waits');
      clock.advance(1);
      expect(await failing).toMatchObject({ reason: 'timed-out' });
    });

    it('end every call after 15 minutes', async () => {
      upstream.script('scripted-model', breaksAfter(2, 'hang'));
      const stream = await providerAt(upstream.baseUrl).open(aCall());
      await stream.next();
      clock.advance(15 * 60_000);
      await expect(stream.next()).rejects.toMatchObject({ reason: 'too-long-running' });
      await expect(upstream.requests[0]?.ended).resolves.toBe('aborted');
    });

    it('can be configured', async () => {
      upstream.script('scripted-model', hangsBeforeHeaders());
      const opening = providerAt(upstream.baseUrl, { timeouts: { firstByteMilliseconds: 10 } }).open(aCall());
      const failing = failureOf(opening);
      await upstream.request(0);
      clock.advance(10);
      expect(await failing).toMatchObject({ reason: 'timed-out' });
    });

    it('leave no timer behind', async () => {
      await generate(aCall({ delivery: 'whole' }));
      upstream.script('scripted-model', answersStatus(500), resetsBeforeHeaders());
      await expect(generate(aCall())).rejects.toThrow('500');
      await expect(generate(aCall())).rejects.toThrow('closed the connection');
      await clock.advanceAsync(1_000);
      expect(clock.pendingTasks).toBe(0);
    });
  });

  describe('cancelling', () => {
    it('by signal ends a call that waits for headers, and closes the socket', async () => {
      upstream.script('scripted-model', hangsBeforeHeaders());
      const leaving = new AbortController();
      const opening = providerAt(upstream.baseUrl).open(aCall({ signal: leaving.signal }));
      const failing = failureOf(opening);
      const { ended } = await upstream.request(0);
      leaving.abort();
      expect(await failing).toMatchObject({ reason: 'cancelled' });
      await expect(ended).resolves.toBe('aborted');
      expect(clock.pendingTasks).toBe(0);
    });

    it('by a signal that was aborted before the call sends no request', async () => {
      await expect(providerAt(upstream.baseUrl).open(aCall({ signal: AbortSignal.abort() }))).rejects.toMatchObject({ reason: 'cancelled' });
      expect(upstream.requests).toHaveLength(0);
    });

    it.each(deliveries)('by signal ends a waiting read of a %s reply, and closes the socket', async (delivery) => {
      upstream.script('scripted-model', breaksAfter(2, 'hang'));
      const leaving = new AbortController();
      const stream = await providerAt(upstream.baseUrl).open(aCall({ delivery, signal: leaving.signal }));
      if (delivery === 'stream') await stream.next();
      const failing = failureOf(stream.next());
      leaving.abort();
      expect(await failing).toMatchObject({ reason: 'cancelled' });
      await expect(upstream.requests[0]?.ended).resolves.toBe('aborted');
      expect(clock.pendingTasks).toBe(0);
    });

    it.each([['before the first read', 0], ['after a read', 1]])('by return() of the stream %s closes the socket', async (_when, reads) => {
      upstream.script('scripted-model', breaksAfter(2, 'hang'));
      const stream = await providerAt(upstream.baseUrl).open(aCall());
      for (let read = 0; read < reads; read += 1) await stream.next();
      await stream.return();
      await expect(upstream.requests[0]?.ended).resolves.toBe('aborted');
      await expect(stream.next()).resolves.toEqual({ done: true, value: undefined });
      expect(clock.pendingTasks).toBe(0);
    });

    it('leaves no listener on the signal of an ended call', async () => {
      const listeners = new Set<() => void>();
      const signal: CancelSignal = {
        aborted: false,
        reason: null,
        addEventListener: (_type, listener) => { listeners.add(listener); },
        removeEventListener: (_type, listener) => { listeners.delete(listener); },
      };
      upstream.script('scripted-model', replies({ text: 'a' }), answersStatus(500), breaksAfter(2, 'hang'));
      await generate(aCall({ delivery: 'whole', signal }));
      await expect(generate(aCall({ signal }))).rejects.toThrow('500');
      await (await providerAt(upstream.baseUrl).open(aCall({ signal }))).return();
      expect(listeners.size).toBe(0);
    });

    it('by return() of the stream ends a waiting read', async () => {
      upstream.script('scripted-model', breaksAfter(2, 'hang'));
      const stream = await providerAt(upstream.baseUrl).open(aCall());
      await stream.next();
      const reading = stream.next();
      await stream.return();
      await expect(reading).resolves.toEqual({ done: true, value: undefined });
      await expect(upstream.requests[0]?.ended).resolves.toBe('aborted');
      expect(heard).toEqual(['answered']);
    });

    it('a hundred calls leaves at most ten connections open, and the provider can still be used', async () => {
      upstream.always('*', breaksAfter(2, 'hang'));
      const provider = providerAt(upstream.baseUrl);
      for (let round = 0; round < 10; round += 1) {
        const streams = await Promise.all(Array.from({ length: 10 }, () => provider.open(aCall())));
        await Promise.all(streams.map((stream) => stream.return()));
      }
      await Promise.all(upstream.requests.map(({ ended }) => ended));
      upstream.always('*', replies({ text: 'a' }));
      expect((await readStream(await provider.open(aCall()))).blocks).toEqual([{ type: 'text', text: 'a' }]);
      expect(await upstream.connectionCount()).toBeLessThanOrEqual(10);
    });
  });

  it('applies backpressure to the server while the client does not read', async () => {
    const piece = 'x'.repeat(64 * 1024);
    upstream.script('scripted-model', replies({ text: Array.from({ length: 200 }, () => piece) }));
    const stream = await providerAt(upstream.baseUrl).open(aCall());
    const { ended } = await upstream.request(0);
    let sent = false;
    void ended.then(() => { sent = true; });
    for (let turn = 0; turn < 50; turn += 1) await new Promise((resolve) => { setImmediate(resolve); });
    expect(sent).toBe(false);
    const { blocks } = await readStream(stream);
    expect(blocks[0]).toMatchObject({ type: 'text', text: piece.repeat(200) });
  });
});
