import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { TollgateFolder } from '../test-support/tollgate-run.js';

let folder: TollgateFolder;
let disk: string;

beforeEach(async () => {
  folder = await TollgateFolder.withDatabase();
  await folder.json('accounts', 'create', '--email', 'ada@example.test', '--name', 'Ada', '--credit', '1000');
  disk = join(folder.path, 'disk');
  mkdirSync(disk);
  execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=16m', 'tmpfs', disk]);
});

afterEach(() => {
  execFileSync('umount', ['--lazy', disk]);
  folder.remove();
});

describe('ledger verify on a read-only file system', () => {
  it('checks a copy of a database, and creates no file beside the copy', async () => {
    copyFileSync(join(folder.path, 'tollgate.db'), join(disk, 'copy.db'));
    execFileSync('mount', ['-o', 'remount,ro', disk]);
    expect(() => writeFileSync(join(disk, 'written'), '')).toThrow('EROFS');
    folder.environment['DATABASE_URL'] = `sqlite:${join(disk, 'copy.db')}`;
    expect(await folder.json('ledger', 'verify')).toMatchObject({ accounts: 1, differences: [] });
    expect((await folder.run('audit', 'verify')).exitCode).toBe(0);
    expect(readdirSync(disk)).toEqual(['copy.db']);
  });
});
