import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { Gate, type RedisServer, startRedisServer } from '@tollgate/testkit';
import { LimiterHealth } from '../src/observability/limiter-health.js';
import { eventually } from '../src/test-support/test-client.js';
import { haltedReply } from '../src/test-support/test-catalogue.js';
import { SharingGateways, type SharingOptions } from './support/start-sharing-gateways.js';
import { startEmbeddedGateway } from '../src/test-support/start-embedded-gateway.js';

let redis: RedisServer;
let sharing: SharingGateways | null = null;

beforeAll(async () => {
  redis = await startRedisServer();
});
afterEach(async () => {
  await sharing?.close();
  sharing = null;
});
afterAll(() => redis.stop());

async function start(options: Omit<SharingOptions, 'redisUrl' | 'count'>): Promise<SharingGateways> {
  sharing = await SharingGateways.start({ count: 2, redisUrl: redis.path, ...options });
  return sharing;
}

async function statuses(replies: readonly Promise<Response>[]): Promise<Readonly<Record<number, number>>> {
  const counts: Record<number, number> = {};
  for (const { status } of await Promise.all(replies)) counts[status] = (counts[status] ?? 0) + 1;
  return counts;
}

function together(count: number, gateways: SharingGateways): readonly Promise<Response>[] {
  return Array.from({ length: count }, (_, number) => gateways.post(number, {}));
}

describe('two gateways over one Redis', () => {
  it('count unbilled work together, so that an account cannot use up its units at each gateway', async () => {
    const gateways = await start({ limits: { requestsPerMinute: 10 }, unbilledPerMinuteAccount: 10 });
    const refused = (number: number): Promise<Response> => gateways.post(number, { model: 'unknown' });
    // With each of these refusals, the gateway learns the other's counts. Without sharing, each would still have two of its ten units.
    for (let sent = 0; sent < 16; sent += 1) await (await refused(sent)).text();
    expect(await statuses([gateways.post(0, {}), gateways.post(1, {})])).toEqual({ 429: 2 });
  });

  it('serve exactly as many of 100 simultaneous requests as the limit per minute permits', async () => {
    const gateways = await start({ limits: { requestsPerMinute: 40, concurrentRequests: 1000 } });
    expect(await statuses(together(100, gateways))).toEqual({ 200: 40, 429: 60 });
    expect(gateways.provider.calls).toHaveLength(40);
  });

  it('run exactly as many concurrent requests as the account’s limit permits, and another one after they have ended', async () => {
    const gateways = await start({ limits: { requestsPerMinute: 1000, concurrentRequests: 3 } });
    const gate = new Gate();
    gateways.provider.script('halting', haltedReply(gate));
    const running = Array.from({ length: 8 }, (_, number) => gateways.post(number, { model: 'halting', stream: true }));
    expect(await statuses(running)).toEqual({ 200: 3, 429: 5 });
    gate.open();
    await Promise.all((await Promise.all(running)).map((reply) => reply.text()));
    expect((await gateways.post(0, {})).status).toBe(200);
  });

  it('count down the same remaining requests in their headers', async () => {
    const gateways = await start({ limits: { requestsPerMinute: 10 } });
    const remaining: unknown[] = [];
    for (const number of [0, 1, 0, 1]) remaining.push((await gateways.post(number, {})).headers.get('x-ratelimit-remaining-requests'));
    expect(remaining).toEqual(['9', '8', '7', '6']);
  });
});

describe('when Redis is gone,', () => {
  afterEach(() => redis.restart());

  it('two gateways each grant half of the limit, stay ready, and log the outage; after recovery they count together', async () => {
    const gateways = await start({ limits: { requestsPerMinute: 20, concurrentRequests: 1000 }, patience: 'impatient' });
    await gateways.knowEachOther();
    await redis.kill();
    expect(await statuses(together(60, gateways))).toEqual({ 200: 20, 429: 40 });
    const [first] = gateways.gateways;
    expect((await fetch(`${first?.url}/readyz`)).status).toBe(200);
    expect(gateways.messages.filter((message) => String(message).startsWith('Redis does not answer'))).toHaveLength(2);
    await redis.restart();
    await gateways.recovery();
    await eventually(() => gateways.messages.filter((message) => String(message).startsWith('Redis answers')).length === 2);
    const remaining = [await gateways.post(0, {}), await gateways.post(1, {})].map(({ headers }) => headers.get('x-ratelimit-remaining-requests'));
    expect(remaining).toEqual(['19', '18']);
    await redis.kill();
  });

  it('a gateway starts and serves', async () => {
    await redis.kill();
    const gateway = await startEmbeddedGateway({ environment: { REDIS_URL: redis.path } });
    try {
      const reply = await fetch(`${gateway.url}/v1/messages`, {
        method: 'POST',
        headers: { 'x-api-key': gateway.key, 'content-type': 'application/json' },
        body: JSON.stringify({ model: 'sandbox-small', max_tokens: 10, messages: [{ role: 'user', content: 'Hi' }] }),
      });
      expect(reply.status).toBe(200);
      expect(gateway.gateway.container.get(LimiterHealth).isLocal).toBe(true);
    } finally {
      await gateway.close();
    }
  });
});
