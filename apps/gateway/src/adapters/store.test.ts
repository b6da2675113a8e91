import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { Environment } from '@tollgate/adapters-config';
import Database from 'better-sqlite3';
import { rebind } from '../test-support/start-test-gateway.js';
import { createLog } from '../observability/create-log.js';
import type { Gateway } from '../gateway/gateway.js';
import { createGateway } from '../composition/container.js';
import { logMigration } from './store.js';
import { StartRefused } from '../http/server/start-refused.js';

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

describe('the schema of a database', () => {
  /** Logged messages about the schema, with the migration step and the number of steps. */
  function told(): readonly unknown[] {
    return logged.map((line) => JSON.parse(line) as Record<string, unknown>).filter(({ msg }) => String(msg).startsWith('the database schema'))
      .map(({ msg, step, steps }) => ({ msg, step, steps }));
  }

  it('is logged in one line when it is created, and not at later starts', async () => {
    const environment = { DATABASE_URL: `sqlite:${join(folder, 'tollgate.db')}` };
    await run(environment);
    await run(environment);
    expect(told()).toEqual([{ msg: 'the database schema was created', steps: expect.any(Number) }]);
  });

  it('is logged once per migration step', () => {
    logMigration(['0002-one', '0003-another'], createLog('info', { write: (line) => void logged.push(line) }));
    expect(told()).toEqual([{ msg: 'the database schema was migrated', step: '0002-one' }, { msg: 'the database schema was migrated', step: '0003-another' }]);
  });

  it('from before the first release is refused with instructions', async () => {
    const file = join(folder, 'tollgate.db');
    new Database(file).exec("CREATE TABLE schema_migrations (name text, timestamp text); INSERT INTO schema_migrations VALUES ('0001-initial', '')").close();
    expect(await refusal({ DATABASE_URL: `sqlite:${file}` })).toBe('DATABASE_URL: the database was made by a version of Tollgate before the first release, and this version cannot '
      + 'migrate it; set DATABASE_URL to a new database, or start the version that made this one');
  });
});
