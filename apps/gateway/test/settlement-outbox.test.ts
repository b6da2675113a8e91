import { existsSync, mkdirSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { ServiceTokens } from '@tollgate/core';
import { until } from '@tollgate/testkit';
import Database from 'better-sqlite3';
import { services } from '../src/composition/services.js';
import { createGateway } from '../src/composition/container.js';
import { StartRefused } from '../src/http/server/start-refused.js';
import { bodyOfEveryFormat, FORMATS } from './acceptance/support/formats.js';
import { eventually } from '../src/test-support/test-client.js';
import { type EmbeddedGateway, startEmbeddedGateway } from '../src/test-support/start-embedded-gateway.js';

/** A trigger that refuses every settlement, until it is dropped. */
const REFUSE = "CREATE TRIGGER away BEFORE INSERT ON usage_records BEGIN SELECT RAISE(ABORT, 'the database takes no settlement'); END";
const ACCEPT = 'DROP TRIGGER away';

interface Books {
  readonly held: number;
  readonly charged: number;
  readonly records: number;
}

describe('a reply whose settlement the database refuses', () => {
  let folder: string;
  let file: string;
  let beside: Database.Database;
  let embedded: EmbeddedGateway;

  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'tollgate-outbox-'));
    file = join(folder, 'tollgate.db');
    embedded = await startEmbeddedGateway({ environment: { DATABASE_URL: `sqlite:${file}`, METRICS_PORT: '0' } });
    beside = new Database(file);
  });

  afterEach(async () => {
    await embedded.close();
    beside.close();
    rmSync(folder, { recursive: true });
  });

  interface Answer {
    readonly status: number;
    readonly text: string;
    readonly headers: Headers;
  }

  const ownHeaders = (): Record<string, string> => ({ 'x-api-key': embedded.key, 'content-type': 'application/json' });

  async function model(): Promise<string | undefined> {
    const models = await (await fetch(`${embedded.url}/v1/models`, { headers: ownHeaders() })).json() as { readonly data: readonly { readonly id: string }[] };
    return models.data[0]?.id;
  }

  async function ask(path: string, streamed: boolean, more: Readonly<Record<string, string>> = {}, text = 'Hi'): Promise<Answer> {
    const body = { stream: streamed, ...bodyOfEveryFormat(text, 20) };
    const reply = await fetch(`${embedded.url}${path}`, { method: 'POST', headers: { ...ownHeaders(), ...more }, body: JSON.stringify({ ...body, model: await model() }) });
    return { status: reply.status, text: await reply.text(), headers: reply.headers };
  }

  /** Sends a request, and disconnects after the first piece. */
  async function leave(text: string): Promise<void> {
    const leaving = new AbortController();
    const body = JSON.stringify({ stream: true, ...bodyOfEveryFormat(text, 20), model: await model() });
    const reply = await fetch(`${embedded.url}/v1/chat/completions`, { method: 'POST', headers: { ...ownHeaders(), 'idempotency-key': 'order 66' }, body, signal: leaving.signal });
    await reply.body?.getReader().read();
    leaving.abort();
  }

  async function metric(name: string): Promise<string | undefined> {
    const text = await (await fetch(embedded.gateway.metricsUrl ?? '')).text();
    return new RegExp(`^${name} (\\d+)$`, 'm').exec(text)?.[1];
  }

  const waitingByMetrics = (): Promise<string | undefined> => metric('tollgate_settlements_waiting');

  /** What the account has been charged, minus refunds, in service tokens. */
  function paid(): string {
    const units = beside.prepare("SELECT coalesce(sum(CASE kind WHEN 'refund' THEN -amount ELSE amount END), 0) FROM ledger_entries WHERE kind IN ('charge', 'late-charge', 'refund')").pluck().get();
    return ServiceTokens.fromUnits(BigInt(Number(units))).toString();
  }

  function books(): Books {
    const count = (query: string): number => Number(beside.prepare(query).pluck().get());
    return {
      held: count("SELECT count(*) FROM reservations WHERE state = 'held'"),
      charged: count("SELECT count(*) FROM ledger_entries WHERE kind = 'charge'"),
      records: count("SELECT count(*) FROM usage_records WHERE end_reason = 'completed'"),
    };
  }

  it('is delivered with a pending receipt, and charged as the receipt states when the database accepts settlements', async () => {
    beside.exec(REFUSE);
    const { status, text, headers } = await ask('/v1/chat/completions', false);
    const { usage } = JSON.parse(text) as { readonly usage: Readonly<Record<string, unknown>> };
    const debited = headers.get('x-svc-tokens-debited');
    expect([status, headers.get('x-svc-settlement'), headers.get('x-svc-balance')]).toEqual([200, 'pending', null]);
    expect([usage['svc_settlement'], usage['svc_tokens_debited'], usage['svc_balance_tokens']]).toEqual(['pending', debited, undefined]);
    expect(books()).toEqual({ held: 1, charged: 0, records: 0 });
    expect(statSync(`${file}-outbox`).size).toBeGreaterThan(0);
    expect(await waitingByMetrics()).toBe('1');
    beside.exec(ACCEPT);
    await until(async () => await waitingByMetrics() === '0');
    expect(books()).toEqual({ held: 0, charged: 1, records: 1 });
    expect(paid()).toBe(debited);
  });

  it.each(FORMATS)('is a normal stream of $path with a pending receipt', async ({ path, readStream }) => {
    beside.exec(REFUSE);
    const { status, text } = await ask(path, true);
    expect([status, readStream(text).error]).toEqual([200, null]);
    expect(text).toContain('"svc_settlement":"pending"');
    expect(text).not.toContain('svc_balance_tokens');
    beside.exec(ACCEPT);
    await eventually(() => books().held === 0);
    expect(books()).toEqual({ held: 0, charged: 1, records: 1 });
    expect(paid()).toBe(/"svc_tokens_debited":"([^"]+)"/.exec(text)?.[1]);
  });

  it.each([true, false])('is delivered without being stored as a response, streamed: %s', async (streamed) => {
    beside.exec(REFUSE);
    const { status, text } = await ask('/v1/responses', streamed);
    const last = streamed ? text.slice(text.lastIndexOf('event: response.completed')) : text;
    expect([status, last]).toEqual([200, expect.stringContaining('"store":false')]);
    expect(text).toContain('"svc_settlement":"pending"');
    expect(beside.prepare('SELECT count(*) FROM stored_responses').pluck().get()).toBe(0);
    const metrics = await (await fetch(embedded.gateway.metricsUrl ?? '')).text();
    expect(metrics).toContain('\ntollgate_responses_not_stored_total 1\n');
    beside.exec(ACCEPT);
  });

  it('is kept for its idempotency key, and a retry gets it once the database is back', async () => {
    beside.exec(`${REFUSE}; CREATE TRIGGER keys_away BEFORE UPDATE ON idempotency_keys BEGIN SELECT RAISE(ABORT, 'the database takes no reply'); END`);
    const first = await ask('/v1/chat/completions', false, { 'idempotency-key': 'order 66' });
    expect([first.status, first.headers.get('x-svc-settlement')]).toEqual([200, 'pending']);
    beside.exec(`${ACCEPT}; DROP TRIGGER keys_away`);
    await until(async () => (await ask('/v1/chat/completions', false, { 'idempotency-key': 'order 66' })).status === 200);
    const again = await ask('/v1/chat/completions', false, { 'idempotency-key': 'order 66' });
    expect([again.headers.get('idempotent-replayed'), again.headers.get('x-svc-settlement'), again.text]).toEqual(['true', 'pending', first.text]);
    await eventually(() => books().held === 0);
    expect(paid()).toBe(first.headers.get('x-svc-tokens-debited'));
  });

  it.each([false, true])('becomes a free refusal if the disk does not accept the settlement either (stream: %s), and may be retried with its key', async (streamed) => {
    mkdirSync(`${file}-outbox`);
    beside.exec(REFUSE);
    const { status, text } = await ask('/v1/chat/completions', streamed, { 'idempotency-key': 'order 66' });
    expect([status, text.includes('"code":"service_unavailable"'), text.includes('svc_tokens_debited')]).toEqual([streamed ? 200 : 503, true, false]);
    beside.exec(ACCEPT);
    await eventually(() => books().held === 0);
    expect(paid()).toBe('0');
    rmSync(`${file}-outbox`, { recursive: true });
    await until(async () => (await ask('/v1/chat/completions', streamed, { 'idempotency-key': 'order 66' })).status === 200);
    expect(paid()).not.toBe('0');
  });

  it('makes the gateway refuse new requests if the disk fails too, until a settlement is accepted; /readyz and metrics report the failure', async () => {
    const ready = async (): Promise<readonly [number, unknown]> => {
      const reply = await fetch(`${embedded.url}/readyz`);
      return [reply.status, (await reply.json() as { readonly outbox?: string }).outbox];
    };
    mkdirSync(`${file}-outbox`);
    beside.exec(REFUSE);
    expect((await ask('/v1/chat/completions', false)).status).toBe(503);
    const reserved = (): unknown => beside.prepare('SELECT count(*) FROM reservations').pluck().get();
    const before = reserved();
    const refused = await Promise.all(['/v1/chat/completions', '/v1/messages', '/v1/responses'].map((path) => ask(path, true)));
    expect(refused.map(({ status, headers }) => [status, headers.get('retry-after')])).toEqual([[503, '2'], [503, '2'], [503, '2']]);
    expect(reserved()).toEqual(before);
    expect([await metric('tollgate_outbox_failing'), await metric('tollgate_settlements_waiting'), await metric('tollgate_releases_waiting'), await ready()]).toEqual(['1', '1', '0', [503, 'failing']]);
    beside.exec(ACCEPT);
    await until(async () => await waitingByMetrics() === '0');
    expect([(await ask('/v1/messages', false)).status, await ready()]).toEqual([200, [200, 'failing']]);
    rmSync(`${file}-outbox`, { recursive: true });
    await until(async () => await metric('tollgate_outbox_failing') === '0');
    expect(await ready()).toEqual([200, undefined]);
  });

  it.each([['broke off', '[[fail:middle]]'], ['lost its client', '[[pace:10]]']])('releases its idempotency key if it is a free stream that %s', async (how, text) => {
    mkdirSync(`${file}-outbox`);
    beside.exec(REFUSE);
    const again = (): Promise<Answer> => ask('/v1/chat/completions', true, { 'idempotency-key': 'order 66' }, text);
    await (how === 'broke off' ? again() : leave(text));
    await until(async () => await metric('tollgate_settlement_failures_total') === '1');
    beside.exec(ACCEPT);
    await eventually(() => books().held === 0);
    expect(paid()).toBe('0');
    rmSync(`${file}-outbox`, { recursive: true });
    await until(async () => (await again()).status === 200);
    expect(paid()).not.toBe('0');
  });

  it('is charged by the next gateway if the first one stops before the database accepts settlements', async () => {
    beside.exec(REFUSE);
    await ask('/v1/messages', false);
    await embedded.close();
    beside.exec(ACCEPT);
    const next = await createGateway({ PORT: '0', DATABASE_URL: `sqlite:${file}`, LOG_LEVEL: 'silent' });
    embedded = { ...embedded, close: () => next.close() };
    expect(books()).toEqual({ held: 0, charged: 1, records: 1 });
    expect((await next.container.get(services.ledgerAudit).verify()).differences).toEqual([]);
  });

  it('is the only kind that needs an outbox file: a reply whose settlement succeeds leaves none', async () => {
    expect((await ask('/v1/messages', false)).status).toBe(200);
    expect(existsSync(`${file}-outbox`)).toBe(false);
  });
});

describe('a start', () => {
  let folder: string;
  const environment = (): Record<string, string> => ({ PORT: '0', LOG_LEVEL: 'silent', DATABASE_URL: `sqlite:${join(folder, 'tollgate.db')}` });

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'tollgate-start-'));
  });

  afterEach(() => rmSync(folder, { recursive: true }));

  it('is refused while another gateway uses the database, and succeeds once the other has stopped', async () => {
    const first = await createGateway(environment());
    const refusal: unknown = await createGateway(environment()).catch((thrown: unknown) => thrown);
    expect(refusal).toBeInstanceOf(StartRefused);
    expect((refusal as StartRefused).problems).toEqual([expect.stringMatching(/^DATABASE_URL: .*tollgate\.db: another gateway is using it/)]);
    expect((await fetch(`${first.url}/healthz`)).status).toBe(200);
    await first.close();
    await (await createGateway(environment())).close();
  });

  it('is refused when queued settlements cannot be read, and closes the database', async () => {
    mkdirSync(join(folder, 'tollgate.db-outbox'));
    await expect(createGateway(environment())).rejects.toThrow('tollgate.db-outbox cannot be read');
    rmSync(join(folder, 'tollgate.db-outbox'), { recursive: true });
    await (await createGateway(environment())).close();
  });
});
