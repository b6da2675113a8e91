import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { IncomingMessage } from 'node:http';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { type RequestId, ServiceTokens, SYSTEM_ACTOR } from '@tollgate/core';
import { checkChatStream, Gate, textSteps, yielding } from '@tollgate/testkit';
import { bodyOfEveryFormat, FORMATS } from './acceptance/support/formats.js';
import { eventually, RawConnection } from '../src/test-support/test-client.js';
import { haltedReply } from '../src/test-support/test-catalogue.js';
import { startTestGateway, type TestGateway } from '../src/test-support/start-test-gateway.js';

const BODY = { model: 'halting', ...bodyOfEveryFormat('Hi', 900) };
const GRACE = 30_000;

let gateway: TestGateway;
let gate: Gate;

beforeEach(async () => {
  gateway = await startTestGateway({ settings: { shutdownGraceMilliseconds: GRACE } });
  gate = new Gate();
  gateway.provider.script('halting', haltedReply(gate));
});

afterEach(async () => {
  gate.open();
  await gateway.close();
});

function request(path: string, body: string): string {
  return `POST ${path} HTTP/1.1\r\nhost: test\r\nx-api-key: ${gateway.caller.key}\r\ncontent-length: ${body.length}\r\n\r\n${body}`;
}

describe('a gateway that is asked to stop', () => {
  it('lets a running stream complete', async () => {
    const reply = await gateway.post('/v1/chat/completions', { ...BODY, stream: true });
    const closed = gateway.close();
    gateway.clock.advance(GRACE - 1);
    gate.open();
    expect(checkChatStream(await reply.text())).toMatchObject({ text: 'Hello!', error: null });
    await closed;
  });

  it.each(FORMATS)('reports at once that it is not ready, and serves $path as before until the delay is over', async ({ path }) => {
    const delayed = await startTestGateway({ settings: { shutdownDelayMilliseconds: 10_000, shutdownGraceMilliseconds: GRACE } });
    try {
      const ready = async () => {
        const reply = await delayed.fetch('/readyz');
        return [reply.status, (await reply.json() as { readonly status: string }).status];
      };
      const generate = async () => {
        const { status, headers } = await delayed.post(path, { ...bodyOfEveryFormat('Hi', 900), model: [...delayed.parts.catalogue.current().models][0]?.slug });
        return [status, headers.get('connection')];
      };
      await delayed.clock.advanceAsync(1);
      const closed = delayed.close();
      expect(await ready()).toEqual([503, 'stopping']);
      delayed.clock.advance(9_999);
      expect(await generate()).toEqual([200, 'keep-alive']);
      expect(await ready()).toEqual([503, 'stopping']);
      delayed.clock.advance(1);
      await closed;
      await expect(fetch(`${delayed.url}/healthz`)).rejects.toThrow('fetch failed');
    } finally {
      await delayed.close();
    }
  });

  it('refuses generations after its delay, while those that run continue', async () => {
    const delayed = await startTestGateway({ settings: { shutdownDelayMilliseconds: 10_000, shutdownGraceMilliseconds: GRACE } });
    delayed.provider.script('halting', haltedReply(gate));
    const closed = delayed.close();
    const streaming = await delayed.post('/v1/messages', { ...BODY, stream: true });
    await delayed.clock.advanceAsync(10_000);
    expect((await delayed.post('/v1/messages', BODY)).status).toBe(503);
    gate.open();
    expect(await streaming.text()).toContain('message_stop');
    await closed;
  });

  it('does not wait for a client that disconnected during the look-up of its key', async () => {
    const { keys } = gateway.parts.store;
    const [look, answer] = [keys.findByHash.bind(keys), new Gate()];
    keys.findByHash = async (hash) => {
      await answer.opened;
      return look(hash);
    };
    const arrived: IncomingMessage[] = [];
    const take = (message: unknown): void => void arrived.push((message as { readonly request: IncomingMessage }).request);
    subscribe('http.server.request.start', take);
    const connection = await RawConnection.open(gateway.url);
    await connection.send(request('/v1/messages', JSON.stringify(BODY)));
    await eventually(() => arrived.length === 1);
    unsubscribe('http.server.request.start', take);
    connection.destroy();
    await eventually(() => arrived.some(({ destroyed }) => destroyed));
    answer.open();
    await gateway.close();
    expect(gateway.provider.calls).toEqual([]);
  });

  it('accepts no connections once it has stopped', async () => {
    await gateway.close();
    await expect(fetch(`${gateway.url}/healthz`)).rejects.toThrow('fetch failed');
  });

  it('refuses new generations, answers reads, is not ready, and closes every connection after a reply', async () => {
    const streaming = await gateway.post('/v1/chat/completions', { ...BODY, stream: true });
    const closed = gateway.close();
    const refused = await gateway.post('/v1/messages', BODY);
    expect([refused.status, refused.headers.get('retry-after'), refused.headers.get('connection')]).toEqual([503, '2', 'close']);
    expect(await refused.json()).toMatchObject({ type: 'error', error: { code: 'provider_unavailable' } });
    const [account, ready, alive] = await Promise.all(['/v1/account', '/readyz', '/healthz'].map((path) => gateway.fetch(path)));
    expect([account?.status, ready?.status, alive?.status]).toEqual([200, 503, 200]);
    expect(await ready?.json()).toEqual({ status: 'stopping', store: 'ok', models: 'ok' });
    gate.open();
    await streaming.text();
    await closed;
    expect(gateway.provider.calls).toHaveLength(1);
  });

  it.each(FORMATS)('ends a stream of $path with an error frame once the grace period is over, and settles the request', async ({ path, readStream }) => {
    const reply = await gateway.post(path, { ...BODY, stream: true });
    const closed = gateway.close();
    gateway.clock.advance(GRACE);
    const { error } = readStream(await reply.text());
    expect(error).toMatchObject({ code: 'provider_unavailable', message: 'The service is restarting. Please try again.' });
    await closed;
    const { usage, ledger } = gateway.parts.store;
    const accountId = gateway.caller.account.id;
    expect(await usage.find(accountId, reply.headers.get('x-request-id') as RequestId)).toMatchObject({ reason: 'shutdown', usage: { visibleOutputTokens: 5 } });
    expect((await ledger.balanceOf(accountId))?.reserved.isZero()).toBe(true);
    expect(gateway.provider.openStreams).toBe(0);
  });

  it('answers a whole request with 503 if it still runs at the end of the grace period', async () => {
    const reply = gateway.post('/v1/messages', BODY);
    await eventually(() => gateway.provider.openStreams === 1);
    const closed = gateway.close();
    gateway.clock.advance(GRACE);
    const { status, headers } = await reply;
    expect([status, headers.get('x-ratelimit-limit-requests')]).toEqual([503, '60']);
    await closed;
  });

  it('disconnects clients that do not read when the grace period has passed', async () => {
    const flood = Array.from({ length: 400 }, () => yielding({ type: 'block-delta', index: 0, delta: ' '.repeat(65_536) }));
    gateway.provider.script('flooding', { steps: [...textSteps('Hello', '').slice(0, 1), ...flood, { type: 'hang' }] });
    await gateway.gateway.accountAdministration.credit({
      accountId: gateway.caller.account.id, amount: ServiceTokens.parse('1000000'), reference: 'more', actor: SYSTEM_ACTOR,
    });
    const connection = await RawConnection.open(gateway.url);
    void connection.send(request('/v1/messages', JSON.stringify({ ...BODY, model: 'flooding', max_tokens: 8_000_000, stream: true })));
    await connection.until('Hello');
    connection.pause();
    const closed = gateway.close();
    await gateway.clock.advanceAsync(GRACE);
    await gateway.clock.advanceAsync(GRACE);
    await closed;
    expect(gateway.provider.openStreams).toBe(0);
    expect((await gateway.parts.store.ledger.balanceOf(gateway.caller.account.id))?.reserved.isZero()).toBe(true);
    connection.destroy();
  });

  it('closes once, however often `close` is called', async () => {
    await Promise.all([gateway.close(), gateway.close()]);
    expect(gateway.clock.pendingTasks).toBe(0);
  });
});
