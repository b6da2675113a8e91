import { buildWhenStale } from './bootstrap/built.mjs';
import { endWith } from './bootstrap/command-line.mjs';
import { installDependencies } from './bootstrap/dependencies.mjs';
import { bundles, runOnPinnedNode } from './bootstrap/run.mjs';
import { FOR_START } from './bootstrap/scopes.mjs';

await endWith(async () => {
  await installDependencies(FOR_START);
  await buildWhenStale(FOR_START);
  return runOnPinnedNode([bundles.cli.program, ...process.argv.slice(2)]);
});
