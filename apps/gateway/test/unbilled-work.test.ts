import type { Socket } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { invariant, type PlanLimits, storeRefusal, SYSTEM_ACTOR } from '@tollgate/core';
import { services } from '../src/composition/services.js';
import { PROXY_FACTOR } from '../src/http/unbilled-limits.js';
import { aPlan } from '../src/test-support/test-catalogue.js';
import { haltedReply } from '../src/test-support/test-catalogue.js';
import { startTestGateway, type TestCaller, type TestGateway } from '../src/test-support/start-test-gateway.js';
import type { GatewaySettings } from '../src/gateway/gateway-settings.js';
import { Gate } from '@tollgate/testkit';
import { COUNTING_PATHS } from './acceptance/support/formats.js';

const CHAT = '/v1/chat/completions';
const REQUEST = { model: 'small', max_tokens: 5, messages: [{ role: 'user', content: 'Hi' }] };
const LIMIT = 12;

let gateway: TestGateway;
let other: TestCaller;

async function start(settings: Partial<GatewaySettings> = {}, limits: Partial<PlanLimits> = {}): Promise<void> {
  gateway = await startTestGateway({
    settings: { unbilledPerMinuteAccount: LIMIT, unbilledPerMinuteAddress: LIMIT, ...settings }, limits: { requestsPerMinute: LIMIT, ...limits },
  });
  other = await gateway.addCaller('other');
}

beforeEach(() => start());
afterEach(() => gateway.close());

type Act = () => Promise<Response>;

async function statuses(times: number, act: Act): Promise<readonly number[]> {
  const replies: number[] = [];
  for (let sent = 0; sent < times; sent += 1) {
    const reply = await act();
    await reply.arrayBuffer();
    replies.push(reply.status);
  }
  return replies;
}

const served: Act = () => gateway.post(CHAT, REQUEST);

describe('the limit on unbilled work of an account', () => {
  const ACTS: readonly (readonly [string, number, Act])[] = [
    ['requests that are refused', 404, () => gateway.post(CHAT, { ...REQUEST, model: 'unknown' })],
    ['requests whose body is not JSON', 400, () => gateway.fetch(CHAT, { method: 'POST', body: '{' })],
    ['reads', 200, () => gateway.fetch('/v1/models')],
    ['paths without an endpoint', 404, () => gateway.fetch('/v1/nothing')],
    ['methods that are not offered', 405, () => gateway.fetch('/v1/models', { method: 'POST', body: '{}' })],
  ];

  it.each(ACTS)('counts %s, and when it is reached, refuses every request of the account until its window ends', async (_, status, act) => {
    expect(await statuses(LIMIT, act)).toEqual(Array.from({ length: LIMIT }, () => status));
    expect(await statuses(2, act)).toEqual([429, 429]);
    expect((await served()).status).toBe(429);
    expect((await gateway.post(CHAT, REQUEST, { authorization: `Bearer ${other.key}` })).status).toBe(200);
    gateway.clock.advance(60_000);
    expect((await served()).status).toBe(200);
  });

  it('refuses with its own figures and message, and without using the plan’s limits', async () => {
    await statuses(LIMIT, () => gateway.fetch('/v1/models'));
    gateway.clock.advance(15_000);
    const reply = await served();
    const { error } = (await reply.json()) as { readonly error: { readonly code: string; readonly message: string } };
    expect(error).toMatchObject({ code: 'rate_limit_exceeded', message: expect.stringMatching(/unbilled.*This does not count against the limits of a plan/) });
    expect(Object.fromEntries(reply.headers)).toMatchObject({
      'retry-after': '45', 'x-ratelimit-limit-requests': `${LIMIT}`, 'x-ratelimit-remaining-requests': '0', 'x-ratelimit-reset-requests': '45s',
      'x-ratelimit-limit-tokens': '200000', 'x-ratelimit-remaining-tokens': '200000',
    });
    expect(reply.headers.has('x-should-retry')).toBe(false);
    gateway.clock.advance(45_000);
    expect((await served()).headers.get('x-ratelimit-remaining-requests')).toBe(`${LIMIT - 1}`);
  });

  it('never counts served requests, running or ended, or token counts', async () => {
    const running = new Gate();
    gateway.provider.script('halting', haltedReply(running));
    const streams = await Promise.all([1, 2].map(() => gateway.post(CHAT, { ...REQUEST, model: 'halting', stream: true })));
    expect(await statuses(4, served)).toEqual([200, 200, 200, 200]);
    for (const path of COUNTING_PATHS) expect(await statuses(3, () => gateway.post(path, { ...REQUEST, input: 'Hi' }))).toEqual([200, 200, 200]);
    expect(await statuses(LIMIT + 1, () => gateway.fetch('/v1/models'))).toEqual([...Array.from({ length: LIMIT }, () => 200), 429]);
    running.open();
    await Promise.all(streams.map((stream) => stream.text()));
  });

  it('applies to all keys of the account together, and rotation does not renew it', async () => {
    const { keyManagement } = gateway.gateway;
    const { account: { id: accountId }, keyId } = gateway.caller;
    const second = await keyManagement.create({ accountId, plan: aPlan(), name: 'second', expiresAt: null, actor: SYSTEM_ACTOR });
    invariant(second.outcome === 'created', 'the plan has room for another key');
    const by = (key: string): Act => () => gateway.fetch('/v1/models', { headers: { 'x-api-key': key } });
    expect(await statuses(LIMIT - 1, by(gateway.caller.key))).not.toContain(429);
    expect(await statuses(2, by(second.issued.secret.reveal()))).toEqual([200, 429]);
    const rotated = await keyManagement.rotate({ accountId, keyId, actor: SYSTEM_ACTOR });
    invariant(rotated.outcome === 'rotated', 'the key is active');
    expect(await statuses(1, by(rotated.issued.secret.reveal()))).toEqual([429]);
  });

  it('is at least the plan’s requests per minute', async () => {
    await gateway.close();
    await start({}, { requestsPerMinute: LIMIT + 5 });
    expect(await statuses(LIMIT + 6, () => gateway.fetch('/v1/models'))).toEqual([...Array.from({ length: LIMIT + 5 }, () => 200), 429]);
  });

  it('counts replayed replies', async () => {
    const once: Act = () => gateway.post(CHAT, REQUEST, { 'idempotency-key': 'one' });
    expect(await statuses(LIMIT + 2, once)).toEqual([...Array.from({ length: LIMIT + 1 }, () => 200), 429]);
  });

  it('counts requests that the balance could not pay', async () => {
    const poor = await gateway.addCaller('poor', { credit: '0' });
    const act: Act = () => gateway.post(CHAT, REQUEST, { authorization: `Bearer ${poor.key}` });
    expect(await statuses(LIMIT + 1, act)).toEqual([...Array.from({ length: LIMIT }, () => 402), 429]);
  });

  it('counts each 64 KiB of a body like a request', async () => {
    const large: Act = () => gateway.post(CHAT, { ...REQUEST, model: 'unknown', padding: 'x'.repeat(4 * 65_536) });
    expect(await statuses(3, large)).toEqual([404, 404, 429]);
  });

  it('is disabled by 0', async () => {
    await gateway.close();
    await start({ unbilledPerMinuteAccount: 0, unbilledPerMinuteAddress: 0 }, { requestsPerMinute: 5 });
    expect(await statuses(3 * LIMIT, () => gateway.fetch('/v1/models'))).not.toContain(429);
    expect(await statuses(3 * LIMIT, () => fetch(`${gateway.url}/v1/models`))).not.toContain(429);
  });
});

const PUBLIC_PEERS = ['203.0.113.7', '2001:db8::1', '172.32.0.1', '100.63.255.255', '::ffff:203.0.113.7'];

/** Gives new connections a remote address. */
function appearAs(addressOf: () => string): void {
  gateway.gateway.container.get(services.server).prependListener('connection', (socket: Socket) => {
    Object.defineProperty(socket, 'remoteAddress', { value: addressOf() });
  });
}

describe('the limit on unbilled work of an address', () => {
  const strangers: readonly (readonly [string, number, Act])[] = [
    ['without a key', 401, () => fetch(`${gateway.url}/v1/models`)],
    ['with an unknown key', 401, () => gateway.fetch('/v1/models', { headers: { 'x-api-key': `sk-${'x'.repeat(48)}` } })],
    ['without a key to a path without an endpoint', 404, () => fetch(`${gateway.url}/v1/nothing`)],
  ];

  it.each(strangers)('counts requests %s, and never refuses a caller with a valid key', async (_, status, act) => {
    expect(await statuses(LIMIT + 1, act)).toEqual([...Array.from({ length: LIMIT }, () => status), 429]);
    const refused = await act();
    expect(await refused.text()).toContain('without a valid API key from this network');
    expect(refused.headers.get('x-ratelimit-reset-requests')).toBe('60s');
    expect((await served()).status).toBe(200);
    gateway.clock.advance(60_000);
    expect((await act()).status).toBe(status);
  });

  it('counts requests with a revoked key, and never refuses the key that replaced it', async () => {
    const { account: { id: accountId }, keyId, key } = gateway.caller;
    const rotated = await gateway.gateway.keyManagement.rotate({ accountId, keyId, actor: SYSTEM_ACTOR });
    invariant(rotated.outcome === 'rotated', 'the key is active');
    const by = (secret: string): Act => () => gateway.post(CHAT, REQUEST, { authorization: `Bearer ${secret}` });
    expect(await statuses(LIMIT + 2, by(key))).toEqual([...Array.from({ length: LIMIT }, () => 401), 429, 429]);
    expect(await statuses(LIMIT, by(rotated.issued.secret.reveal()))).toEqual(Array.from({ length: LIMIT }, () => 200));
  });

  it('counts no request while keys cannot be checked because the store is unavailable', async () => {
    gateway.parts.store.keys.findByHash = () => Promise.reject(storeRefusal(new Error('away')));
    const replies = await statuses(2 * LIMIT, () => gateway.fetch('/v1/models'));
    expect(new Set([...replies, ...await statuses(2, () => gateway.fetch('/v1/nothing'))])).toEqual(new Set([503]));
  });

  it('does not apply to the health routes', async () => {
    expect(await statuses(3 * LIMIT, () => fetch(`${gateway.url}/healthz`))).not.toContain(429);
    expect(await statuses(LIMIT, () => fetch(`${gateway.url}/v1/models`))).not.toContain(429);
  });

  it.each(['x-forwarded-for', 'forwarded'])('is ten times as high for requests with %s from a private network, which is logged once', async (header) => {
    const forwarded: Act = () => fetch(`${gateway.url}/v1/models`, { headers: { [header]: 'for=192.0.2.1' } });
    const replies = await statuses(PROXY_FACTOR * LIMIT + 2, forwarded);
    expect(replies.indexOf(429)).toBe(PROXY_FACTOR * LIMIT);
    expect((await served()).status).toBe(200);
    const warnings = gateway.parts.logged.filter(({ msg }) => String(msg).includes('TRUST_PROXY is off'));
    expect(warnings).toHaveLength(1);
  });

  it.each(PUBLIC_PEERS)('is not raised for a client at %s, whatever forwarding headers it sends', async (address) => {
    appearAs(() => address);
    let sent = 0;
    const forwarded: Act = () => fetch(`${gateway.url}/v1/models`, { headers: { 'x-forwarded-for': `192.0.2.${(sent += 1)}`, 'forwarded': `for=192.0.2.${sent}` } });
    expect(await statuses(LIMIT + 2, forwarded)).toEqual([...Array.from({ length: LIMIT }, () => 401), 429, 429]);
    expect(gateway.parts.logged.filter(({ msg }) => String(msg).includes('TRUST_PROXY is off'))).toEqual([]);
  });

  it('counts IPv6 clients by /64, /56 and /48; a request refused at one level is counted at none', async () => {
    let network = '0';
    let host = 0;
    appearAs(() => `2001:db8:1:${network}::${(host += 1)}`);
    const stranger: Act = () => fetch(`${gateway.url}/v1/models`, { headers: { connection: 'close' } });
    const servedOf = async (subnet: string): Promise<number> => {
      network = subnet;
      return (await statuses(LIMIT + 2, stranger)).filter((status) => status === 401).length;
    };
    expect([await servedOf('100'), await servedOf('101'), await servedOf('102')]).toEqual([LIMIT, LIMIT, 0]);
    expect([await servedOf('200'), await servedOf('201'), await servedOf('300')]).toEqual([LIMIT, LIMIT, 0]);
  });

  it('is ten times as high for a trusted proxy that states no readable client address', async () => {
    await gateway.close();
    await start({ trustedProxies: ['127.0.0.1'] });
    const unreadable: Act = () => fetch(`${gateway.url}/v1/models`, { headers: { 'x-forwarded-for': 'unknown' } });
    expect((await statuses(PROXY_FACTOR * LIMIT + 2, unreadable)).indexOf(429)).toBe(PROXY_FACTOR * LIMIT);
  });

  it('applies to the client behind a trusted proxy', async () => {
    await gateway.close();
    await start({ trustedProxies: ['127.0.0.1'] });
    const from = (address: string): Act => () => fetch(`${gateway.url}/v1/models`, { headers: { 'x-forwarded-for': address } });
    expect((await statuses(LIMIT + 1, from('2001:db8::1'))).at(-1)).toBe(429);
    expect(await statuses(1, from('2001:db8::2'))).toEqual([429]);
    expect(await statuses(1, from('2001:db8:0:1::1'))).toEqual([401]);
    expect(await statuses(1, from('192.0.2.1'))).toEqual([401]);
  });
});
