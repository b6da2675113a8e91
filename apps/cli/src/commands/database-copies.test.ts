import { chmodSync, copyFileSync, existsSync, readdirSync, readFileSync, renameSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { RandomIds, SystemClock } from '@tollgate/adapters-node';
import { openSqliteStore } from '@tollgate/adapters-sqlite';
import { type PostgresServer, startPostgresServer } from '@tollgate/testkit';
import Database from 'better-sqlite3';
import { TollgateFolder } from '../test-support/tollgate-run.js';

let folder: TollgateFolder;
const pathOf = (name: string): string => join(folder.path, name);

beforeEach(async () => {
  folder = await TollgateFolder.withDatabase();
  await folder.json('accounts', 'create', '--email', 'ada@example.test', '--name', 'Ada', '--credit', '5');
});
afterEach(() => folder.remove());

async function balanceOfAda(): Promise<unknown> {
  return (await folder.json<{ readonly account: { readonly balance: { readonly available: { readonly svc_tokens: string } } } }>('accounts', 'show', 'ada@example.test')).account.balance.available.svc_tokens;
}

async function whileGatewayRuns<T>(task: () => Promise<T>): Promise<T> {
  const store = await openSqliteStore({ file: pathOf('tollgate.db'), clock: new SystemClock(), processId: new RandomIds().processId(), role: 'gateway' });
  try {
    return await task();
  } finally {
    await store.close();
  }
}

describe('database backup', () => {
  it('writes a verified copy that only its owner can read, while a gateway runs, and lists what else to copy', async () => {
    const { exitCode, out, error } = await whileGatewayRuns(() => folder.run('database', 'backup', 'backup.db'));
    expect([exitCode, out.split('\n')]).toEqual([0, [
      expect.stringMatching(/^The backup is .*\/backup\.db, made in \d+\.\d s and verified: 1 accounts, 1 ledger entries, 3 audit entries\.$/),
      'Copy these as well, and store the secret elsewhere:',
      `  the secret, in ${pathOf('secret')}`,
      `  queued settlements, in ${pathOf('tollgate.db-outbox')}, if it is not empty`,
      `  queued replies, in ${pathOf('tollgate.db-outbox-replies')}, if it is not empty`,
      '',
    ]]);
    expect(error).toMatch(/^(Copied|Verifying)/);
    expect(statSync(pathOf('backup.db')).mode & 0o777).toBe(0o600);
    expect(readdirSync(folder.path).filter((name) => name.startsWith('backup'))).toEqual(['backup.db']);
    expect(await folder.json('database', 'restore', 'backup.db', '--check')).toMatchObject({ outcome: 'sound', problems: [], accounts: 1, entries: 1 });
  });

  it('reports progress at a terminal, but not with --json', async () => {
    expect((await folder.runWatched('database', 'backup', 'backup.db')).progress).toContain('Verifying the copy …');
    expect(await folder.json('database', 'backup', 'other.db')).toMatchObject({ outcome: 'backed-up', file: pathOf('other.db'), accounts: 1, also_copy: expect.any(Array) });
  });

  it('replaces a file only with --force, and never an unfinished backup', async () => {
    writeFileSync(pathOf('backup.db'), 'mine');
    expect(await folder.run('database', 'backup', 'backup.db')).toMatchObject({ exitCode: 1, error: `error: ${pathOf('backup.db')} exists; --force replaces it\n` });
    expect(readFileSync(pathOf('backup.db'), 'utf8')).toBe('mine');
    writeFileSync(pathOf('backup.db.part'), 'half');
    expect((await folder.run('database', 'backup', 'backup.db', '--force')).error).toContain('another backup is running, or was interrupted');
    expect(readFileSync(pathOf('backup.db.part'), 'utf8')).toBe('half');
    chmodSync(pathOf('backup.db'), 0o644);
    expect(await folder.run('database', 'backup', 'again.db')).toMatchObject({ exitCode: 0 });
    copyFileSync(pathOf('again.db'), pathOf('older.db'));
    expect(await folder.run('database', 'backup', 'older.db', '--force')).toMatchObject({ exitCode: 0 });
    expect(statSync(pathOf('older.db')).mode & 0o777).toBe(0o600);
    expect(await folder.run('database', 'backup', 'tollgate.db', '--force')).toMatchObject({ exitCode: 2 });
  });

  it('never replaces a file of the database, even if it is named by another path', async () => {
    symlinkSync(folder.path, pathOf('alias'));
    for (const name of ['alias/tollgate.db', 'tollgate.db-wal', 'tollgate.db-outbox']) {
      expect(await folder.run('database', 'backup', name, '--force')).toMatchObject({ exitCode: 2 });
    }
    expect(await balanceOfAda()).toBe('5');
  });

  it('discards a copy whose books do not balance', async () => {
    new Database(pathOf('tollgate.db')).exec('UPDATE accounts SET balance = balance + 1').close();
    const { exitCode, error } = await folder.run('database', 'backup', 'backup.db');
    expect([exitCode, error.split('\n').at(-2)]).toEqual([1, expect.stringMatching(/^error: the copy was not kept: the ledger has \d+ differences$/)]);
    expect(readdirSync(folder.path).filter((name) => name.startsWith('backup'))).toEqual([]);
  });
});

describe('database restore', () => {
  beforeEach(async () => {
    await folder.json('database', 'backup', 'backup.db');
    await folder.json('accounts', 'credit', 'ada@example.test', '7', '--reference', 'later');
  });

  /** Creates `crashed.db` with its log, as a killed gateway leaves them: the last credit is only in the log. */
  async function crash(): Promise<void> {
    const other = new Database(pathOf('tollgate.db'));
    other.pragma('wal_autocheckpoint = 0');
    other.prepare('SELECT count(*) FROM accounts').get();
    await folder.json('accounts', 'credit', 'ada@example.test', '30', '--reference', 'last');
    for (const ending of ['', '-wal']) copyFileSync(pathOf(`tollgate.db${ending}`), pathOf(`crashed.db${ending}`));
    other.close();
    expect(statSync(pathOf('crashed.db-wal')).size).toBeGreaterThan(0);
  }

  it('includes the changes in the write-ahead log beside the backup file', async () => {
    await crash();
    expect(await folder.run('database', 'restore', 'crashed.db', '--force')).toMatchObject({ exitCode: 0 });
    expect(await balanceOfAda()).toBe('42');
  });

  it('does not apply the write-ahead log of a removed database to the restored file', async () => {
    await crash();
    renameSync(pathOf('crashed.db-wal'), pathOf('tollgate.db-wal'));
    renameSync(pathOf('tollgate.db'), pathOf('moved.db'));
    expect((await folder.run('database', 'restore', 'backup.db')).error).toContain('--force renames');
    const { earlier } = await folder.json<{ readonly earlier: string }>('database', 'restore', 'backup.db', '--force');
    expect([existsSync(`${earlier}-wal`), await balanceOfAda()]).toEqual([true, '5']);
  });

  it('replaces the database with --force if no gateway runs, and keeps the earlier one', async () => {
    expect((await folder.run('database', 'restore', 'backup.db')).error).toContain('--force renames these files');
    const refused = await whileGatewayRuns(() => folder.run('database', 'restore', 'backup.db', '--force'));
    expect([refused.exitCode, refused.error]).toEqual([1, expect.stringContaining('another gateway is using it')]);
    expect(await balanceOfAda()).toBe('12');
    const { earlier } = await folder.json<{ readonly earlier: string }>('database', 'restore', 'backup.db', '--force');
    expect(await balanceOfAda()).toBe('5');
    expect([existsSync(earlier), statSync(pathOf('tollgate.db')).mode & 0o777]).toEqual([true, 0o600]);
    folder.environment['DATABASE_URL'] = `sqlite:${earlier}`;
    expect(await balanceOfAda()).toBe('12');
  });

  it('creates the database if there is none', async () => {
    folder.environment['DATABASE_URL'] = `sqlite:${pathOf('new.db')}`;
    expect(await folder.json('database', 'restore', 'backup.db')).toMatchObject({ outcome: 'restored', earlier: null });
    expect(await balanceOfAda()).toBe('5');
  });

  it.each<[string, string, (file: string) => void]>([
    ['a cut file', 'cannot open|malformed|damaged', (file) => writeFileSync(file, readFileSync(file).subarray(0, 8192))],
    ['no database', 'not a database', (file) => writeFileSync(file, 'x'.repeat(9000))],
    ['an empty file', 'no database of Tollgate', (file) => writeFileSync(file, '')],
    ['a ledger that does not balance', 'the ledger has', (file) => void new Database(file).exec('UPDATE accounts SET balance = balance + 1').close()],
    ['a cut audit log', 'the audit log is broken', (file) => void new Database(file).exec("DROP TRIGGER audit_entries_no_delete; DELETE FROM audit_entries WHERE seq = 1").close()],
    ['a newer schema', 'newer version of Tollgate', (file) => void new Database(file).exec("INSERT INTO schema_migrations VALUES ('9999-from-the-future', '')").close()],
    ['a schema from before the first release', 'before the first release', (file) => void new Database(file).exec("UPDATE schema_migrations SET name = '0001-initial' WHERE name = '0001-baseline'").close()],
  ])('refuses %s, and --check says why', async (_, why, damage) => {
    damage(pathOf('backup.db'));
    const checked = await folder.run('database', 'restore', 'backup.db', '--check');
    expect([checked.exitCode, checked.out]).toEqual([1, expect.stringMatching(new RegExp(`must NOT be restored:\n.*(${why})`))]);
    expect((await folder.run('database', 'restore', 'backup.db', '--force')).exitCode).toBe(1);
    expect(await balanceOfAda()).toBe('12');
  });

  it('requires a file other than the database', async () => {
    expect(await folder.run('database', 'restore', 'tollgate.db', '--force')).toMatchObject({ exitCode: 2 });
    expect(await folder.run('database', 'restore', '--force')).toMatchObject({ exitCode: 2 });
  });
});

describe('on PostgreSQL', () => {
  let server: PostgresServer;
  beforeAll(async () => {
    server = await startPostgresServer();
  });
  afterAll(() => server.stop());

  it('database restore --check verifies the database of a URL or of the settings; database backup is refused', async () => {
    folder.environment['DATABASE_URL'] = server.url();
    expect((await folder.run('database', 'restore', '--check')).out).toContain('no database of Tollgate');
    await folder.json('database', 'create');
    expect(await folder.json('database', 'restore', '--check')).toMatchObject({ outcome: 'sound', accounts: 0 });
    expect(await folder.run('database', 'backup', 'backup.db')).toMatchObject({ exitCode: 2, error: expect.stringContaining('docs/postgresql.md') });
    folder.environment['DATABASE_URL'] = 'sqlite:./tollgate.db';
    expect(await folder.json('database', 'restore', server.url(), '--check')).toMatchObject({ outcome: 'sound', accounts: 0 });
  });
});
