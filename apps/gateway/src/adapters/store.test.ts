import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import Database from 'better-sqlite3';
import { LoggedGateways } from '../test-support/logged-gateways.js';
import { createLog } from '../observability/create-log.js';
import { logMigration } from './store.js';

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

describe('the schema of a database', () => {
  /** Logged messages about the schema, with the migration step and the number of steps. */
  function told(): readonly unknown[] {
    return gateways.lines.map((line) => JSON.parse(line) as Record<string, unknown>).filter(({ msg }) => String(msg).startsWith('the database schema'))
      .map(({ msg, step, steps }) => ({ msg, step, steps }));
  }

  it('is logged in one line when it is created; later starts log nothing about it', async () => {
    const environment = { DATABASE_URL: `sqlite:${join(folder, 'tollgate.db')}` };
    await gateways.run(environment);
    await gateways.run(environment);
    expect(told()).toEqual([{ msg: 'the database schema was created', steps: expect.any(Number) }]);
  });

  it('is logged in one line for each migration step', () => {
    logMigration(['0002-one', '0003-another'], createLog('info', { write: (line) => void gateways.lines.push(line) }));
    expect(told()).toEqual([{ msg: 'the database schema was migrated', step: '0002-one' }, { msg: 'the database schema was migrated', step: '0003-another' }]);
  });

  it('from before the first release is refused with instructions', async () => {
    const file = join(folder, 'tollgate.db');
    new Database(file).exec("CREATE TABLE schema_migrations (name text, timestamp text); INSERT INTO schema_migrations VALUES ('0001-initial', '')").close();
    expect(await gateways.refusal({ DATABASE_URL: `sqlite:${file}` })).toBe('DATABASE_URL: the database was made by a version of Tollgate before the first release, and this version cannot '
      + 'migrate it; set DATABASE_URL to a new database, or start the version that made this one');
  });
});
