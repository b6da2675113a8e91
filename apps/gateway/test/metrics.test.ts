import { createServer } from 'node:http';
import { afterEach, describe, expect, it } from '@jest/globals';
import { type Clock, type LedgerAudit, type LedgerDifference, ProviderFailure } from '@tollgate/core';
import { anEnding, endStep, Gate, OTHER_OWNER, progressOf, reported, reservationId, StoreDriver, textSteps } from '@tollgate/testkit';
import { LimiterHealth } from '../src/observability/limiter-health.js';
import { WalHealth } from '../src/observability/wal-health.js';
import { StartRefused } from '../src/http/server/start-refused.js';
import { eventually } from '../src/test-support/test-client.js';
import { haltedReply } from '../src/test-support/test-catalogue.js';
import { emptyEventCounter, upstreamFailureCounter, upstreamProbeCounter } from '../src/observability/upstream-metrics.js';
import { UpstreamHealth } from '../src/observability/upstream-health.js';
import { startTestGateway, type TestGateway, type TestGatewayOptions } from '../src/test-support/start-test-gateway.js';

const ON_A_FREE_PORT = { metrics: { host: '127.0.0.1', port: 0 }, ledgerVerifyMilliseconds: 60_000 };
/** A sample in the text format of Prometheus. */
const SAMPLE = /^[a-z_0-9]+(\{[a-z_]+="[^"\\\n]*"(,[a-z_]+="[^"\\\n]*")*\})? (-?[\d.]+(e[+-]\d+)?|\+Inf)$/;

function silentHealth(clock: Clock): UpstreamHealth {
  return new UpstreamHealth(clock, { failed: () => undefined, circuitChanged: () => undefined, answered: () => undefined, noticed: () => undefined, probed: () => undefined });
}

let gateway: TestGateway;

afterEach(() => gateway.close());

async function start(options: TestGatewayOptions = {}): Promise<void> {
  gateway = await startTestGateway({ ...options, settings: { ...ON_A_FREE_PORT, ...options.settings } });
}

/** The values of all samples, by name and labels. */
async function collected(): Promise<Readonly<Record<string, number>>> {
  const reply = await fetch(gateway.gateway.metricsUrl ?? '');
  expect([reply.status, reply.headers.get('content-type')]).toEqual([200, 'text/plain; version=0.0.4; charset=utf-8']);
  const lines = (await reply.text()).split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  for (const line of lines) expect(line).toMatch(SAMPLE);
  return Object.fromEntries(lines.map((line) => [line.slice(0, line.lastIndexOf(' ')), Number(line.slice(line.lastIndexOf(' ') + 1))]));
}

/** Waits until no request runs, because a client gets its reply before the gateway has finished the request. */
async function collectedInQuiet(): Promise<Readonly<Record<string, number>>> {
  for (;;) {
    const samples = await collected();
    if (samples['tollgate_requests_running'] === 0) return samples;
  }
}

const REQUEST = { model: 'small', max_tokens: 50, messages: [{ role: 'user', content: 'Hi' }], input: 'Hi' };
const CHAT = '/v1/chat/completions';
const MESSAGES = '/v1/messages';
const RESPONSES = '/v1/responses';

describe('the metrics endpoint', () => {
  it('counts each charge and write-off of sweeps and late settlements once', async () => {
    await start();
    const driver = new StoreDriver(gateway.parts.store);
    const facts = { accountId: gateway.caller.account.id };
    const at = gateway.parts.clock.now();
    await driver.reserve(1, '9', { owner: OTHER_OWNER, facts });
    await gateway.parts.store.ledger.checkpoint({ ownerId: OTHER_OWNER, at, leaseExpiresAt: at, progress: new Map([[reservationId(1), progressOf(4)]]) });
    await gateway.parts.store.ledger.sweep(at);
    expect(await collected()).toMatchObject({ 'tollgate_charged_service_tokens_total{format="chat",model="small"}': 4 });
    const balance = await gateway.parts.store.ledger.balanceOf(facts.accountId);
    for (let times = 0; times < 2; times += 1) await driver.settle(1, anEnding(Number(balance?.posted.toString()) + 7));
    expect(await collected()).toMatchObject({
      'tollgate_charged_service_tokens_total{format="chat",model="small"}': Number(balance?.posted.toString()) + 4, 'tollgate_written_off_service_tokens_total{format="chat",model="small"}': 3,
    });
  });

  it('counts requests by endpoint, code and serving model, with usage and cost', async () => {
    await start();
    await (await gateway.post(CHAT, REQUEST)).text();
    await (await gateway.post(MESSAGES, { ...REQUEST, stream: true })).text();
    const { id } = (await (await gateway.post(RESPONSES, REQUEST)).json()) as { readonly id: string };
    await (await gateway.fetch(`${RESPONSES}/${id}`)).text();
    await (await gateway.post(CHAT, { ...REQUEST, temperature: 'hot' })).text();
    await (await gateway.fetch('/v1/models')).text();
    await (await gateway.fetch('/nowhere')).text();
    expect(await collectedInQuiet()).toMatchObject({
      'tollgate_requests_total{endpoint="/v1/chat/completions",code="ok",model="small"}': 1,
      'tollgate_requests_total{endpoint="/v1/messages",code="ok",model="small"}': 1,
      'tollgate_requests_total{endpoint="/v1/responses",code="ok",model="small"}': 1,
      'tollgate_requests_total{endpoint="/v1/responses/:responseId",code="ok",model=""}': 1,
      'tollgate_requests_total{endpoint="/v1/chat/completions",code="invalid_request",model=""}': 1,
      'tollgate_requests_total{endpoint="/v1/models",code="ok",model=""}': 1,
      'tollgate_requests_total{endpoint="other",code="not_found",model=""}': 1,
      'tollgate_request_duration_seconds_count{endpoint="/v1/chat/completions"}': 2,
      'tollgate_generations_total{format="chat",model="small",delivery="whole",end_reason="completed"}': 1,
      'tollgate_generations_total{format="messages",model="small",delivery="stream",end_reason="completed"}': 1,
      'tollgate_generations_total{format="responses",model="small",delivery="whole",end_reason="completed"}': 1,
      'tollgate_time_to_first_output_seconds_count{model="small"}': 3,
      'tollgate_model_tokens_total{format="chat",model="small",class="uncached_prompt"}': 7,
      'tollgate_model_tokens_total{format="chat",model="small",class="cached_prompt"}': 2,
      'tollgate_model_tokens_total{format="chat",model="small",class="visible_output"}': 3,
      // 7 × 0.001 + 2 × 0.0001 + 3 × 0.002, the price of the usage above
      'tollgate_charged_service_tokens_total{format="chat",model="small"}': 0.0132,
      'tollgate_settlement_failures_total': 0,
    });
  });

  it('compares the estimate of a prompt with the size that its upstream reports', async () => {
    await start();
    // A character counts as a token, so the estimate is 80 tokens plus the overhead of a message. The upstream reports 40.
    gateway.provider.script('small', { steps: [...textSteps('Hello'), endStep(reported(40, 1))] });
    const long = { ...REQUEST, messages: [{ role: 'user', content: 'x'.repeat(80) }] };
    const { input_tokens: estimate } = (await (await gateway.post('/v1/messages/count_tokens', long)).json()) as { readonly input_tokens: number };
    await (await gateway.post(CHAT, long)).text();
    gateway.provider.script('small', { steps: [...textSteps('Hello'), endStep(null)] });
    await (await gateway.post(CHAT, REQUEST)).text();
    const samples = await collectedInQuiet();
    expect(samples).toMatchObject({
      'tollgate_prompt_estimate_ratio_count{model="small"}': 1,
      'tollgate_prompt_estimate_ratio_bucket{le="1.5",model="small"}': 0,
      'tollgate_prompt_estimate_ratio_bucket{le="4",model="small"}': 1,
    });
    expect(samples['tollgate_prompt_estimate_ratio_sum{model="small"}']).toBeCloseTo(estimate / 40, 5);
  });

  it('has no text of clients as a label, so the number of labels is bounded', async () => {
    await start();
    for (const model of ['invented-1', 'invented-2', 'little-invented-3']) await (await gateway.post(CHAT, { ...REQUEST, model })).text();
    for (const path of ['/invented-4', '/v1/models/invented-5', '/v1/usage/invented-6?x=invented-7']) await (await gateway.fetch(path)).text();
    expect(Object.keys(await collectedInQuiet()).filter((sample) => sample.includes('invented'))).toEqual([]);
  });

  it('shows the number of running requests, and counts failures', async () => {
    await start();
    const gate = new Gate();
    gateway.provider.script('halting', haltedReply(gate));
    const running = await gateway.post(CHAT, { ...REQUEST, model: 'halting', stream: true });
    expect(await collected()).toMatchObject({ tollgate_requests_running: 1, tollgate_reservations_held: 1, tollgate_slots_held: 1, tollgate_generations_running: 1 });
    gate.open();
    await running.text();
    gateway.provider.script('small', { refuses: new ProviderFailure('unavailable', 'secret'), steps: [] });
    await (await gateway.post(CHAT, REQUEST)).text();
    expect(await collectedInQuiet()).toMatchObject({
      'tollgate_requests_running': 0,
      'tollgate_reservations_held': 0,
      'tollgate_slots_held': 0,
      'tollgate_generations_running': 0,
      'tollgate_candidate_failures_total{model="small",upstream="scripted"}': 1,
      'tollgate_requests_total{endpoint="/v1/chat/completions",code="provider_unavailable",model=""}': 1,
    });
  });

  it('shows the state of circuits, the limiter, the event loop and the process', async () => {
    const circuits = (['open', 'closed'] as const).map((state) => ({ upstreamId: 'first', upstreamModel: `m-${state}`, state }));
    const failures = upstreamFailureCounter();
    failures.inc({ upstream: 'first', model: 'small', reason: 'bad-credentials' }, 2);
    await start({ services: ({ clock }) => ({ upstreams: { circuits: () => circuits, failures, probes: upstreamProbeCounter(), emptyEvents: emptyEventCounter(), health: silentHealth(clock), definitions: () => [] } }) });
    gateway.gateway.container.get(LimiterHealth).fellBack(new Error('gone'), null);
    const samples = await collected();
    expect(samples).toMatchObject({
      'tollgate_upstream_circuit_open{upstream="first",model="m-open"}': 1,
      'tollgate_upstream_circuit_open{upstream="first",model="m-closed"}': 0,
      'tollgate_upstream_failures_total{upstream="first",model="small",reason="bad-credentials"}': 2,
      'tollgate_limiter_fallback': 1,
      'tollgate_limiter_fallbacks_total': 1,
    });
    for (const name of ['tollgate_event_loop_lag_p99_seconds', 'tollgate_event_loop_lag_max_seconds']) expect(samples[name]).toBeGreaterThanOrEqual(0);
    for (const name of ['process_cpu_seconds_total', 'process_resident_memory_bytes']) expect(samples[name]).toBeGreaterThan(0);
    gateway.gateway.container.get(LimiterHealth).recovered();
    expect(await collected()).toMatchObject({ tollgate_limiter_fallback: 0, tollgate_limiter_fallbacks_total: 1 });
  });
});

describe('the write-ahead log of the database file', () => {
  it('is shown in metrics, and logged when its thread starts to fail and when it recovers', async () => {
    await start();
    const walHealth = gateway.gateway.container.get(WalHealth);
    expect(await collected()).not.toHaveProperty('tollgate_wal_pages');
    walHealth.grown(1234);
    for (let failure = 0; failure < 3; failure += 1) walHealth.walCheckpointFailed(new Error('the disk is gone'));
    walHealth.fellBack(20_000);
    expect(await collected()).toMatchObject({ tollgate_wal_pages: 1234, tollgate_wal_checkpoint_failures_total: 3, tollgate_wal_fallbacks_total: 1 });
    walHealth.walCheckpointed();
    walHealth.walCheckpointed();
    expect(gateway.parts.logged.filter((line) => String(line['msg']).includes('write-ahead log')).map((line) => [line['level'], line['msg']])).toEqual([
      [50, 'a background checkpoint of the write-ahead log failed; the gateway retries as the log grows'],
      [40, 'the write-ahead log has grown very long; the main thread checkpoints it while requests wait'],
      [30, 'background checkpoints of the write-ahead log succeed again'],
    ]);
  });
});

/** An audit whose results a test can set. */
class TestAudit implements LedgerAudit {
  differences: readonly LedgerDifference[] | Error = [];
  verifications = 0;

  async verify(): ReturnType<LedgerAudit['verify']> {
    this.verifications += 1;
    if (this.differences instanceof Error) throw this.differences;
    return { accounts: 1, entries: 1, usageRecords: 1, differences: this.differences };
  }
}

describe('the ledger check', () => {
  it('runs once per interval and exports the number of differences', async () => {
    const audit = new TestAudit();
    await start({ services: { ledgerAudit: audit } });
    expect(await collected()).not.toHaveProperty('tollgate_ledger_differences');
    gateway.clock.advance(60_000);
    await eventually(() => audit.verifications === 1);
    expect(await collected()).toMatchObject({ tollgate_ledger_differences: 0 });
    audit.differences = [{ invariant: 'I3', accountId: null, expected: '1', found: '2' }];
    gateway.clock.advance(60_000);
    await eventually(() => gateway.parts.logged.some(({ msg }) => msg === 'the ledger check found differences'));
    expect(await collected()).toMatchObject({ tollgate_ledger_differences: 1, tollgate_ledger_verified_timestamp_seconds: gateway.clock.now() / 1000 });
    audit.differences = new Error('the database is away');
    gateway.clock.advance(60_000);
    await eventually(() => gateway.parts.logged.some(({ msg }) => msg === 'the ledger check could not be completed'));
    expect(await collected()).toMatchObject({ tollgate_ledger_differences: 1, tollgate_ledger_verification_failures_total: 1 });
  });

  it('finds no differences after requests have been served', async () => {
    await start();
    await (await gateway.post(CHAT, REQUEST)).text();
    gateway.clock.advance(60_000);
    let found: number | undefined;
    for (let tries = 0; tries < 1000 && found === undefined; tries += 1) found = (await collected())['tollgate_ledger_differences'];
    expect(found).toBe(0);
  });
});

describe('the listener of metrics', () => {
  it('serves only metrics, and the public listener serves none', async () => {
    await start();
    const root = new URL(gateway.gateway.metricsUrl ?? '');
    expect((await fetch(new URL('/', root))).status).toBe(404);
    expect((await fetch(new URL('/v1/models', root))).status).toBe(404);
    expect((await fetch(root, { method: 'POST' })).status).toBe(404);
    expect((await gateway.fetch('/metrics')).status).toBe(404);
  });

  it('exists only if configured', async () => {
    await start({ settings: { metrics: null } });
    expect(gateway.gateway.metricsUrl).toBeNull();
  });

  it('prevents the start when its port is in use, leaving nothing open', async () => {
    await start();
    const taken = createServer();
    await new Promise<void>((resolve) => {
      taken.listen(0, '127.0.0.1', resolve);
    });
    const { port } = taken.address() as { readonly port: number };
    const starting = startTestGateway({ settings: { metrics: { host: '127.0.0.1', port } } });
    const refusal = await starting.catch((thrown: unknown) => thrown);
    taken.close();
    expect(refusal).toBeInstanceOf(StartRefused);
    expect((refusal as StartRefused).problems).toEqual([`METRICS_PORT: ${port} is in use by another program`]);
  });
});
