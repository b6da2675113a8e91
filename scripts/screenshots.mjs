import { join } from 'node:path';
import { buildWhenStale } from './bootstrap/built.mjs';
import { buildDashboardWhenStale } from './bootstrap/dashboard-built.mjs';
import { chromium, provideProgram } from './bootstrap/debian-package.mjs';
import { endWith } from './bootstrap/end.mjs';
import { installDependencies } from './bootstrap/installed.mjs';
import { readOptions } from './bootstrap/options.mjs';
import { root } from './bootstrap/paths.mjs';
import { runOnPinnedNode } from './bootstrap/run.mjs';

const USAGE = `npm run screenshots -- [options]

Takes a picture of every page of the dashboard, light and dark, 1280 and 390 pixels wide, and of what can lie over pages.
Writes them with a contact sheet, index.html. Where the folder holds pictures of an earlier run with the same browser and
fonts, the new ones are compared with them first, and the command ends with an error when one differs.

  --only TEXT    pictures whose names contain this; several, separated by commas
  --out FOLDER   where they go; data/screenshots unless given
  --help         prints this
`;

await endWith(async () => {
  const given = readOptions(USAGE, { options: { only: { type: 'string' }, out: { type: 'string' } } });
  if (given === null) return 0;
  await installDependencies();
  await provideProgram(chromium);
  await buildWhenStale();
  await buildDashboardWhenStale();
  return runOnPinnedNode([join(root, 'tools/browser/dist/pictures/main.js'), ...process.argv.slice(2)]);
});
