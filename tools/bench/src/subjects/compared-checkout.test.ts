import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { comparedCheckout } from './compared-checkout.js';

const AUTHOR = ['-c', 'user.name=bench', '-c', 'user.email=bench@tools.test', '-c', 'commit.gpgsign=false'];

describe('a checkout to compare with', () => {
  let folder: string;
  let repository: string;
  const said: string[] = [];
  const git = (...argv: readonly string[]): string => execFileSync('git', ['-C', repository, ...AUTHOR, ...argv], { encoding: 'utf8' }).trim();
  const checkout = (wanted: string): Promise<string> => comparedCheckout({ wanted, repository, folder, say: (text) => said.push(text) });

  const commitBuildThat = (script: string): string => {
    writeFileSync(join(repository, 'scripts/build.mjs'), script);
    git('add', '.');
    git('commit', '--quiet', '-m', 'build');
    return git('rev-parse', 'HEAD');
  };

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'compared-'));
    repository = join(folder, 'repository');
    said.length = 0;
    mkdirSync(join(repository, 'scripts'), { recursive: true });
    git('init', '--quiet');
  });

  afterEach(() => rmSync(folder, { recursive: true }));

  it('is used unchanged if it is a folder', async () => {
    expect(await checkout(repository)).toBe(repository);
    expect(said).toEqual([]);
  });

  it('is built in a new folder by the build script of the given commit', async () => {
    const older = commitBuildThat(`import { writeFileSync } from 'node:fs';\nwriteFileSync('built', 'older');\n`);
    commitBuildThat('process.exit(1);\n');
    const root = await checkout(older.slice(0, 7));
    expect(readFileSync(join(root, 'built'), 'utf8')).toBe('older');
    expect(said).toEqual([`building commit ${older} to compare with; this takes some minutes`]);
  });

  it('is refused if the build of its commit fails', async () => {
    await expect(checkout(commitBuildThat('process.exit(1);\n'))).rejects.toThrow('could not be built');
  });

  it.each(['no-such-commit', '--help'])('is refused if its name %s is neither a folder nor a commit', async (wanted) => {
    commitBuildThat('');
    await expect(checkout(wanted)).rejects.toThrow(`${wanted} is neither a folder nor a commit of this repository.`);
  });
});
