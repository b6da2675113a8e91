import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { type PostgresServer, startPostgresServer } from '@tollgate/testkit';
import Database from 'better-sqlite3';
import { TollgateFolder } from '../test-support/tollgate-run.js';

let folder: TollgateFolder;
beforeEach(() => {
  folder = new TollgateFolder();
});
afterEach(() => folder.remove());

const COMMANDS: readonly (readonly string[])[] = [
  ['ledger', 'verify'], ['audit', 'verify'], ['accounts', 'list'], ['platform', 'status'], ['platform', 'maintenance', 'on', '--yes'],
  ['accounts', 'create', '--email', 'ada@example.test', '--name', 'Ada'], ['usage', 'list', 'ada@example.test'], ['keys', 'list', 'ada@example.test'],
];

describe('database forget-secret', () => {
  const consequences = 'What was made with the lost secret becomes useless: second factors, secrets of webhooks, sealed reasoning, known browsers, and the record of which mailboxes had a sign-up credit or a voucher.';

  function recordedSecrets(): unknown {
    const database = new Database(join(folder.path, 'tollgate.db'));
    try {
      return database.prepare('SELECT count(*) FROM installation').pluck().get();
    } finally {
      database.close();
    }
  }

  beforeEach(async () => {
    await folder.json('database', 'create');
    new Database(join(folder.path, 'tollgate.db')).exec("INSERT INTO installation VALUES (1, 'fingerprint', 0)").close();
  });

  it('deletes the fingerprint of the secret with an audit entry, and fails if there is none', async () => {
    expect(await folder.run('database', 'forget-secret', '--yes')).toMatchObject({ exitCode: 0, out: 'The secret is forgotten. The next gateway that starts records its own.\n' });
    expect(recordedSecrets()).toBe(0);
    expect(await folder.json('audit', 'verify')).toMatchObject({ entries: 1 });
    expect(await folder.run('database', 'forget-secret', '--yes')).toEqual({ exitCode: 1, out: '', error: 'error: no secret is recorded in this database, so there is none to forget\n' });
  });

  it('asks at a terminal, and changes nothing unless confirmed', async () => {
    for (const answer of ['', 'n', 'yesterday']) {
      expect(await folder.runAnswering(answer, 'database', 'forget-secret'))
        .toEqual({ exitCode: 1, out: '', error: 'error: cancelled; nothing has changed\n', asked: `${consequences} Continue? [y/N] ` });
    }
    expect(recordedSecrets()).toBe(1);
    expect(await folder.runAnswering(' Y', 'database', 'forget-secret')).toMatchObject({ exitCode: 0 });
    expect(recordedSecrets()).toBe(0);
  });

  it('requires --yes without a terminal and with --json', async () => {
    const message = `${consequences} Repeat the command with --yes to do it`;
    expect(await folder.run('database', 'forget-secret')).toEqual({ exitCode: 2, out: '', error: `error: ${message}\n` });
    expect(await folder.runAnswering('y', 'database', 'forget-secret', '--json'))
      .toEqual({ exitCode: 2, out: '', error: `${JSON.stringify({ error: { message } })}\n`, asked: '' });
    expect(recordedSecrets()).toBe(1);
  });
});

describe('without a database file', () => {
  const hint = '(DATABASE_URL); `tollgate database create` creates one';

  it.each(COMMANDS)('%s %s reports the missing file, and creates none', async (...argv) => {
    folder.environment['DATABASE_URL'] = 'sqlite:./data/tolgate.db';
    const error = `error: there is no database of Tollgate in the file ${join(folder.path, 'data/tolgate.db')} ${hint}\n`;
    expect(await folder.run(...argv)).toEqual({ exitCode: 1, out: '', error });
    expect(readdirSync(folder.path)).toEqual([]);
  });

  it('database create creates the file and its folder; a second call keeps the database', async () => {
    folder.environment['DATABASE_URL'] = 'sqlite:./data/tollgate.db';
    const place = `the file ${join(folder.path, 'data/tollgate.db')}`;
    expect(await folder.run('database', 'create')).toEqual({ exitCode: 0, out: `The database is created in ${place}.\n`, error: '' });
    expect(await folder.run('ledger', 'verify')).toMatchObject({ exitCode: 0 });
    await folder.json('accounts', 'create', '--email', 'ada@example.test', '--name', 'Ada');
    expect(await folder.json('database', 'create')).toEqual({ database: place, outcome: 'existing' });
    expect((await folder.run('database', 'create')).out).toBe(`A database already exists in ${place}; its data is kept.\n`);
    expect(await folder.json('accounts', 'list')).toMatchObject({ accounts: [{ email: 'ada@example.test' }] });
  });

  it.each<[string, (file: string) => void]>([
    ['an empty file', (file) => writeFileSync(file, '')],
    ['a database of another program', (file) => new Database(file).exec('CREATE TABLE notes (text TEXT)').close()],
  ])('%s is not a Tollgate database, and stays unchanged', async (_, make) => {
    const file = join(folder.path, 'tollgate.db');
    make(file);
    const before = readFileSync(file);
    const { exitCode, error } = await folder.run('ledger', 'verify');
    expect([exitCode, error]).toEqual([1, `error: there is no database of Tollgate in the file ${file} ${hint}\n`]);
    expect(readFileSync(file).equals(before)).toBe(true);
    expect(readdirSync(folder.path)).toEqual(['tollgate.db']);
  });

  it('commands refuse a database in memory, which only its gateway can access', async () => {
    folder.environment['DATABASE_URL'] = 'sqlite::memory:';
    const error = 'error: DATABASE_URL names a database in memory, which exists only while its gateway runs\n';
    for (const argv of COMMANDS) expect(await folder.run(...argv)).toEqual({ exitCode: 1, out: '', error });
    expect(await folder.run('database', 'create')).toMatchObject({ exitCode: 2 });
  });

  it('a folder with the name of the database file is reported, and stays unchanged', async () => {
    mkdirSync(join(folder.path, 'tollgate.db'));
    const { exitCode, error } = await folder.run('ledger', 'verify');
    expect([exitCode, error.startsWith('error: cannot open the database file ')]).toEqual([1, true]);
    expect(existsSync(join(folder.path, 'tollgate.db-wal'))).toBe(false);
  });
});

describe('on PostgreSQL', () => {
  let server: PostgresServer;
  beforeAll(async () => {
    server = await startPostgresServer();
  });
  afterAll(() => server.stop());

  it('every command reports missing tables, and database create creates them', async () => {
    folder.environment['DATABASE_URL'] = server.url();
    for (const argv of COMMANDS) {
      const { exitCode, out, error } = await folder.run(...argv);
      expect([exitCode, out]).toEqual([1, '']);
      expect(error).toMatch(/^error: there is no database of Tollgate in postgresql:\/\/[^@ ]* \(DATABASE_URL\); `tollgate database create` creates one\n$/);
    }
    expect(await folder.json('database', 'create')).toMatchObject({ outcome: 'created' });
    expect(await folder.json('database', 'create')).toMatchObject({ outcome: 'existing' });
    expect(await folder.json('ledger', 'verify')).toMatchObject({ accounts: 0, differences: [] });
  });
});
