import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const run = promisify(execFile);

const ROOT = fileURLToPath(new URL('../../../..', import.meta.url));

/** Incremental. Concurrent calls of several test files wait for each other. */
export async function buildDashboard(): Promise<void> {
  await run(process.execPath, [join(ROOT, 'scripts/build.mjs')], { cwd: ROOT });
}
