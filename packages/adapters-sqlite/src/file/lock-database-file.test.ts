import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, linkSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { ManualClock } from '@tollgate/adapters-memory';
import type { ProcessId } from '@tollgate/core';
import { DatabaseUnavailableError, type StoreOptions } from '@tollgate/sql-common';
import { STORE_NOON } from '@tollgate/testkit';
import Database from 'better-sqlite3';
import { openSqliteStore, type SqliteStore } from '../open-sqlite-store.js';

const REFUSED = /cannot open the database file .*tollgate\.db: another gateway is using it\. Stop that one first/;
/** Program that takes a gateway's lock. */
const OTHER_GATEWAY = `
  import Database from 'better-sqlite3';
  const connection = new Database(process.argv[1] + '-gateway', { timeout: 0 });
  connection.exec('BEGIN EXCLUSIVE');
  process.stdout.write('locked');
  setInterval(() => connection.open, 1000);`;

describe('the only gateway of a database file', () => {
  let folder: string;
  let file: string;
  let other: ChildProcess | null = null;
  const opened: SqliteStore[] = [];

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'tollgate-sole-'));
    file = join(folder, 'tollgate.db');
  });

  afterEach(async () => {
    other?.kill('SIGKILL');
    for (const store of opened.splice(0)) await store.close();
    rmSync(folder, { recursive: true });
  });

  async function open(role: NonNullable<StoreOptions['role']>, path = file): Promise<SqliteStore> {
    const store = await openSqliteStore({ file: path, clock: new ManualClock(STORE_NOON), processId: `process_${opened.length}` as ProcessId, role });
    opened.push(store);
    return store;
  }

  async function startOther(): Promise<ChildProcess> {
    other = spawn(process.execPath, ['--input-type=module', '-e', OTHER_GATEWAY, file], { cwd: import.meta.dirname, env: {}, stdio: ['ignore', 'pipe', 'inherit'] });
    if (other.stdout !== null) await once(other.stdout, 'data');
    return other;
  }

  it('refuses a second gateway with an error that states the reason, and keeps working', async () => {
    const first = await open('gateway');
    await expect(open('gateway')).rejects.toThrow(REFUSED);
    await expect(open('gateway')).rejects.toBeInstanceOf(DatabaseUnavailableError);
    expect((await first.ledgerAudit.verify()).differences).toEqual([]);
  });

  it('refuses a gateway that opens the file through a symbolic link', async () => {
    await open('gateway');
    symlinkSync(file, join(folder, 'alias.db'));
    await expect(open('gateway', join(folder, 'alias.db'))).rejects.toThrow('another gateway is using it');
  });

  it('refuses a gateway that opens the file through a hard link, before a second log is created', async () => {
    const first = await open('gateway');
    const link = join(folder, 'link.db');
    linkSync(file, link);
    await expect(open('gateway', link)).rejects.toThrow('another gateway is using it');
    expect(existsSync(`${link}-wal`)).toBe(false);
    await first.close();
    opened.pop();
    await expect(open('gateway', link)).resolves.toBeDefined();
  });

  it('admits other programs, before or after it opens the file', async () => {
    const commandLine = await open('beside-a-gateway');
    await open('gateway');
    const another = await open('beside-a-gateway');
    for (const program of [commandLine, another]) expect(await program.accounts.list({ limit: 1, after: null })).toMatchObject({ accounts: [] });
  });

  it('admits the next gateway after it has closed', async () => {
    await open('gateway');
    await opened.pop()?.close();
    await expect(open('gateway')).resolves.toBeDefined();
  });

  it('admits the next gateway even if its own last write failed', async () => {
    const first = await open('gateway');
    opened.pop();
    const connection = new Database(file);
    connection.exec("CREATE TRIGGER full BEFORE DELETE ON process_leases BEGIN SELECT RAISE(ABORT, 'the disk is full'); END");
    await expect(first.close()).rejects.toThrow('the disk is full');
    connection.exec('DROP TRIGGER full');
    connection.close();
    await expect(open('gateway')).resolves.toBeDefined();
  });

  it('admits the next gateway after it has refused to open a newer schema', async () => {
    await (await open('beside-a-gateway')).close();
    opened.pop();
    const connection = new Database(file);
    connection.exec("INSERT INTO schema_migrations (name, timestamp) VALUES ('9999-later', '')");
    await expect(open('gateway')).rejects.toThrow('newer version');
    connection.exec("DELETE FROM schema_migrations WHERE name = '9999-later'");
    connection.close();
    await expect(open('gateway')).resolves.toBeDefined();
  });

  it('excludes other gateways until its process ends, even by a kill', async () => {
    const running = await startOther();
    await expect(open('gateway')).rejects.toThrow(REFUSED);
    await expect(open('beside-a-gateway')).resolves.toBeDefined();
    running.kill('SIGKILL');
    await once(running, 'exit');
    await expect(open('gateway')).resolves.toBeDefined();
  });

  it('excludes no other gateway if the database is in memory', async () => {
    await open('gateway', ':memory:');
    await expect(open('gateway', ':memory:')).resolves.toBeDefined();
  });
});
