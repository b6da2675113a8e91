import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { Socket } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { availableOf, type JsonObject, ProviderFailure, type RequestId, ServiceTokens, SYSTEM_ACTOR, type UsageRecord } from '@tollgate/core';
import { endStep, Gate, type ProviderStep, textSteps, yielding } from '@tollgate/testkit';
import { bodyOfEveryFormat, CHAT, figuresOf, type Format, FORMATS, RESPONSES } from './acceptance/support/formats.js';
import { unacknowledgedBytes } from '../src/http/reply/reader-watch.js';
import { eventually, RawConnection } from '../src/test-support/test-client.js';
import { haltedReply, REPORTED_USAGE } from '../src/test-support/test-catalogue.js';
import { startTestGateway, type TestGateway } from '../src/test-support/start-test-gateway.js';

const BODY = bodyOfEveryFormat('Hi there!', 900);

let gateway: TestGateway;
let gate: Gate;

beforeEach(async () => {
  gateway = await startTestGateway();
  gate = new Gate();
  gateway.provider.script('halting', haltedReply(gate, ' again'));
});

afterEach(async () => {
  gate.open();
  await gateway.close();
});

/** Opens a stream that the test reads piece by piece. */
async function openStream({ path }: Pick<Format, 'path'>, model = 'halting', fields: JsonObject = {}): Promise<RawConnection> {
  const connection = await RawConnection.open(gateway.url);
  const body = JSON.stringify({ ...BODY, model, stream: true, ...fields });
  void connection.send(`POST ${path} HTTP/1.1\r\nhost: test\r\nx-api-key: ${gateway.caller.key}\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`);
  return connection;
}

function requestIdIn(reply: string): RequestId {
  return /x-request-id: (req_\w+)/.exec(reply)?.[1] as RequestId;
}

async function recordOf(requestId: RequestId): Promise<UsageRecord | null> {
  return gateway.parts.store.usage.find(gateway.caller.account.id, requestId);
}

async function reserved(): Promise<string | undefined> {
  return (await gateway.parts.store.ledger.balanceOf(gateway.caller.account.id))?.reserved.toString();
}

describe.each(FORMATS)('a reply in the $name format', ({ name: format, path, readStream }) => {
  it('has the limits in its headers if it is streamed, and ends with a receipt equal to the usage record', async () => {
    const reply = await gateway.post(path, { ...BODY, model: 'mini', stream: true });
    const { figures, fallbackUsed } = readStream(await reply.text());
    const record = await recordOf(reply.headers.get('x-request-id') as RequestId);
    expect(Object.fromEntries(reply.headers)).toMatchObject({
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-store',
      'x-accel-buffering': 'no',
      'x-svc-model': 'small',
      'x-ratelimit-limit-requests': '60',
      'x-ratelimit-remaining-requests': '59',
      'x-ratelimit-reset-requests': '60s',
    });
    expect(reply.headers.has('x-svc-balance')).toBe(false);
    expect([figures, fallbackUsed]).toEqual([record === null ? null : figuresOf(record), false]);
    expect(record).toMatchObject({ format, streamed: true, requestedModel: 'mini', reason: 'completed' });
  });

  it('has the balance and the recorded charge in its headers if it is whole', async () => {
    const reply = await gateway.post(path, { ...BODY, model: 'backed-up' });
    const body = (await reply.json()) as { usage: object };
    const record = await recordOf(reply.headers.get('x-request-id') as RequestId);
    const balance = await gateway.parts.store.ledger.balanceOf(gateway.caller.account.id);
    expect(Object.fromEntries(reply.headers)).toMatchObject({
      'content-type': 'application/json; charset=utf-8',
      'cache-control': 'no-store',
      'x-svc-model': 'backed-up',
      'x-svc-tokens-debited': record?.charge.amount.toString(),
      'x-svc-balance': balance === null ? null : availableOf(balance).toString(),
      'x-ratelimit-remaining-requests': '59',
    });
    expect(body.usage).toMatchObject({ svc_tokens_debited: record?.charge.amount.toString() });
    expect(record).toMatchObject({ format, streamed: false, reason: 'completed' });
  });

  it('names the fallback in its headers if a fallback served it', async () => {
    gateway.provider.script('backed-up', { refuses: new ProviderFailure('unavailable', 'down'), steps: [] });
    const reply = await gateway.post(path, { ...BODY, model: 'backed-up' });
    expect([reply.status, reply.headers.get('x-svc-model')]).toEqual([200, 'small']);
    expect(gateway.parts.logged).toContainEqual(expect.objectContaining({ msg: 'a candidate failed to serve a request', model: 'backed-up' }));
  });

  it('ends with an error frame if it breaks off, and is charged for the relayed output', async () => {
    gateway.provider.script('small', {
      steps: [...textSteps('Hello', '!').slice(0, 1), { type: 'fail', failure: new ProviderFailure('unavailable', 'secret upstream text') }],
    });
    const reply = await gateway.post(path, { ...BODY, model: 'small', stream: true });
    const text = await reply.text();
    expect(readStream(text).error).toMatchObject({ code: 'provider_unavailable', request_id: reply.headers.get('x-request-id') });
    expect(text).not.toContain('secret');
    const record = await recordOf(reply.headers.get('x-request-id') as RequestId);
    expect(record).toMatchObject({ reason: 'provider_failed', usage: { visibleOutputTokens: 5, source: 'counted' } });
    expect(record?.charge.amount.isZero()).toBe(false);
  });
});

describe.each(FORMATS)('a silent stream in the $name format', (of) => {
  it('gets a keep-alive after ten seconds, and another after ten more', async () => {
    const connection = await openStream(of);
    await connection.until('Hello');
    gateway.clock.advance(9_999);
    expect(of.keepAlives(connection.received)).toBe(0);
    gateway.clock.advance(1);
    await eventually(() => of.keepAlives(connection.received) === 1);
    gateway.clock.advance(10_000);
    gate.open();
    const stream = await connection.until('again');
    expect(of.keepAlives(stream)).toBe(2);
    connection.destroy();
  });
});

it('the ten seconds before a keep-alive start again after each event', async () => {
  const second = new Gate();
  const [hello, more, ...rest] = textSteps('Hello', 'more', '!');
  gateway.provider.script('halting', {
    steps: [hello, { type: 'wait', gate }, more, { type: 'wait', gate: second }, ...rest, endStep(REPORTED_USAGE)] as ProviderStep[],
  });
  const connection = await openStream(CHAT);
  await connection.until('Hello');
  gateway.clock.advance(9_000);
  gate.open();
  await connection.until('more');
  gateway.clock.advance(9_999);
  second.open();
  expect(CHAT.keepAlives(await connection.until('[DONE]'))).toBe(0);
  connection.destroy();
});

it('the ten seconds before a keep-alive do not start again after a piece of a custom call that yields no frame', async () => {
  const second = new Gate();
  gateway.provider.script('halting', {
    steps: [
      yielding({ type: 'block-start', index: 0, block: { type: 'tool-call', id: 'call_1', name: 'apply_patch' } }), yielding({ type: 'block-delta', index: 0, delta: '{"input":"*** ' }),
      { type: 'wait', gate }, yielding({ type: 'block-delta', index: 0, delta: 'Begin ' }),
      { type: 'wait', gate: second }, yielding({ type: 'block-delta', index: 0, delta: 'Patch"}' }), yielding({ type: 'block-end', index: 0, signature: null }), endStep(REPORTED_USAGE),
    ],
  });
  const connection = await openStream(RESPONSES, 'halting', { tools: [{ type: 'custom', name: 'apply_patch' }] });
  await connection.until('response.output_item.added');
  gateway.clock.advance(9_000);
  const stream = gateway.provider.streams.at(-1);
  await eventually(() => stream?.reads === 3);
  gate.open();
  await eventually(() => stream?.reads === 4);
  gateway.clock.advance(1_000);
  await eventually(() => RESPONSES.keepAlives(connection.received) === 1);
  second.open();
  expect(await connection.until('response.completed')).toContain('"input":"*** Begin Patch"');
  connection.destroy();
});

describe('a client that disconnects', () => {
  it.each(FORMATS)('during a stream of $path stops the upstream, and is charged for the relayed output', async (format) => {
    const connection = await openStream(format);
    const requestId = requestIdIn(await connection.until('Hello'));
    connection.destroy();
    const lineOfIt = () => gateway.parts.logged.find((line) => line['requestId'] === requestId && line['msg'] === 'request');
    await eventually(() => lineOfIt() !== undefined);
    expect(gateway.provider.calls.at(-1)?.signal).toMatchObject({ aborted: true, reason: 'client-left' });
    expect(gateway.provider.openStreams).toBe(0);
    const record = await recordOf(requestId);
    expect(record).toMatchObject({ reason: 'client_left', usage: { visibleOutputTokens: 5 } });
    expect(lineOfIt()).toMatchObject({ clientLeft: true, endReason: 'client_left', charged: record?.charge.amount.toString(), model: 'halting' });
    expect(await reserved()).toBe('0');
  });

  it.each(FORMATS)('pays for no chunk of $path that arrives after the disconnection, even before the gateway notices it', async (format) => {
    const [first, ...later] = textSteps('Hello', 'more', 'and more');
    const together = [...later, endStep(null)].flatMap((step) => (step.type === 'yield' ? step.batch : []));
    gateway.provider.script('halting', { steps: [first, { type: 'wait', gate }, yielding(...together)] as ProviderStep[] });
    const sockets: Socket[] = [];
    const keep = (message: unknown): void => void sockets.push((message as { readonly socket: Socket }).socket);
    subscribe('http.server.request.start', keep);
    const connection = await openStream(format);
    const requestId = requestIdIn(await connection.until('Hello'));
    unsubscribe('http.server.request.start', keep);
    connection.destroy();
    await eventually(() => sockets.some(({ writable }) => !writable));
    expect(gateway.provider.calls.at(-1)?.signal.reason).toBeUndefined();
    gate.open();
    await eventually(() => gateway.parts.logged.some((line) => line['requestId'] === requestId && line['msg'] === 'request'));
    expect(await recordOf(requestId)).toMatchObject({ reason: 'client_left', usage: { visibleOutputTokens: 5, source: 'counted' } });
    expect(await reserved()).toBe('0');
  });

  it.each(FORMATS)('while it waits for a whole reply of $path stops the upstream too', async ({ path }) => {
    const leaving = new AbortController();
    const body = JSON.stringify({ ...BODY, model: 'halting' });
    const reply = gateway.fetch(path, { method: 'POST', body, signal: leaving.signal }).catch((error: unknown) => error);
    await eventually(() => gateway.provider.openStreams === 1);
    leaving.abort();
    await reply;
    await eventually(() => gateway.parts.logged.some(({ status }) => status === 499));
    expect(gateway.parts.logged.find(({ status }) => status === 499)).toMatchObject({ endReason: 'client_left', charged: expect.any(String) });
    expect(gateway.provider.openStreams).toBe(0);
    expect(await reserved()).toBe('0');
  });
});

describe('a client that stops reading', () => {
  const PIECE = 'x'.repeat(65_536);
  const PIECES = 400;

  beforeEach(async () => {
    const amount = ServiceTokens.parse('100000000');
    await gateway.gateway.accountAdministration.credit({ accountId: gateway.caller.account.id, amount, reference: 'more', actor: SYSTEM_ACTOR });
    const pieces = Array.from({ length: PIECES }, () => yielding({ type: 'block-delta', index: 0, delta: PIECE }));
    gateway.provider.script('flooding', {
      steps: [
        yielding({ type: 'block-start', index: 0, block: { type: 'text' } }), ...pieces,
        yielding({ type: 'block-end', index: 0, signature: null }), endStep(REPORTED_USAGE),
      ],
    });
  });

  /** Number of times that the gateway has read from the upstream, once it reads no more. */
  async function readsAtRest(): Promise<number> {
    const stream = gateway.provider.streams.at(-1);
    let quiet = 0;
    let last = stream?.reads ?? 0;
    await eventually(() => {
      const now = stream?.reads ?? 0;
      quiet = now === last ? quiet + 1 : 0;
      last = now;
      return quiet > 2000;
    });
    return last;
  }

  it('makes the gateway stop reading the upstream, and read again when the client does', async () => {
    const connection = await openStream(CHAT, 'flooding', { max_tokens: 30_000_000 });
    await connection.until('xxx');
    connection.pause();
    const atRest = await readsAtRest();
    expect(atRest).toBeLessThan(PIECES / 2);
    connection.resume();
    await eventually(() => (gateway.provider.streams.at(-1)?.reads ?? 0) > PIECES);
    connection.destroy();
  });

  /** Resolves when the gateway has read the kernel's connection tables once more. */
  async function connectionsLookedAt(): Promise<void> {
    await unacknowledgedBytes({ localAddress: '127.0.0.1', localPort: 1, remoteAddress: '127.0.0.1', remotePort: 1 } as Socket);
    await unacknowledgedBytes({ localAddress: '127.0.0.1', localPort: 1, remoteAddress: '127.0.0.1', remotePort: 1 } as Socket);
  }

  /** Advances the clock by half a minute, in steps after which leases can be renewed. */
  async function halfMinute(): Promise<void> {
    for (let passed = 0; passed < 30_000; passed += 5_000) {
      gateway.clock.advance(5_000);
      await connectionsLookedAt();
    }
  }

  it('and then reads slowly is not cut off as long as it reads something each minute', async () => {
    const connection = await openStream(CHAT, 'flooding', { max_tokens: 8_000_000 });
    const requestId = requestIdIn(await connection.until('xxx'));
    connection.pause();
    await readsAtRest();
    for (let taken = 0; taken < 8; taken += 1) {
      await halfMinute();
      await connection.take(300_000);
      expect(gateway.provider.openStreams).toBe(1);
    }
    // The last bytes that the client read still count for the minute in which they arrived.
    while (!gateway.parts.logged.some((line) => line['requestId'] === requestId)) await halfMinute();
    expect(await recordOf(requestId)).toMatchObject({ reason: 'client_left' });
    connection.destroy();
  });

  it('pays for the sent data and at most one chunk more', async () => {
    const chunk = 'x'.repeat(1024);
    const chunks = Array.from({ length: 12_000 }, () => yielding({ type: 'block-delta', index: 0, delta: chunk }));
    gateway.provider.script('flooding', { steps: [yielding({ type: 'block-start', index: 0, block: { type: 'text' } }), ...chunks] });
    const connection = await openStream(CHAT, 'flooding', { max_tokens: 8_000_000 });
    const requestId = requestIdIn(await connection.until('xxx'));
    connection.pause();
    await readsAtRest();
    gateway.clock.advance(60_000);
    await eventually(() => gateway.parts.logged.some((line) => line['requestId'] === requestId));
    connection.resume();
    const received = (await connection.untilClosed()).split(chunk).length - 1;
    const charged = ((await recordOf(requestId))?.usage.visibleOutputTokens ?? 0) / chunk.length;
    expect([received, received + 1]).toContain(charged);
  });

  it.each([['a whole reply', { stream: false }], ['the end of a stream', { stream: true }]])('for a minute while it is sent %s is cut off too', async (_, fields) => {
    gateway.provider.script('flooding', {
      steps: [
        yielding(
          { type: 'block-start', index: 0, block: { type: 'text' } }, { type: 'block-delta', index: 0, delta: 'x'.repeat(8_000_000) },
          { type: 'block-end', index: 0, signature: null }, { type: 'provider-end', stopReason: 'end', usage: null },
        ),
      ],
    });
    const connection = await openStream(CHAT, 'flooding', { max_tokens: 8_000_000, ...fields });
    const requestId = requestIdIn(await connection.until('xxx'));
    connection.pause();
    const isOver = () => gateway.parts.logged.some((line) => line['requestId'] === requestId);
    for (let looks = 0; looks < 20; looks += 1) await connectionsLookedAt();
    expect(isOver()).toBe(false);
    gateway.clock.advance(60_000);
    await eventually(isOver);
    connection.destroy();
  });

  it('for a minute is treated as disconnected', async () => {
    const connection = await openStream(CHAT, 'flooding', { max_tokens: 30_000_000 });
    const requestId = requestIdIn(await connection.until('xxx'));
    connection.pause();
    await readsAtRest();
    gateway.clock.advance(60_000);
    await eventually(() => gateway.parts.logged.some((line) => line['requestId'] === requestId));
    expect(await recordOf(requestId)).toMatchObject({ reason: 'client_left' });
    expect(gateway.provider.openStreams).toBe(0);
    connection.destroy();
  });
});
