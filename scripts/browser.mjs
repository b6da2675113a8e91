import { join } from 'node:path';
import { buildWhenStale } from './bootstrap/built.mjs';
import { buildDashboardWhenStale } from './bootstrap/dashboard-built.mjs';
import { chromium, provideProgram } from './bootstrap/debian-package.mjs';
import { endWith } from './bootstrap/end.mjs';
import { installDependencies } from './bootstrap/installed.mjs';
import { readOptions } from './bootstrap/options.mjs';
import { root } from './bootstrap/paths.mjs';
import { runOnPinnedNode } from './bootstrap/run.mjs';

const USAGE = `npm run browser -- [options]

Tries the built dashboard in a real Chromium, on a gateway of its own: the checks of docs/browser.md, one after the other.
Installs and builds what is missing. Ends with an error when one of them fails.

  --only 3,4     these checks, by their numbers
  --list         names the checks
  --json         the results as JSON; what comes before goes to standard error
  --help         prints this
`;

await endWith(async () => {
  const given = readOptions(USAGE, { options: { only: { type: 'string' }, list: { type: 'boolean' }, json: { type: 'boolean' } } });
  if (given === null) return 0;
  await installDependencies();
  await provideProgram(chromium);
  await buildWhenStale();
  await buildDashboardWhenStale();
  return runOnPinnedNode([join(root, 'tools/browser/dist/main.js'), ...process.argv.slice(2)]);
});
