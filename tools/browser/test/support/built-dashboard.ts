import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const run = promisify(execFile);

const ROOT = fileURLToPath(new URL('../../../..', import.meta.url));

/** Builds the dashboard if it is stale, unless the test run has built it. Concurrent calls wait for the same build. */
export async function buildDashboard(): Promise<void> {
  if (process.env['TOLLGATE_BUILT'] !== undefined) return;
  await run(process.execPath, [join(ROOT, 'scripts/build.mjs')], { cwd: ROOT });
}
