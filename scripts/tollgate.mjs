import { join } from 'node:path';
import { buildWhenStale } from './bootstrap/built.mjs';
import { endWith } from './bootstrap/command-line.mjs';
import { installDependencies } from './bootstrap/dependencies.mjs';
import { root, runOnPinnedNode } from './bootstrap/run.mjs';
import { FOR_START } from './bootstrap/scopes.mjs';

await endWith(async () => {
  await installDependencies(FOR_START);
  await buildWhenStale(FOR_START);
  return runOnPinnedNode([join(root, 'apps/cli/dist/main.js'), ...process.argv.slice(2)]);
});
