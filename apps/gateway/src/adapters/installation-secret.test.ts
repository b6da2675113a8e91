import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { Environment } from '@tollgate/adapters-config';
import { type PostgresServer, startPostgresServer } from '@tollgate/testkit';
import { services } from '../composition/services.js';
import { rebind } from '../test-support/start-test-gateway.js';
import { createLog } from '../observability/create-log.js';
import type { Gateway } from '../gateway/gateway.js';
import { createGateway } from '../composition/container.js';
import { StartRefused } from '../http/server/start-refused.js';

const OLD = 'aa'.repeat(32);
const NEW = 'bb'.repeat(32);
const BELONGS = 'this database belongs to another secret. Give this gateway the secret that the other gateways have. To replace that secret, set '
  + 'SECRET_PREVIOUS to it, and SECRET or SECRET_FILE to the new one. If it is lost, `tollgate database forget-secret` lets the next start record a new one';

let folder: string;
let logged: string[];
let gateways: Gateway[];

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tollgate-installation-'));
  [logged, gateways] = [[], []];
});
afterEach(async () => {
  for (const gateway of gateways) await gateway.close();
  rmSync(folder, { recursive: true });
});

async function start(environment: Environment): Promise<Gateway> {
  const log = createLog('info', { write: (line) => void logged.push(line) });
  const gateway = await createGateway({ PORT: '0', ...environment }, (container) => rebind(container, { log }));
  gateways.push(gateway);
  return gateway;
}

async function run(environment: Environment): Promise<void> {
  await (await start(environment)).close();
  gateways.pop();
}

function refusal(environment: Environment): Promise<string> {
  return start(environment).then(() => 'started', (thrown: unknown) => {
    if (!(thrown instanceof StartRefused)) throw thrown;
    return thrown.problems.join('\n');
  });
}

function factorKey({ container }: Gateway): string {
  return Buffer.from(container.get(services.secret)?.keysFor('factor').current ?? []).toString('hex');
}

describe('the secret of a gateway on a database file', () => {
  let database: Environment;
  let file: string;
  beforeEach(() => {
    database = { DATABASE_URL: `sqlite:${join(folder, 'data', 'tollgate.db')}` };
    file = join(folder, 'data', 'secret');
  });

  it('is created at the first start, readable by its owner only, and reused at later starts', async () => {
    const first = await start(database);
    const key = factorKey(first);
    expect(key).toMatch(/^[0-9a-f]{64}$/);
    expect([statSync(file).mode & 0o777, statSync(join(folder, 'data')).mode & 0o777]).toEqual([0o600, 0o700]);
    await first.close();
    gateways.pop();
    expect(factorKey(await start(database))).toBe(key);
  });

  it('is not written to the database or the log, and neither are API keys', async () => {
    const first = await start(database);
    const secret = readFileSync(file, 'utf8').trim();
    const places = [...logged, ...readdirSync(join(folder, 'data')).filter((name) => name !== 'secret').map((name) => readFileSync(join(folder, 'data', name), 'latin1'))];
    const forms = [secret, factorKey(first)].flatMap((text) => [text, Buffer.from(text, 'hex').toString('latin1'), Buffer.from(text, 'hex').toString('base64')]);
    expect(places.length).toBeGreaterThan(0);
    for (const form of forms) expect(places.filter((place) => place.includes(form))).toEqual([]);
  });

  it('changes only if SECRET_PREVIOUS is the old one; otherwise another secret is refused', async () => {
    await run({ ...database, SECRET: OLD });
    expect(await refusal({ ...database, SECRET: NEW })).toBe(`SECRET: ${BELONGS}`);
    await run({ ...database, SECRET: NEW, SECRET_PREVIOUS: OLD });
    expect(logged.filter((line) => line.includes('the secret was rotated'))).toHaveLength(1);
    expect(await refusal({ ...database, SECRET: OLD })).toBe(`SECRET: ${BELONGS}`);
    await run({ ...database, SECRET: NEW });
  });

  it('is refused with the name of its file if the file is malformed', async () => {
    await run(database);
    writeFileSync(file, NEW);
    expect(await refusal(database)).toBe(`SECRET_FILE (${file}): ${BELONGS}`);
    writeFileSync(file, 'hunter2');
    expect(await refusal(database)).toBe(`SECRET_FILE: the file ${file} must be at least 32 random bytes in hexadecimal or base64, such as \`openssl rand -hex 32\` prints`);
  });

  it('is not recreated when its file is lost', async () => {
    await run(database);
    rmSync(file);
    expect(await refusal(database)).toBe(`SECRET_FILE: there is no file ${file}, and this database belongs to the secret that was in it. Restore the file. `
      + 'If it is lost, `tollgate database forget-secret` lets the next start make a new one');
    expect(readdirSync(join(folder, 'data'))).not.toContain('secret');
  });

  it('is kept in memory only, not in a file, if the database is in memory', async () => {
    const gateway = await start({ DATABASE_URL: 'sqlite::memory:' });
    expect(factorKey(gateway)).toMatch(/^[0-9a-f]{64}$/);
    expect(readdirSync(folder)).toEqual([]);
  });
});

describe('the secret of gateways on PostgreSQL', () => {
  let server: PostgresServer;
  beforeAll(async () => {
    server = await startPostgresServer({});
  });
  afterAll(() => server.stop());

  it('is absent unless configured, and one log line names the disabled features', async () => {
    const { container } = await start({ DATABASE_URL: server.url() });
    expect(container.get(services.secret)).toBeNull();
    expect(logged.filter((line) => line.includes('SECRET and SECRET_FILE are not set, and gateways on PostgreSQL have to share one secret: passkeys, second factors, sign-in through an issuer, webhooks, vouchers, the sign-up credit and sealed reasoning are off'))).toHaveLength(1);
  });

  it('is shared: a gateway with another secret is refused, and rotation requires the previous one', async () => {
    const database = { DATABASE_URL: server.url() };
    const [one, other] = await Promise.all([start({ ...database, SECRET: OLD }), start({ ...database, SECRET: OLD })]);
    expect(factorKey(one)).toBe(factorKey(other));
    expect(await refusal({ ...database, SECRET: NEW })).toBe(`SECRET: ${BELONGS}`);
    expect(factorKey(await start({ ...database, SECRET: NEW, SECRET_PREVIOUS: OLD }))).not.toBe(factorKey(one));
    expect(await refusal({ ...database, SECRET: OLD })).toBe(`SECRET: ${BELONGS}`);
  });

  it('is not created when its file is missing, since each gateway would create a different one', async () => {
    const file = join(folder, 'secret');
    expect(await refusal({ DATABASE_URL: server.url(), SECRET_FILE: file }))
      .toBe(`SECRET_FILE: there is no file ${file}, and gateways on PostgreSQL have to share one secret; \`openssl rand -hex 32\` prints one`);
    expect(readdirSync(folder)).toEqual([]);
  });
});
