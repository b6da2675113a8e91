import { join } from 'node:path';
import { buildWhenStale } from './bootstrap/built.mjs';
import { endWith } from './bootstrap/command-line.mjs';
import { installDependencies } from './bootstrap/provisions.mjs';
import { root, runOnPinnedNode } from './bootstrap/run.mjs';

await endWith(async () => {
  await installDependencies();
  await buildWhenStale();
  return runOnPinnedNode([join(root, 'apps/cli/dist/main.js'), ...process.argv.slice(2)]);
});
