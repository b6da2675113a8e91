import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';

const exec = promisify(execFile);

/** Id of the commit; `null` if there is no such commit. */
async function commitOf(repository: string, name: string): Promise<string | null> {
  const { stdout } = await exec('git', ['-C', repository, 'rev-parse', '--verify', '--quiet', '--end-of-options', `${name}^{commit}`]).catch(() => ({ stdout: '' }));
  return stdout.trim() || null;
}

async function writeFiles(repository: string, commit: string, folder: string): Promise<void> {
  const archive = join(folder, '..', `${commit}.tar`);
  mkdirSync(folder, { recursive: true });
  await exec('git', ['-C', repository, 'archive', '--format=tar', '-o', archive, commit]);
  await exec('tar', ['-xf', archive, '-C', folder]);
}

/** Builds a checkout with its own script. */
async function build(folder: string): Promise<void> {
  const script = spawn(process.execPath, ['scripts/build.mjs'], { cwd: folder, stdio: ['ignore', 'ignore', 'inherit'] });
  const [code] = await once(script, 'exit') as [number | null];
  if (code !== 0) throw new Error('the commit to compare with could not be built');
}

interface CheckoutOptions {
  /** Folder of a compiled checkout, or a commit to build. */
  readonly wanted: string;
  readonly repository: string;
  /** Folder in which the commit is built. */
  readonly folder: string;
  readonly say: (text: string) => void;
}

/**
 * Folder of a compiled checkout: `wanted` if it is a folder; otherwise a new one, in which the commit `wanted` is built as after a fresh clone.
 * Rejects if it is neither.
 */
export async function comparedCheckout({ wanted, repository, folder, say }: CheckoutOptions): Promise<string> {
  if (statSync(wanted, { throwIfNoEntry: false })?.isDirectory() === true) return wanted;
  const commit = await commitOf(repository, wanted);
  if (commit === null) throw new Error(`${wanted} is neither a folder nor a commit of this repository.`);
  say(`building commit ${commit} to compare with; this takes some minutes`);
  const root = join(folder, 'compared-commit');
  await writeFiles(repository, commit, root);
  await build(root);
  return root;
}
