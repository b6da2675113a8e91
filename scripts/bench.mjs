import { join } from 'node:path';
import { buildWhenStale } from './bootstrap/built.mjs';
import { endWith } from './bootstrap/end.mjs';
import { installDependencies } from './bootstrap/installed.mjs';
import { root } from './bootstrap/paths.mjs';
import { runOnPinnedNode } from './bootstrap/run.mjs';

await endWith(async () => {
  await installDependencies();
  await buildWhenStale();
  return runOnPinnedNode([join(root, 'tools/bench/dist/main.js'), ...process.argv.slice(2)]);
});
