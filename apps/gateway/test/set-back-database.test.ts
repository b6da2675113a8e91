import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { ManualClock } from '@tollgate/adapters-memory';
import { type PlanId, ServiceTokens, SYSTEM_ACTOR } from '@tollgate/core';
import { Machines } from '@tollgate/identity';
import { type PostgresServer, until } from '@tollgate/testkit';
import { Client } from 'pg';
import type { Logger } from 'pino';
import { FORGOTTEN_LOOK_MILLISECONDS } from '../src/background/forgotten-sweeper.js';
import { HISTORY_LOOK_MILLISECONDS } from '../src/background/history-watch.js';
import { createGateway } from '../src/composition/container.js';
import type { Gateway } from '../src/gateway/gateway.js';
import { services } from '../src/composition/services.js';
import { createLog } from '../src/observability/create-log.js';
import { type EmbeddedGateway, startEmbeddedGateway } from '../src/test-support/start-embedded-gateway.js';
import { rebind } from '../src/test-support/start-test-gateway.js';
import { startMigratedPostgres } from '../src/test-support/migrated-postgres.js';

let folder: string;
let clock: ManualClock;
let logged: Readonly<Record<string, unknown>>[];

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tollgate-set-back-'));
  clock = new ManualClock();
  logged = [];
});
afterEach(() => rmSync(folder, { recursive: true }));

const logOf = (): Logger => createLog('info', { write: (line) => void logged.push(JSON.parse(line) as Record<string, unknown>) });

function start(environment: Readonly<Record<string, string>>): Promise<EmbeddedGateway> {
  return startEmbeddedGateway({ environment: { METRICS_PORT: '0', ...environment }, services: { clock, log: logOf() } });
}

/** Starts a gateway on the database of an earlier one. */
function startAgain(environment: Readonly<Record<string, string>>): Promise<Gateway> {
  return createGateway({ PORT: '0', METRICS_PORT: '0', ...environment }, (container) => rebind(container, { clock, log: logOf() }));
}

const found = (): readonly Readonly<Record<string, unknown>>[] => logged.filter(({ msg }) => String(msg).startsWith('the database was set back'));
const setBacksOf = async ({ metricsUrl }: Gateway): Promise<string | undefined> =>
  /^tollgate_database_set_back_total (\d+)$/m.exec(await (await fetch(metricsUrl ?? '')).text())?.[1];

describe('a database set back to an earlier state', () => {
  let server: PostgresServer;
  beforeEach(async () => {
    server = await startMigratedPostgres();
  });
  afterEach(() => server.stop());

  async function onServer(...statements: readonly string[]): Promise<void> {
    const client = new Client({ connectionString: server.url() }).on('error', () => undefined);
    await client.connect();
    for (const statement of statements) await client.query(statement);
    await client.end();
  }

  const closed = (name: string): readonly string[] => [
    `alter database ${name} allow_connections false`, `select pg_terminate_backend(pid) from pg_stat_activity where datname = '${name}' and pid <> pg_backend_pid()`,
  ];

  it('while a gateway runs causes one error line, a metric, and a marker outside the database', async () => {
    await onServer('create database tollgate');
    const outbox = join(folder, 'outbox');
    const embedded = await start({ DATABASE_URL: server.url('tollgate'), OUTBOX_FILE: outbox });
    await onServer(...closed('tollgate'), 'create database standby template tollgate', 'alter database tollgate allow_connections true');
    const { keys } = embedded.gateway.container.get(services.store);
    await keys.revoke(embedded.account.id, embedded.keyId, { actor: SYSTEM_ACTOR, at: clock.now() });
    await clock.advanceAsync(HISTORY_LOOK_MILLISECONDS);
    await until(() => existsSync(`${outbox}-seen`) && (JSON.parse(readFileSync(`${outbox}-seen`, 'utf8')) as { readonly seen: { readonly audit: { readonly number: number } | null } }).seen.audit?.number === 4);
    await onServer(...closed('tollgate'), 'alter database tollgate rename to lost', 'alter database standby rename to tollgate', 'alter database tollgate allow_connections true');
    await until(async () => {
      await clock.advanceAsync(HISTORY_LOOK_MILLISECONDS);
      return found().length > 0;
    });
    for (let looks = 0; looks < 3; looks += 1) await clock.advanceAsync(HISTORY_LOOK_MILLISECONDS);
    expect(found()).toEqual([expect.objectContaining({ level: 50, seen: { ledger: 1, audit: 4 }, found: { ledger: 1, audit: 3 } })]);
    expect(await setBacksOf(embedded.gateway)).toBe('1');
    await until(() => (JSON.parse(readFileSync(`${outbox}-seen`, 'utf8')) as { readonly setBack: { readonly seen: { readonly audit: { readonly number: number } } } | null }).setBack?.seen.audit.number === 4);
    expect(statSync(`${outbox}-seen`).mode & 0o777).toBe(0o600);
    await embedded.close();
  });

  it('makes both feeds answer 410 to cursors from after that state, even if positions recur, and accept earlier ones', async () => {
    await onServer('create database tollgate');
    const embedded = await start({ DATABASE_URL: server.url('tollgate'), OUTBOX_FILE: join(folder, 'outbox') });
    const { account: { id: accountId }, gateway: { container, accountAdministration }, key, url } = embedded;
    const machine = await container.get(Machines).create({ name: 'Shop', scopes: ['events:read', 'usage:read'], networks: [], expiresAt: null }, { actor: SYSTEM_ACTOR, at: clock.now() });
    const authorization = `Bearer ${machine.outcome === 'created' ? machine.issued.secret.reveal() : ''}`;
    const read = async (feed: string, after: string) => {
      const reply = await fetch(`${url}/admin/v1/${feed}?limit=100${feed === 'events' && after === '' ? '' : `&after=${after}`}`, { headers: { authorization } });
      const { error, next_cursor: cursor } = await reply.json() as { readonly error?: { readonly code: string }; readonly next_cursor?: string | null };
      return { outcome: error?.code ?? reply.status, cursor: cursor ?? '' };
    };
    const feeds = ['events', 'usage'];
    const cursorsNow = () => Promise.all(feeds.map(async (feed) => (await read(feed, '')).cursor));
    const outcomesAfter = (cursors: readonly string[]) => Promise.all(feeds.map(async (feed, index) => (await read(feed, cursors[index] ?? '')).outcome));
    const headers = { 'x-api-key': key, 'content-type': 'application/json' };
    const models = await (await fetch(`${url}/v1/models`, { headers })).json() as { readonly data: readonly { readonly id: string }[] };
    const body = JSON.stringify({ model: models.data[0]?.id, max_tokens: 5, messages: [{ role: 'user', content: 'Hi' }] });
    const happen = async (reference: string): Promise<void> => {
      await accountAdministration.credit({ accountId, amount: ServiceTokens.parse('1'), reference, actor: SYSTEM_ACTOR });
      expect((await fetch(`${url}/v1/chat/completions`, { method: 'POST', headers, body })).status).toBe(200);
    };
    await happen('kept');
    const kept = await cursorsNow();
    await onServer(...closed('tollgate'), 'create database standby template tollgate', 'alter database tollgate allow_connections true');
    await happen('lost');
    const lost = await cursorsNow();
    await onServer(...closed('tollgate'), 'alter database tollgate rename to lost', 'alter database standby rename to tollgate', 'alter database tollgate allow_connections true');
    expect([await outcomesAfter(lost), await outcomesAfter(kept)]).toEqual([['cursor_lost', 'cursor_lost'], [200, 200]]);
    for (const reference of ['first after', 'second after']) await happen(reference);
    expect([await outcomesAfter(lost), await outcomesAfter(kept)]).toEqual([['cursor_lost', 'cursor_lost'], [200, 200]]);
    await embedded.close();
  });

  it('has its restored reservations ended once the gateway that made them finds no running request for them', async () => {
    await onServer('create database tollgate');
    const embedded = await start({ DATABASE_URL: server.url('tollgate'), OUTBOX_FILE: join(folder, 'outbox') });
    const held = async (): Promise<number> => {
      const client = new Client({ connectionString: server.url('tollgate') }).on('error', () => undefined);
      await client.connect();
      const { rows } = await client.query<{ readonly held: string }>("select count(*) as held from reservations where state = 'held'");
      await client.end();
      return Number(rows[0]?.held);
    };
    const { gateway, key, url } = embedded;
    const headers = { 'x-api-key': key, 'content-type': 'application/json' };
    const models = await (await fetch(`${url}/v1/models`, { headers })).json() as { readonly data: readonly { readonly id: string }[] };
    const body = JSON.stringify({ model: models.data[0]?.id, max_tokens: 20, messages: [{ role: 'user', content: '[[latency:1000]] Hi' }] });
    const reply = fetch(`${url}/v1/chat/completions`, { method: 'POST', headers, body });
    await until(async () => await held() === 1);
    await onServer(...closed('tollgate'), 'create database standby template tollgate', 'alter database tollgate allow_connections true');
    await clock.advanceAsync(1000);
    expect((await reply).status).toBe(200);
    expect(await held()).toBe(0);
    await onServer(...closed('tollgate'), 'alter database tollgate rename to lost', 'alter database standby rename to tollgate', 'alter database tollgate allow_connections true');
    expect(await held()).toBe(1);
    await until(async () => {
      await clock.advanceAsync(FORGOTTEN_LOOK_MILLISECONDS);
      return await held() === 0;
    });
    expect(logged.filter(({ ended }) => ended !== undefined)).toEqual([expect.objectContaining({ level: 40, ended: 1, msg: expect.stringContaining('without a running request') })]);
    expect((await gateway.container.get(services.ledgerAudit).verify()).differences).toEqual([]);
    await embedded.close();
  });
});

it('a gateway detects at its start that an older file has replaced a SQLite database', async () => {
  const file = join(folder, 'tollgate.db');
  await (await start({ DATABASE_URL: `sqlite:${file}` })).close();
  cpSync(file, `${file}.old`);
  const second = await startAgain({ DATABASE_URL: `sqlite:${file}` });
  await second.accountAdministration.create({ email: 'later@example.test', name: 'Later', planId: 'pro' as PlanId, emailVerified: true, actor: SYSTEM_ACTOR });
  await until(async () => {
    await clock.advanceAsync(HISTORY_LOOK_MILLISECONDS);
    return (JSON.parse(readFileSync(`${file}-outbox-seen`, 'utf8')) as { readonly seen: { readonly audit: { readonly number: number } | null } }).seen.audit?.number === 4;
  });
  await second.close();
  expect(found()).toEqual([]);
  cpSync(`${file}.old`, file);
  const third = await startAgain({ DATABASE_URL: `sqlite:${file}` });
  expect(found()).toHaveLength(1);
  expect(await setBacksOf(third)).toBe('1');
  await third.close();
});
