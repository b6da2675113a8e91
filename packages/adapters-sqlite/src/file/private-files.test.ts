import { chmodSync, existsSync, mkdirSync, mkdtempSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { ManualClock } from '@tollgate/adapters-memory';
import type { ProcessId } from '@tollgate/core';
import { STORE_NOON } from '@tollgate/testkit';
import { openSqliteStore, type SqliteStore } from '../open-sqlite-store.js';

const ALL = ['', '-wal', '-shm', '-gateway'];

let place: string;
let umask: number;

beforeEach(() => {
  place = mkdtempSync(join(tmpdir(), 'tollgate-private-'));
  umask = process.umask(0);
});

afterEach(() => {
  process.umask(umask);
  rmSync(place, { recursive: true });
});

function openStore(file: string): Promise<SqliteStore> {
  return openSqliteStore({ file, clock: new ManualClock(STORE_NOON), processId: 'process_1' as ProcessId, role: 'gateway' });
}

function modeOf(path: string): string {
  return (statSync(path).mode & 0o777).toString(8);
}

describe('the files of a database', () => {
  it('are accessible to their owner only, like their folder, whatever the umask', async () => {
    const file = join(place, 'data', 'inner', 'tollgate.db');
    const store = await openStore(file);
    const modes = ALL.map((ending) => [ending, modeOf(`${file}${ending}`)]);
    await store.close();
    expect(modes).toEqual(ALL.map((ending) => [ending, '600']));
    expect([modeOf(join(place, 'data')), modeOf(join(place, 'data', 'inner'))]).toEqual(['700', '700']);
  });

  it('that other users may read become private when a gateway opens the database', async () => {
    const file = join(place, 'tollgate.db');
    const first = await openStore(file);
    await first.close();
    for (const ending of ['', '-gateway']) chmodSync(`${file}${ending}`, 0o644);
    for (const ending of ['-outbox']) writeFileSync(`${file}${ending}`, '', { mode: 0o644 });
    const store = await openStore(file);
    const modes = [...ALL, '-outbox'].map((ending) => modeOf(`${file}${ending}`));
    await store.close();
    expect(modes).toEqual(modes.map(() => '600'));
  });

  it('that other users may read become private even if the database is opened through a link', async () => {
    const [file, link] = [join(place, 'tollgate.db'), join(place, 'link.db')];
    await (await openStore(file)).close();
    symlinkSync(file, link);
    for (const ending of ['', '-gateway', '-wal']) writeFileSync(`${file}${ending}`, '', { flag: 'a' });
    for (const ending of ['', '-gateway', '-wal']) chmodSync(`${file}${ending}`, 0o644);
    const store = await openStore(link);
    const modes = ALL.map((ending) => modeOf(`${file}${ending}`));
    await store.close();
    expect(modes).toEqual(ALL.map(() => '600'));
  });

  it('leave the permissions of an existing folder unchanged', async () => {
    const folder = join(place, 'shared');
    mkdirSync(folder, { mode: 0o755 });
    await (await openStore(join(folder, 'tollgate.db'))).close();
    expect([modeOf(folder), existsSync(join(folder, 'tollgate.db'))]).toEqual(['755', true]);
  });
});
