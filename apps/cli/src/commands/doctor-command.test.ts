import { chmodSync, existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { InstallationSecret } from '@tollgate/adapters-node';
import { closeRedis, openRedis } from '@tollgate/adapters-redis';
import {
  answersStatus, type PostgresServer, type RedisServer, type ScriptedUpstream, startPostgresServer, startRedisServer,
  startScriptedUpstream,
} from '@tollgate/testkit';
import { MailServer } from '@tollgate/testkit/mail-server';
import Database from 'better-sqlite3';
import { TollgateFolder } from '../test-support/tollgate-run.js';
import { type Check, clockCheck } from './doctor-checks.js';

const [OLD, NEW] = ['aa'.repeat(32), 'bb'.repeat(32)];

let folder: TollgateFolder;
beforeEach(() => {
  folder = new TollgateFolder();
  folder.environment['DATABASE_URL'] = 'sqlite:./data/tollgate.db';
});
afterEach(() => folder.remove());

/** Findings of the named check, each with its state. */
async function findings(name: string, ...more: readonly string[]): Promise<readonly string[]> {
  return (await checks(...more)).filter((check) => check.name === name).map(({ state, finding }) => `${state}: ${finding}`);
}

async function checks(...more: readonly string[]): Promise<readonly Check[]> {
  const { out, error } = await folder.run('doctor', '--json', ...more);
  expect(error).toBe('');
  return (JSON.parse(out) as { readonly checks: readonly Check[] }).checks;
}

function fingerprintOf(secret: string): string {
  return new InstallationSecret(Buffer.from(secret, 'hex'), null).fingerprints().current;
}

function onDatabase(sql: string): void {
  new Database(join(folder.path, 'data/tollgate.db')).exec(sql).close();
}

function recordSecret(secret: string): void {
  onDatabase(`INSERT INTO installation VALUES (1, '${fingerprintOf(secret)}', 0)`);
}

describe('doctor on a database file', () => {
  it('says how to make the first operator if there is none', async () => {
    await folder.json('database', 'create');
    expect(await findings('operators')).toEqual([
      'warning: no operator exists yet; `tollgate operators create EMAIL` creates the first one and prints a sign-in link.',
    ]);
    await folder.json('operators', 'create', 'op@example.com');
    expect(await findings('operators')).toEqual([]);
  });

  it('prints one line per check, without a problem in a sound installation', async () => {
    await folder.json('database', 'create');
    writeFileSync(join(folder.path, 'data/secret'), OLD, { mode: 0o600 });
    recordSecret(OLD);
    await folder.json('operators', 'create', 'op@example.com');
    const { exitCode, out, error } = await folder.run('doctor');
    expect({ exitCode, error }).toEqual({ exitCode: 0, error: '' });
    expect(out.replaceAll(folder.path, '').split('\n')).toEqual([
      'STATE  CHECK             FINDING',
      'ok     settings          every value is valid',
      'ok     database          the file /data/tollgate.db has the schema of this version',
      'ok     secret            it is in the file /data/secret, and the database belongs to it',
      'ok     clock             the database has no clock of its own',
      'ok     history           no gateway on this machine has recorded the state of the database (/data/tollgate.db-outbox-seen)',
      'ok     files             the data is readable by its owner alone',
      'ok     proxy             browsers reach the gateway at this machine, without a proxy',
      'ok     redis             REDIS_URL is not set: each gateway counts limits by itself',
      'ok     mail              SMTP_HOST is not set: each message becomes a file in /data/mail',
      'ok     payments          they are simulated, and no money moves. Set PAYMENTS=stripe to sell credit.',
      expect.stringMatching(/^ok {5}catalogue {9}the built-in one with sandbox models; models: \d+$/),
      'ok     upstream sandbox  it is built in',
      '',
    ]);
  });

  it('checks nothing else if a setting is invalid, and warns of unknown settings', async () => {
    Object.assign(folder.environment, { PORT: 'http', SECRET: 'hunter2' });
    const { exitCode, out } = await folder.run('doctor');
    expect([exitCode, out]).toEqual([1, expect.stringContaining('problem  settings  PORT: must be a whole number from 0 to 65535\nproblem  settings  SECRET: must be at least 32 random bytes')]);
    expect(out).not.toContain('hunter2');
    expect(out).not.toContain('database');
    Object.assign(folder.environment, { PORT: '', SECRET: '' });
    writeFileSync(join(folder.path, '.env'), 'PROT=9000\n');
    expect(await findings('settings')).toEqual(['warning: .env: PROT is no setting of Tollgate and has no effect; did you mean PORT?']);
  });

  it('reports a missing database and creates none', async () => {
    expect(await findings('database')).toEqual([
      `problem: there is no database of Tollgate in the file ${join(folder.path, 'data/tollgate.db')} (DATABASE_URL). The first start of the gateway creates one, and so does \`tollgate database create\`.`,
    ]);
    expect(await findings('secret')).toEqual([`ok: the first start of the gateway creates the file ${join(folder.path, 'data/secret')}`]);
    expect(readdirSync(folder.path)).toEqual([]);
    folder.environment['DATABASE_URL'] = 'sqlite::memory:';
    expect(await findings('database')).toEqual([expect.stringMatching(/^warning: it is in memory/)]);
    expect(await findings('secret')).toEqual(['ok: it lasts as long as the database in memory']);
  });

  it('reports a file that is no database, and skips the check of the secret', async () => {
    mkdirSync(join(folder.path, 'data'), { mode: 0o700 });
    writeFileSync(join(folder.path, 'data/tollgate.db'), 'x'.repeat(5_000), { mode: 0o600 });
    expect(await findings('database')).toEqual([expect.stringMatching(/^problem: cannot open the database file .*file is not a database/)]);
    expect(await findings('secret')).toEqual([expect.stringMatching(/^warning: there is no file .* and the database cannot be read/)]);
    folder.environment['SECRET'] = NEW;
    expect(await findings('secret')).toEqual(['warning: it is in SECRET; it was not compared with the database, which cannot be read']);
  });

  it('reports schemas of older and newer versions, and changes neither', async () => {
    await folder.json('database', 'create');
    onDatabase("DELETE FROM schema_migrations WHERE name = '0001-baseline'");
    const pending = [expect.stringMatching(/^warning: .* has the schema of an older version\. Make a backup: the next start of the gateway takes 0001-baseline,/)];
    expect(await findings('database')).toEqual(pending);
    expect(await findings('database')).toEqual(pending);
    onDatabase("INSERT INTO schema_migrations VALUES ('9999-future', '')");
    expect(await findings('database')).toEqual([expect.stringMatching(/^problem: .* was written by a newer version of Tollgate \(it has 9999-future\)/)]);
    onDatabase("INSERT INTO schema_migrations VALUES ('0001-initial', '')");
    expect(await findings('database')).toEqual(['problem: the database was made by a version of Tollgate before the first release, and this version cannot migrate it; '
      + 'set DATABASE_URL to a new database, or start the version that made this one.']);
    expect((await folder.run('accounts', 'list')).error).toContain('error: the database was made by a version of Tollgate before the first release');
  });

  it('reports each state of the secret', async () => {
    await folder.json('database', 'create');
    const file = join(folder.path, 'data/secret');
    folder.environment['SECRET'] = OLD;
    expect(await findings('secret')).toEqual(['ok: it is in SECRET; the first start of the gateway records its fingerprint in the database']);
    recordSecret(OLD);
    expect(await findings('secret')).toEqual(['ok: it is in SECRET, and the database belongs to it']);
    folder.environment['SECRET'] = NEW;
    expect(await findings('secret')).toEqual([expect.stringMatching(/^problem: the database belongs to another secret than the one in SECRET\. Give this gateway the secret/)]);
    folder.environment['SECRET_PREVIOUS'] = OLD;
    expect(await findings('secret')).toEqual(['warning: the database belongs to SECRET_PREVIOUS; the next start of a gateway rotates it to the one in SECRET']);
    onDatabase(`UPDATE installation SET fingerprint = '${fingerprintOf(NEW)}'`);
    expect(await findings('secret')).toEqual(['ok: it is in SECRET, and the database belongs to it; remove SECRET_PREVIOUS once all gateways have the new one']);
    Object.assign(folder.environment, { SECRET: '', SECRET_PREVIOUS: '' });
    expect(await findings('secret')).toEqual([expect.stringMatching(`^problem: there is no file ${file} \\(SECRET_FILE\\), and the database belongs to the secret that was in it`)]);
    writeFileSync(file, 'hunter2');
    expect(await findings('secret')).toEqual([expect.stringMatching(`^problem: the file ${file} must be at least 32 random bytes`)]);
    expect(existsSync(file)).toBe(true);
  });

  it('names each file that others can read, with the command that restricts access', async () => {
    await folder.json('database', 'create');
    const [data, secret] = [join(folder.path, 'data'), join(folder.path, 'data/secret')];
    writeFileSync(secret, OLD);
    chmodSync(secret, 0o644);
    chmodSync(data, 0o755);
    expect(await findings('files')).toEqual([
      `warning: ${data} has mode 755, so other users of this machine may use it. Run: chmod 700 '${data}'`,
      `warning: ${secret} has mode 644, so other users of this machine may use it. Run: chmod 600 '${secret}'`,
    ]);
    expect((await folder.run('doctor')).exitCode).toBe(0);
  });

  it('checks who can read the outbox and the folder of messages, even outside the data folder', async () => {
    await folder.json('database', 'create');
    mkdirSync(join(folder.path, 'messages'), { mode: 0o750 });
    writeFileSync(join(folder.path, 'kept'), '', { mode: 0o640 });
    Object.assign(folder.environment, { MAIL_FOLDER: 'messages', OUTBOX_FILE: 'kept' });
    expect((await findings('files')).map((line) => line.replace(/.*Run: /, ''))).toEqual([
      `chmod 700 '${join(folder.path, 'messages')}'`, `chmod 600 '${join(folder.path, 'kept')}'`,
    ]);
  });

  it('reports an outbox that cannot be written, even if nothing is waiting in it', async () => {
    await folder.json('database', 'create');
    const outbox = join(folder.path, 'kept');
    mkdirSync(outbox, { mode: 0o700 });
    folder.environment['OUTBOX_FILE'] = 'kept';
    expect(await findings('files')).toEqual([expect.stringMatching(/^problem: the outbox \S+kept cannot be written: it is not a file\. Requests are refused/)]);
    rmSync(outbox, { recursive: true });
    expect(await findings('files')).toEqual(['ok: the data is readable by its owner alone']);
  });

  it('reports every error of the catalogue', async () => {
    await folder.json('database', 'create');
    writeFileSync(join(folder.path, 'catalog.yaml'), 'usd_per_service_token: cheap\nmodels: {}\n');
    folder.environment['CATALOG_FILE'] = 'catalog.yaml';
    expect((await findings('catalogue')).map((line) => line.replaceAll(`${folder.path}/`, ''))).toEqual([
      expect.stringMatching(/^problem: catalog\.yaml:1: usd_per_service_token: /), expect.stringMatching(/^problem: catalog\.yaml:\d: upstreams: is missing$/),
      'problem: catalog.yaml:2: models: must name at least one model',
    ]);
  });
});

describe('doctor and a proxy', () => {
  it.each([
    ['', '', 'ok: browsers reach the gateway at this machine, without a proxy'],
    ['http://localhost:8080', '', 'ok: browsers reach the gateway at this machine, without a proxy'],
    ['http://127.0.0.1', '', 'ok: browsers reach the gateway at this machine, without a proxy'],
    ['https://api.example.com', '10.0.0.0/8', 'ok: TRUST_PROXY names the trusted proxies'],
    ['https://api.example.com', '', expect.stringMatching(/^warning: PUBLIC_URL is https:\/\/api\.example\.com .* Set TRUST_PROXY to the addresses of the proxy, such as 127\.0\.0\.1/)],
    ['https://localhost', 'off', expect.stringMatching(/^warning: PUBLIC_URL is https:\/\/localhost /)],
    ['http://api.example.com', '', expect.stringMatching(/^warning: PUBLIC_URL is http:\/\/api\.example\.com /)],
  ])('checks whether PUBLIC_URL=%s fits TRUST_PROXY=%s', async (url, trusted, finding) => {
    Object.assign(folder.environment, { PUBLIC_URL: url, TRUST_PROXY: trusted });
    expect(await findings('proxy')).toEqual([finding]);
  });
});

describe('doctor and upstreams', () => {
  let upstream: ScriptedUpstream;
  beforeEach(async () => {
    upstream = await startScriptedUpstream();
    folder.environment['UPSTREAM_BASE_URL'] = upstream.baseUrl;
    await folder.json('database', 'create');
  });
  afterEach(() => upstream.close());

  it('requests only the list of models, and a reply of a model only with --requests', async () => {
    expect(await findings('upstream upstream')).toEqual(['ok: it lists its models: 1']);
    expect(upstream.requests.filter(({ method }) => method === 'POST')).toEqual([]);
    expect(await findings('upstream upstream', '--requests')).toEqual(['ok: it lists its models: 1', expect.stringMatching(/^ok: scripted-model answered in \d+ ms$/)]);
    upstream.always('*', answersStatus(402));
    expect(await findings('upstream upstream', '--requests')).toEqual(['ok: it lists its models: 1', expect.stringMatching(/^problem: scripted-model did not answer: .*402/)]);
  });

  it('reports the error of an upstream that refuses the key', async () => {
    upstream.scriptModels(answersStatus(401));
    const { exitCode, out } = await folder.run('doctor');
    expect(exitCode).toBe(1);
    expect(out).toMatch(/^problem +upstream upstream +the upstream answered with status 401.* Check its key\.$/m);
    expect(out).toMatch(/^problem +catalogue +that of UPSTREAM_BASE_URL has no model, so no request can be served\.$/m);
  });
});

describe('doctor and mail', () => {
  const from = { MAIL_FROM: 'tollgate@example.test' };

  it('checks that the mail server accepts messages, without sending one', async () => {
    const server = await MailServer.start({ security: 'none' });
    Object.assign(folder.environment, { ...from, SMTP_HOST: 'localhost', SMTP_PORT: String(server.port), SMTP_SECURITY: 'none' });
    expect(await findings('mail')).toEqual([`ok: localhost:${server.port} accepts messages`]);
    expect(server.received).toEqual([]);
    await server.close();
    expect(await findings('mail')).toEqual([expect.stringMatching(/^problem: localhost:\d+ does not accept messages: .*\(ECONNREFUSED\)\. Check the settings that begin with SMTP_\.$/)]);
  });

  it('does not reveal a refused password', async () => {
    const server = await MailServer.start({ security: 'none', credentials: { user: 'gateway', password: 'swordfish' } });
    Object.assign(folder.environment, { ...from, SMTP_HOST: 'localhost', SMTP_PORT: String(server.port), SMTP_SECURITY: 'none', SMTP_USER: 'gateway', SMTP_PASSWORD: 'hunter2' });
    const [finding] = await findings('mail');
    await server.close();
    expect(finding).toMatch(/^problem: localhost:\d+ does not accept messages: .*\(535.*\)/);
    expect(finding).not.toContain('hunter2');
  });

  it('warns in production that messages in a folder are not delivered', async () => {
    folder.environment['NODE_ENV'] = 'production';
    expect(await findings('mail')).toEqual([expect.stringMatching(/^warning: SMTP_HOST is not set: .* and is not delivered\. Set SMTP_HOST and MAIL_FROM\.$/)]);
  });
});

describe('doctor on PostgreSQL and Redis', () => {
  let postgres: PostgresServer;
  let redis: RedisServer;
  beforeAll(async () => {
    [postgres, redis] = await Promise.all([startPostgresServer({}), startRedisServer()]);
  });
  afterAll(() => Promise.all([postgres.stop(), redis.stop()]));

  it('checks the database, its clock, the secret and Redis', async () => {
    Object.assign(folder.environment, { DATABASE_URL: postgres.url(), REDIS_URL: redis.path });
    expect(await findings('database')).toEqual([expect.stringMatching(/^problem: there is no database of Tollgate in postgresql:\/\/[^@ ]* \(DATABASE_URL\)/)]);
    await folder.json('database', 'create');
    expect(await findings('database')).toEqual([expect.stringMatching(/^ok: postgresql:\/\/[^@ ]* has the schema of this version$/)]);
    expect(await findings('clock')).toEqual([expect.stringMatching(/^ok: this machine's clock is 0\.\d s (behind|ahead of) the database server's$/)]);
    expect(await findings('secret')).toEqual([expect.stringMatching(/^warning: SECRET and SECRET_FILE are not set, so passkeys, second factors, sign-in through an issuer, webhooks, vouchers, the sign-up credit and sealed reasoning are off\. `openssl rand -hex 32` prints a secret/)]);
    folder.environment['SECRET_FILE'] = 'none';
    expect(await findings('secret')).toEqual([expect.stringMatching(/^problem: there is no file .*none \(SECRET_FILE\)\. `openssl rand -hex 32`/)]);
    expect(await findings('redis')).toEqual(['ok: it answers']);
    const connection = await openRedis({ url: redis.path, onError: () => undefined });
    await connection.call('replicaof', '127.0.0.1', '1');
    expect(await findings('redis')).toEqual(['problem: it refuses to write: it is a read-only replica (READONLY). Until it accepts writes, each gateway counts limits by itself.']);
    await connection.call('replicaof', 'no', 'one');
    await closeRedis(connection);
    rmSync(join(folder.path, 'none'), { force: true });
  });

  it('reports unreachable servers', async () => {
    Object.assign(folder.environment, { DATABASE_URL: 'postgresql://me:hunter2@127.0.0.1:1/tollgate', REDIS_URL: 'redis://:hunter2@127.0.0.1:1' });
    const { exitCode, out } = await folder.run('doctor');
    expect(exitCode).toBe(1);
    expect(out).toMatch(/^problem +database +cannot open the database postgresql:\/\/127\.0\.0\.1:1\/tollgate: .*ECONNREFUSED.*Check DATABASE_URL/m);
    expect(out).toMatch(/^problem +redis +it does not answer: .*ECONNREFUSED.*Check REDIS_URL/m);
    expect(out).not.toContain('hunter2');
  });
});

it.each([
  [null, 'ok'], [0, 'ok'], [-1_000, 'ok'], [1_001, 'warning'], [-5_000, 'warning'], [5_001, 'problem'], [-60_000, 'problem'],
])('a database clock %s ms ahead of this machine’s clock is reported as %s', (ahead, state) => {
  expect(clockCheck(ahead)).toMatchObject({ name: 'clock', state });
});

it('the clock check says whether this machine’s clock is ahead or behind', () => {
  expect(clockCheck(7_300).finding).toMatch(/^this machine's clock is 7\.3 s behind the database server's\. Synchronise both/);
  expect(clockCheck(-7_300).finding).toMatch(/^this machine's clock is 7\.3 s ahead of the database server's\. Synchronise both/);
});

describe('doctor', () => {
  it('reports a database whose newest entries are older than those that this machine’s gateway has seen', async () => {
    const world = await TollgateFolder.withDatabase();
    await world.json('accounts', 'create', '--email', 'ada@example.test', '--name', 'Ada', '--credit', '5');
    const file = join(world.path, 'tollgate.db-outbox-seen');
    const history = async (): Promise<unknown> => (await world.run('doctor', '--json')).out;
    expect(await history()).toContain('no gateway on this machine has recorded the state of the database');
    const audit = { number: 9, fingerprint: 'a hash' };
    writeFileSync(file, JSON.stringify({ seen: { ledger: null, audit }, setBack: null }));
    expect(await history()).toContain('the gateway on this machine has seen ledger entry 0 and audit entry 9, and the newest are now ledger entry 1 and audit entry 3');
    writeFileSync(file, JSON.stringify({ seen: { ledger: null, audit: null }, setBack: { at: '2026-11-28T00:00:00.000Z', seen: { ledger: null, audit } } }));
    expect(await history()).toContain('at 2026-11-28T00:00:00.000Z the gateway found that the database had been set back');
    world.remove();
  });
});
