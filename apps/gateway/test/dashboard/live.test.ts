import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { contract, liveEvents } from '@tollgate/api-contract';
import { instant, MILLISECONDS_PER_SECOND, SYSTEM_ACTOR } from '@tollgate/core';
import { LimiterHealth } from '../../src/observability/limiter-health.js';
import { LiveFeed, MAX_LIVE_STREAMS } from '../../src/live/live-feed.js';
import { EventStream, eventually } from '../../src/test-support/test-client.js';
import { startTestGateway, type TestGateway } from '../../src/test-support/start-test-gateway.js';
import { addPerson, TestBrowser, type TestPerson } from '../../src/test-support/test-browser.js';

let running: TestGateway;
let ann: TestPerson;
let another: TestPerson;
let browser: TestBrowser;
let feed: LiveFeed;
const open: EventStream[] = [];

const CHAT = { model: 'small', messages: [{ role: 'user', content: 'Hello' }] };

beforeAll(async () => {
  running = await startTestGateway();
  ann = await addPerson(running.gateway, 'ann@example.com', 'operator');
  feed = running.gateway.container.get(LiveFeed);
  // With a second operator, one of them can be demoted; the last one could not.
  another = await addPerson(running.gateway, 'another@example.com', 'operator');
});
afterAll(() => running.close());
beforeEach(async () => {
  await seconds(1);
  browser = new TestBrowser(running.gateway);
  await browser.call(contract.signIn, { body: { email: 'ann@example.com', password: ann.password } });
});
afterEach(async () => {
  for (const stream of open.splice(0)) stream.close();
  await eventually(() => feed.size === 0);
});

function watch(headers: Readonly<Record<string, string>> = {}): EventStream {
  const cookie = [...browser.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
  const stream = new EventStream(`${running.url}/dashboard/api/operator/live`, { host: `localhost:${new URL(running.url).port}`, cookie, ...headers });
  open.push(stream);
  return stream;
}

/** Serves requests one after the other, and waits until all are counted. */
async function serve(count: number): Promise<void> {
  for (let number = 0; number < count; number += 1) {
    const response = await running.post('/v1/chat/completions', CHAT);
    await response.text();
  }
  await eventually(() => running.gateway.runningRequests === feed.size);
}

/** Advances the clock second by second, and waits until each second is delivered. */
async function seconds(count: number): Promise<void> {
  for (let number = 0; number < count; number += 1) {
    running.clock.advance(MILLISECONDS_PER_SECOND);
    await new Promise((resolve) => {
      setImmediate(resolve);
    });
  }
}

describe('the live view', () => {
  it('starts with a snapshot of the last fifteen minutes, and continues with the figures of each second', async () => {
    await serve(2);
    await running.post('/v1/chat/completions', { ...CHAT, model: 'ghost' });
    await seconds(1);
    const stream = watch();
    const [snapshot] = await stream.of('snapshot');
    expect(liveEvents.snapshot.parse(snapshot?.data).seconds.at(-1)).toMatchObject({ requests: 3, codes: { 200: 2 }, refused: { model_not_found: 1 }, first_token_ms: { p50: 1, p95: 1 } });
    expect(snapshot?.id).toBe(String(running.clock.now() / MILLISECONDS_PER_SECOND - 1));
    await serve(1);
    await seconds(1);
    const [tick] = await stream.of('tick');
    expect(liveEvents.tick.parse(tick?.data)).toMatchObject({ requests: 1, codes: { 200: 1 }, running: 0, reserved: '0', gateways: 1 });
    expect(Number(tick?.id)).toBe(Number(snapshot?.id) + 1);
    const [requests] = await stream.of('requests');
    const { requests: [latest], skipped } = liveEvents.requests.parse(requests?.data);
    const record = await running.fetch(`/v1/usage/${latest?.request_id ?? ''}`);
    expect(await record.json()).toMatchObject({ svc_tokens_debited: latest?.svc_tokens });
    expect([skipped, latest?.account_id, latest?.model, latest?.status]).toEqual([0, running.caller.account.id, 'small', 200]);
  });

  it('answers HEAD with the headers of the stream, without counting the client as a reader', async () => {
    const head = await browser.send({ method: 'HEAD', path: '/dashboard/api/operator/live' });
    expect([head.status, head.headers['content-type'], head.headers['cache-control'], feed.size]).toEqual([200, 'text/event-stream; charset=utf-8', 'no-store', 0]);
  });

  it('begins with the hundred newest requests of the last fifteen minutes, and repeats none of them', async () => {
    running.clock.advance(901 * MILLISECONDS_PER_SECOND);
    const first = watch();
    await first.of('snapshot');
    await serve(102);
    const [snapshot] = await watch().of('snapshot');
    await seconds(1);
    const stream = watch();
    const [later] = await stream.of('snapshot');
    const [before, after] = [snapshot, later].map((event) => liveEvents.snapshot.parse(event?.data).requests);
    const [sent] = await first.of('requests');
    const pending = liveEvents.requests.parse(sent?.data).requests;
    expect([before?.length, after?.length, pending.length]).toEqual([80, 100, 20]);
    expect(after).toEqual([...pending, ...before ?? []]);
    await seconds(1);
    await stream.of('tick');
    expect(stream.events.filter(({ event }) => event === 'requests')).toHaveLength(0);
    running.clock.advance(901 * MILLISECONDS_PER_SECOND);
    const [old] = await watch().of('snapshot');
    expect(liveEvents.snapshot.parse(old?.data).requests).toEqual([]);
  });

  it('shows playground requests like requests with a key, and no other requests of the dashboard', async () => {
    const stream = watch();
    await stream.of('snapshot');
    expect((await browser.call(contract.me)).status).toBe(200);
    expect((await browser.call(contract.playgroundChat, { body: CHAT })).status).toBe(402);
    await eventually(() => running.gateway.runningRequests === feed.size);
    await seconds(1);
    const [requests] = await stream.of('requests');
    expect(liveEvents.requests.parse(requests?.data).requests).toMatchObject([{ endpoint: '/dashboard/api/playground/chat', account_id: ann.person.accountId, code: 'insufficient_balance' }]);
    expect((await stream.of('tick')).at(-1)?.data).toMatchObject({ requests: 1, codes: {}, refused: { insufficient_balance: 1 } });
  });

  it('shows the twenty newest requests of a second, and how many more there were', async () => {
    const stream = watch();
    await stream.of('snapshot');
    await serve(23);
    await seconds(1);
    const [requests] = await stream.of('requests');
    const parsed = liveEvents.requests.parse(requests?.data);
    expect([parsed.requests.length, parsed.skipped]).toEqual([20, 3]);
    expect((await stream.of('tick')).at(-1)?.data).toMatchObject({ requests: 23 });
    await seconds(1);
    await stream.of('tick', 2);
    expect(stream.events.filter(({ event }) => event === 'requests')).toHaveLength(1);
  });

  it('sends the figures of each second separately, even if the process was busy', async () => {
    const stream = watch();
    await stream.of('snapshot');
    await serve(2);
    running.clock.set(instant(running.clock.now() + 3 * MILLISECONDS_PER_SECOND));
    await serve(1);
    running.clock.advance(0);
    await stream.of('tick', 2);
    await seconds(1);
    const ticks = (await stream.of('tick', 3)).map(({ data }) => liveEvents.tick.parse(data));
    expect(ticks.map(({ requests }) => requests).filter((requests) => requests > 0)).toEqual([2, 1]);
  });

  it('resumes after the last second that the browser saw, and sends a snapshot after a longer interruption', async () => {
    const first = watch();
    const [snapshot] = await first.of('snapshot');
    first.close();
    await serve(1);
    await seconds(1);
    const resumed = watch({ 'last-event-id': snapshot?.id ?? '' });
    const [missed] = await resumed.of('tick');
    expect([missed?.id, resumed.events.length]).toEqual([String(Number(snapshot?.id) + 1), 1]);
    expect(liveEvents.tick.parse(missed?.data)).toMatchObject({ requests: 1, running: null, reserved: null });
    await watch({ 'last-event-id': '12' }).of('snapshot');
    await watch({ 'last-event-id': 'x' }).of('snapshot');
  });

  it('drops data older than fifteen minutes', async () => {
    await serve(1);
    running.clock.advance(901 * MILLISECONDS_PER_SECOND);
    const [snapshot] = await watch().of('snapshot');
    const { since, seconds: remembered } = liveEvents.snapshot.parse(snapshot?.data);
    expect([Date.parse(since) + 900 * MILLISECONDS_PER_SECOND, remembered]).toEqual([running.clock.now(), []]);
  });

  it('reports the start and end of alerts', async () => {
    const { container } = running.gateway;
    const stream = watch();
    await stream.of('snapshot');
    container.get(LimiterHealth).fellBack(new Error('gone'), null);
    await seconds(1);
    const alerts = async (least: number) => (await stream.of('alert', least)).map(({ data }) => liveEvents.alert.parse(data)).filter(({ kind }) => kind === 'limits-counted-locally');
    expect((await alerts(1)).map(({ state }) => state)).toEqual(['raised']);
    const late = watch();
    const [snapshot] = await late.of('snapshot');
    expect(liveEvents.snapshot.parse(snapshot?.data).alerts).toContainEqual({ kind: 'limits-counted-locally', subject: null });
    container.get(LimiterHealth).recovered();
    await seconds(1);
    expect((await alerts(2)).map(({ state }) => state)).toEqual(['raised', 'ended']);
  });

  it('sends a comment every fifteen seconds', async () => {
    const stream = watch();
    await stream.of('snapshot');
    await seconds(15);
    await eventually(() => stream.comments > 0);
    expect(stream.comments).toBe(1);
  });
});

describe('a live stream', () => {
  it('ends within ten seconds after its session ends or its person is no longer an operator', async () => {
    const stream = watch();
    await stream.of('snapshot');
    await browser.call(contract.signOut);
    await seconds(10);
    await stream.ended();
    await browser.call(contract.signIn, { body: { email: 'ann@example.com', password: ann.password } });
    const other = watch();
    await other.of('snapshot');
    const by = { actor: SYSTEM_ACTOR, at: running.clock.now() };
    await running.gateway.people.setRole(ann.person.id, 'owner', by);
    await seconds(10);
    await other.ended();
    expect(stream.status).toBe(200);
    await running.gateway.people.setRole(ann.person.id, 'operator', by);
  });

  it('does not extend its session', async () => {
    const stream = watch();
    await stream.of('snapshot');
    const used = async () => (await running.parts.store.sessions.list(ann.person.id)).map(({ lastUsedAt }) => lastUsedAt);
    const before = await used();
    for (let minute = 0; minute < 10; minute += 1) {
      running.clock.advance(60_000);
      await new Promise(setImmediate);
    }
    expect(await used()).toEqual(before);
  });

  it('is refused while twenty streams of the same operator are open', async () => {
    const streams = Array.from({ length: MAX_LIVE_STREAMS }, () => watch());
    await Promise.all(streams.map((stream) => stream.of('snapshot')));
    const refused = await browser.call(contract.live);
    expect([refused.status, refused.body.error?.code]).toEqual([503, 'server_busy']);
    streams[0]?.close();
    await eventually(() => feed.size < MAX_LIVE_STREAMS);
    await watch().of('snapshot');
  });

  it('of an operator with fewer streams replaces the oldest stream of the operator with the most, if twenty are open', async () => {
    const streams = Array.from({ length: MAX_LIVE_STREAMS }, () => watch());
    await Promise.all(streams.map((stream) => stream.of('snapshot')));
    browser = new TestBrowser(running.gateway);
    await browser.call(contract.signIn, { body: { email: 'another@example.com', password: another.password } });
    await watch().of('snapshot');
    expect(feed.size).toBe(MAX_LIVE_STREAMS);
  });

  it('is refused while the gateway stops, and the message says so', async () => {
    const stopping = await startTestGateway();
    const bob = await addPerson(stopping.gateway, 'bob@example.com', 'operator');
    const page = new TestBrowser(stopping.gateway);
    await page.call(contract.signIn, { body: { email: 'bob@example.com', password: bob.password } });
    stopping.gateway.container.get(LiveFeed).close();
    const refused = await page.call(contract.live);
    await stopping.close();
    expect([refused.status, refused.body.error?.message]).toEqual([503, 'This gateway is stopping. Please try again.']);
  });

  it('ends immediately when the gateway stops', async () => {
    const stopping = await startTestGateway({ settings: { shutdownGraceMilliseconds: 1_000_000 } });
    const bob = await addPerson(stopping.gateway, 'bob@example.com', 'operator');
    const page = new TestBrowser(stopping.gateway);
    await page.call(contract.signIn, { body: { email: 'bob@example.com', password: bob.password } });
    const cookie = [...page.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const stream = new EventStream(`${stopping.url}/dashboard/api/operator/live`, { host: `localhost:${new URL(stopping.url).port}`, cookie });
    await stream.of('snapshot');
    await stopping.close();
    await stream.ended();
    expect(stream.events.map(({ event }) => event)).toEqual(['snapshot']);
  });
});
