import { once } from 'node:events';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { ManualClock, SequentialIds } from '@tollgate/adapters-memory';
import type { JsonObject, ProviderCall, ProviderStream, UpstreamDefinition } from '@tollgate/core';
import { UpstreamRouter } from '../routing/upstream-router.js';
import { aCall, failureOf } from '../test-support/calls.js';
import { BYTES_OF_REQUEST, collect, heavySignal, keepObjectsYoung, oldBytes } from '../test-support/retained-requests.js';

type Kind = Exclude<UpstreamDefinition['kind'], 'sandbox'>;

function event(data: JsonObject): string {
  return `data: ${JSON.stringify(data)}\n\n`;
}

const COMMENT = ': still here\n\n';
const EMPTY = 'data:\n\n';

/** Frames of each kind of upstream: `start` precedes the text, `text` has a piece of it, and `idle` frames have no content. */
const FRAMES: Readonly<Record<Kind, { readonly start: string; readonly text: (text: string) => string; readonly idle: readonly string[] }>> = {
  openai: {
    start: event({ choices: [{ index: 0, delta: { role: 'assistant', content: '' } }] }),
    text: (content) => event({ choices: [{ index: 0, delta: { content } }] }),
    idle: [COMMENT, EMPTY, event({ choices: [{ index: 0, delta: {} }] }), event({ choices: [], usage: null }), event({ choices: [{ index: 0, delta: { content: '' } }] })],
  },
  anthropic: {
    start: event({ type: 'message_start', message: { usage: { input_tokens: 1 } } }) + event({ type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } }),
    text: (text) => event({ type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text } }),
    idle: [COMMENT, EMPTY, event({ type: 'ping' }), event({ type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: '' } })],
  },
  responses: {
    start: event({ type: 'response.created', response: {} }) + event({ type: 'response.output_item.added', output_index: 0, item: { type: 'message', content: [] } }),
    text: (delta) => event({ type: 'response.output_text.delta', output_index: 0, content_index: 0, delta }),
    idle: [COMMENT, EMPTY, event({ type: 'response.in_progress', response: {} }), event({ type: 'response.output_text.delta', output_index: 0, content_index: 0, delta: '' })],
  },
};

const KINDS = Object.keys(FRAMES) as Kind[];

describe('an endless reply', () => {
  let server: Server;
  let replying: Promise<ServerResponse>;
  let clock: ManualClock;
  let router: UpstreamRouter;
  let reply: ServerResponse;

  beforeEach(async () => {
    server = createServer().listen(0, '127.0.0.1');
    replying = once(server, 'request').then(([, response]) => response as ServerResponse);
    await once(server, 'listening');
    clock = new ManualClock();
  });

  afterEach(async () => {
    server.closeAllConnections();
    server.close();
    await router.close();
  });

  async function opened(kind: Kind, delivery: ProviderCall['delivery'] = 'stream', timeouts: JsonObject = {}): Promise<ProviderStream> {
    const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    router = new UpstreamRouter([{ id: 'main', kind, baseUrl, apiKey: null, options: { timeouts } }], { clock, ids: new SequentialIds() });
    const opening = router.open(aCall({ delivery }));
    reply = await replying;
    reply.writeHead(200, { 'content-type': delivery === 'stream' ? 'text/event-stream' : 'application/json' }).flushHeaders();
    return opening;
  }

  /** Resolves once the gateway has read the written text. */
  async function written(text: string): Promise<void> {
    await new Promise<void>((resolve) => { reply.write(text, () => { resolve(); }); });
    for (let turn = 0; turn < 4; turn += 1) await new Promise(setImmediate);
  }

  /** Writes `times` pieces with pauses of `every` milliseconds, and asserts that the reply fails exactly at the end of the last pause. */
  async function endsAfter(failing: Promise<unknown>, piece: string, { times, every }: { readonly times: number; readonly every: number }): Promise<unknown> {
    let failed = false;
    void failing.then(() => { failed = true; });
    for (let round = 0; round < times; round += 1) {
      await clock.advanceAsync(every);
      await written(piece);
    }
    await clock.advanceAsync(every - 1);
    expect(failed).toBe(false);
    await clock.advanceAsync(1);
    return failing;
  }

  it.each(KINDS.flatMap((kind) => FRAMES[kind].idle.map((idle) => [kind, idle] as const)))('ends 300 s after its headers if it has no output: %s %j', async (kind, idle) => {
    const stream = await opened(kind);
    await written(FRAMES[kind].start);
    expect(await endsAfter(failureOf(stream.next()), idle, { times: 9, every: 30_000 })).toMatchObject({ kind: 'unavailable', reason: 'timed-out', message: expect.stringContaining('no output') });
  });

  it.each(KINDS.flatMap((kind) => FRAMES[kind].idle.map((idle) => [kind, idle] as const)))('ends 60 s after its last output: %s %j', async (kind, idle) => {
    const stream = await opened(kind);
    await written(FRAMES[kind].start + FRAMES[kind].text('Once upon a time, and'));
    await stream.next();
    expect(await endsAfter(failureOf(stream.next()), idle, { times: 5, every: 10_000 })).toMatchObject({ reason: 'timed-out', message: expect.stringContaining('silent') });
  });

  it.each(KINDS)('ends after 60 s with less than 16 bytes of output: %s', async (kind) => {
    const stream = await opened(kind);
    await written(FRAMES[kind].start + FRAMES[kind].text('a'));
    await stream.next();
    for (let round = 0; round < 15; round += 1) {
      const next = stream.next();
      await clock.advanceAsync(3_900);
      await written(FRAMES[kind].text('a'));
      expect((await next).value).toHaveLength(1);
    }
    const failing = failureOf(stream.next());
    await clock.advanceAsync(1_500);
    expect(await failing).toMatchObject({ reason: 'timed-out' });
  });

  it.each(KINDS)('continues as long as every 60 s have 16 bytes of output, here in two-byte characters: %s', async (kind) => {
    const stream = await opened(kind);
    await written(FRAMES[kind].start + FRAMES[kind].text('é'));
    await stream.next();
    for (let round = 0; round < 80; round += 1) {
      const next = stream.next();
      await clock.advanceAsync(7_400);
      await written(FRAMES[kind].text('é'));
      expect((await next).value).toHaveLength(1);
    }
    await stream.return();
  });

  it('continues while the output of a tool call is held back until an earlier tool call ends', async () => {
    const stream = await opened('openai');
    const piece = (index: number, fields: JsonObject): string => event({ choices: [{ index: 0, delta: { tool_calls: [{ index, ...fields }] } }] });
    await written(piece(0, { id: 'call_0', function: { name: 'first', arguments: '{}' } }) + piece(1, { id: 'call_1', function: { name: 'second', arguments: '{"text":"' } }));
    await stream.next();
    const next = stream.next();
    for (let round = 0; round < 20; round += 1) {
      await clock.advanceAsync(30_000);
      await written(piece(1, { function: { arguments: 'twenty bytes of text' } }));
    }
    await written(piece(1, { function: { arguments: '"}' } }) + event({ choices: [{ index: 0, delta: {}, finish_reason: 'tool_calls' }] }) + 'data: [DONE]\n\n');
    expect((await next).value?.at(-1)).toMatchObject({ type: 'provider-end', stopReason: 'tool-call' });
  });

  it.each(KINDS.flatMap((kind) => ['x', ' '].map((byte) => [kind, byte] as const)))('ends 300 s after its headers if a whole reply arrives a byte a second: %s %j', async (kind, byte) => {
    const stream = await opened(kind, 'whole');
    await written('{"text":"');
    expect(await endsAfter(failureOf(stream.next()), byte, { times: 299, every: 1_000 })).toMatchObject({ reason: 'timed-out' });
  });

  it('ends at the limits that are configured for its upstream', async () => {
    const stream = await opened('openai', 'stream', { firstOutputMilliseconds: 20_000 });
    expect(await endsAfter(failureOf(stream.next()), COMMENT, { times: 3, every: 5_000 })).toMatchObject({ reason: 'timed-out' });
  });

  it('sets no timer per event', async () => {
    const stream = await opened('openai');
    for (let round = 0; round < 10; round += 1) {
      await written(FRAMES.openai.text('a'));
      await stream.next();
      expect(clock.pendingTasks).toBe(2);
    }
  });
});

const CALLS_AT_A_TIME = 8;
const ROUNDS = 20;
const MEASUREMENTS = 8;
const MOST_KEPT = 0.2;

keepObjectsYoung();

it('the requests of ended calls are freed without a full garbage collection', async () => {
  const replies: ServerResponse[] = [];
  const server = createServer((_request, reply) => {
    replies.push(reply);
    if (replies.length === CALLS_AT_A_TIME) server.emit('all-wait');
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const router = new UpstreamRouter([{ id: 'main', kind: 'openai', baseUrl, apiKey: null, options: {} }], { clock: new ManualClock(), ids: new SequentialIds() });
  /** Starts calls, and collects young objects while all of them wait for their replies. */
  const roundOfCalls = async (): Promise<void> => {
    const allWait = once(server, 'all-wait');
    const opening = Array.from({ length: CALLS_AT_A_TIME }, () => router.open(aCall({ signal: heavySignal() })));
    await allWait;
    collect({ type: 'minor' });
    for (const reply of replies.splice(0)) reply.writeHead(200, { 'content-type': 'text/event-stream' }).end(FRAMES.openai.text('Hi'));
    await Promise.all(opening.map(async (opened) => (await opened).return()));
  };
  /** Growth of V8's old space, as a share of the requests' size. */
  const measured = async (): Promise<number> => {
    collect();
    const before = oldBytes();
    for (let round = 0; round < ROUNDS; round += 1) await roundOfCalls();
    return (oldBytes() - before) / (ROUNDS * CALLS_AT_A_TIME * BYTES_OF_REQUEST);
  };
  for (let round = 0; round < ROUNDS; round += 1) await roundOfCalls();
  // What calls retain appears in every measurement; other growth does not.
  let kept = await measured();
  for (let times = 1; times < MEASUREMENTS && kept >= MOST_KEPT; times += 1) kept = Math.min(kept, await measured());
  await router.close();
  server.close();
  expect(kept).toBeLessThan(MOST_KEPT);
});
