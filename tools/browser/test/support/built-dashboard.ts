import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const run = promisify(execFile);

const ROOT = fileURLToPath(new URL('../../../..', import.meta.url));

/** Builds incrementally, and only once in a test run. Concurrent calls wait for one build. */
export async function buildDashboard(): Promise<void> {
  if (process.env['TOLLGATE_BUILT'] !== undefined) return;
  await run(process.execPath, [join(ROOT, 'scripts/build.mjs')], { cwd: ROOT });
}
