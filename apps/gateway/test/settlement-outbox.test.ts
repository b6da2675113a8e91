import { existsSync, mkdirSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { until } from '@tollgate/testkit';
import Database from 'better-sqlite3';
import { services } from '../src/gateway/services.js';
import { createGateway } from '../src/composition/container.js';
import { StartRefused } from '../src/http/server/create-server.js';
import { bodyOfEveryFormat, FORMATS } from './acceptance/support/formats.js';
import { eventually } from '../src/test-support/test-client.js';
import { type EmbeddedGateway, startEmbeddedGateway } from '../src/test-support/start-test-gateway.js';

/** Makes every settlement fail in the database itself, until it is taken away. */
const REFUSE = "CREATE TRIGGER away BEFORE INSERT ON usage_records BEGIN SELECT RAISE(ABORT, 'the database takes no settlement'); END";
const ACCEPT = 'DROP TRIGGER away';

interface Books {
  readonly held: number;
  readonly charged: number;
  readonly records: number;
}

describe('a settlement that the database does not take', () => {
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

  async function ask(path: string, streamed: boolean): Promise<{ readonly status: number; readonly text: string }> {
    const body = { stream: streamed, ...bodyOfEveryFormat('Hi', 20) };
    const headers = { 'x-api-key': embedded.key, 'content-type': 'application/json' };
    const models = await (await fetch(`${embedded.url}/v1/models`, { headers })).json() as { readonly data: readonly { readonly id: string }[] };
    const reply = await fetch(`${embedded.url}${path}`, { method: 'POST', headers, body: JSON.stringify({ ...body, model: models.data[0]?.id }) });
    return { status: reply.status, text: await reply.text() };
  }

  async function waitingByMetrics(): Promise<string | undefined> {
    const text = await (await fetch(embedded.gateway.metricsUrl ?? '')).text();
    return /^tollgate_settlements_waiting (\d+)$/m.exec(text)?.[1];
  }

  function books(): Books {
    const count = (query: string): number => Number(beside.prepare(query).pluck().get());
    return {
      held: count("SELECT count(*) FROM reservations WHERE state = 'held'"),
      charged: count("SELECT count(*) FROM ledger_entries WHERE kind = 'charge'"),
      records: count("SELECT count(*) FROM usage_records WHERE end_reason = 'completed'"),
    };
  }

  it('is an honest error for a whole reply, and charged once as soon as the database takes it', async () => {
    beside.exec(REFUSE);
    const { status, text } = await ask('/v1/chat/completions', false);
    expect([status, JSON.parse(text)]).toEqual([500, { error: expect.objectContaining({ code: 'internal_error' }) }]);
    expect(books()).toEqual({ held: 1, charged: 0, records: 0 });
    expect(statSync(`${file}-outbox`).size).toBeGreaterThan(0);
    expect(await waitingByMetrics()).toBe('1');
    beside.exec(ACCEPT);
    await until(async () => await waitingByMetrics() === '0');
    expect(books()).toEqual({ held: 0, charged: 1, records: 1 });
  });

  it.each(FORMATS)('ends a stream of $path with an error frame, and never with a receipt', async ({ path, readStream }) => {
    beside.exec(REFUSE);
    const { status, text } = await ask(path, true);
    expect([status, readStream(text).error]).toEqual([200, expect.objectContaining({ code: 'internal_error' })]);
    expect(text).not.toContain('svc_tokens_debited');
    beside.exec(ACCEPT);
    await eventually(() => books().held === 0);
    expect(books()).toEqual({ held: 0, charged: 1, records: 1 });
  });

  it('is charged by the next gateway when this one ends before', async () => {
    beside.exec(REFUSE);
    await ask('/v1/messages', false);
    await embedded.close();
    beside.exec(ACCEPT);
    const next = await createGateway({ PORT: '0', DATABASE_URL: `sqlite:${file}`, LOG_LEVEL: 'silent' });
    embedded = { ...embedded, close: () => next.close() };
    expect(books()).toEqual({ held: 0, charged: 1, records: 1 });
    expect((await next.container.get(services.ledgerAudit).verify()).differences).toEqual([]);
  });

  it('leaves no file where every settlement is taken', async () => {
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

  it('is refused while another gateway uses the database, and not any more when that one has stopped', async () => {
    const first = await createGateway(environment());
    const refusal: unknown = await createGateway(environment()).catch((thrown: unknown) => thrown);
    expect(refusal).toBeInstanceOf(StartRefused);
    expect((refusal as StartRefused).problems).toEqual([expect.stringMatching(/^DATABASE_URL: .*tollgate\.db: another gateway is using it/)]);
    expect((await fetch(`${first.url}/healthz`)).status).toBe(200);
    await first.close();
    await (await createGateway(environment())).close();
  });

  it('is refused when kept settlements cannot be read, and lets go of the database', async () => {
    mkdirSync(join(folder, 'tollgate.db-outbox'));
    await expect(createGateway(environment())).rejects.toThrow('tollgate.db-outbox cannot be read');
    rmSync(join(folder, 'tollgate.db-outbox'), { recursive: true });
    await (await createGateway(environment())).close();
  });
});
