import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { Environment } from '@tollgate/adapters-config';
import { type PostgresServer, startPostgresServer } from '@tollgate/testkit';
import { services } from '../composition/services.js';
import { LoggedGateways } from '../test-support/logged-gateways.js';
import type { Gateway } from '../gateway/gateway.js';

const OLD = 'aa'.repeat(32);
const NEW = 'bb'.repeat(32);
const BELONGS = 'this database belongs to another secret. Give this gateway the secret that the other gateways have. To replace that secret, set '
  + 'SECRET_PREVIOUS to it, and SECRET or SECRET_FILE to the new one. If it is lost, `tollgate database forget-secret` lets the next start record a new one';

let folder: string;
let gateways: LoggedGateways;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tollgate-installation-'));
  gateways = new LoggedGateways();
});
afterEach(async () => {
  await gateways.close();
  rmSync(folder, { recursive: true });
});

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

  it('is created at the first start in a file that only its owner can read, and reused at later starts', async () => {
    const first = await gateways.start(database);
    const key = factorKey(first);
    expect(key).toMatch(/^[0-9a-f]{64}$/);
    expect([statSync(file).mode & 0o777, statSync(join(folder, 'data')).mode & 0o777]).toEqual([0o600, 0o700]);
    await first.close();
    expect(factorKey(await gateways.start(database))).toBe(key);
  });

  it('is not written to the database or the log, and neither is a key derived from it', async () => {
    const first = await gateways.start(database);
    const secret = readFileSync(file, 'utf8').trim();
    const places = [...gateways.lines, ...readdirSync(join(folder, 'data')).filter((name) => name !== 'secret').map((name) => readFileSync(join(folder, 'data', name), 'latin1'))];
    const forms = [secret, factorKey(first)].flatMap((text) => [text, Buffer.from(text, 'hex').toString('latin1'), Buffer.from(text, 'hex').toString('base64')]);
    expect(places.length).toBeGreaterThan(0);
    for (const form of forms) expect(places.filter((place) => place.includes(form))).toEqual([]);
  });

  it('is replaced only if SECRET_PREVIOUS states the old one; a start with any other secret is refused', async () => {
    await gateways.run({ ...database, SECRET: OLD });
    expect(await gateways.refusal({ ...database, SECRET: NEW })).toBe(`SECRET: ${BELONGS}`);
    await gateways.run({ ...database, SECRET: NEW, SECRET_PREVIOUS: OLD });
    expect(gateways.lines.filter((line) => line.includes('the secret was rotated'))).toHaveLength(1);
    expect(await gateways.refusal({ ...database, SECRET: OLD })).toBe(`SECRET: ${BELONGS}`);
    await gateways.run({ ...database, SECRET: NEW });
  });

  it('is refused if its file has another secret or is malformed, and the refusal names the file', async () => {
    await gateways.run(database);
    writeFileSync(file, NEW);
    expect(await gateways.refusal(database)).toBe(`SECRET_FILE (${file}): ${BELONGS}`);
    writeFileSync(file, 'hunter2');
    expect(await gateways.refusal(database)).toBe(`SECRET_FILE: the file ${file} must be at least 32 random bytes in hexadecimal or base64, such as \`openssl rand -hex 32\` prints`);
  });

  it('is not recreated when its file is lost', async () => {
    await gateways.run(database);
    rmSync(file);
    expect(await gateways.refusal(database)).toBe(`SECRET_FILE: there is no file ${file}, and this database belongs to the secret that was in it. Restore the file. `
      + 'If it is lost, `tollgate database forget-secret` lets the next start make a new one');
    expect(readdirSync(join(folder, 'data'))).not.toContain('secret');
  });
});

it('the secret of a gateway on a database in memory is kept in memory only, not in a file', async () => {
  const gateway = await gateways.start({ DATABASE_URL: 'sqlite::memory:' });
  expect(factorKey(gateway)).toMatch(/^[0-9a-f]{64}$/);
  expect(readdirSync(folder)).toEqual([]);
});

describe('the secret of gateways on PostgreSQL', () => {
  let server: PostgresServer;
  beforeAll(async () => {
    server = await startPostgresServer({});
  });
  afterAll(() => server.stop());

  it('is absent unless configured; one log line then names the features that are disabled without it', async () => {
    const { container } = await gateways.start({ DATABASE_URL: server.url() });
    expect(container.get(services.secret)).toBeNull();
    expect(gateways.lines.filter((line) => line.includes('SECRET and SECRET_FILE are not set, and gateways on PostgreSQL have to share one secret: passkeys, second factors, sign-in through an issuer, webhooks, vouchers, the sign-up credit and sealed reasoning are off'))).toHaveLength(1);
  });

  it('is shared: a gateway with another secret is refused, and rotation requires the previous one', async () => {
    const database = { DATABASE_URL: server.url() };
    const [one, other] = await Promise.all([gateways.start({ ...database, SECRET: OLD }), gateways.start({ ...database, SECRET: OLD })]);
    expect(factorKey(one)).toBe(factorKey(other));
    expect(await gateways.refusal({ ...database, SECRET: NEW })).toBe(`SECRET: ${BELONGS}`);
    expect(factorKey(await gateways.start({ ...database, SECRET: NEW, SECRET_PREVIOUS: OLD }))).not.toBe(factorKey(one));
    expect(await gateways.refusal({ ...database, SECRET: OLD })).toBe(`SECRET: ${BELONGS}`);
  });

  it('is not created when its file is missing, since each gateway would create a different one', async () => {
    const file = join(folder, 'secret');
    expect(await gateways.refusal({ DATABASE_URL: server.url(), SECRET_FILE: file }))
      .toBe(`SECRET_FILE: there is no file ${file}, and gateways on PostgreSQL have to share one secret; \`openssl rand -hex 32\` prints one`);
    expect(readdirSync(folder)).toEqual([]);
  });
});
