import { endWith } from './bootstrap/command-line.mjs';
import { installDependencies } from './bootstrap/dependencies.mjs';
import { programs, runOnPinnedNode } from './bootstrap/run.mjs';
import { FOR_TESTS } from './bootstrap/scopes.mjs';

await endWith(async () => {
  await installDependencies(FOR_TESTS);
  return runOnPinnedNode([programs.oxlint, ...process.argv.slice(2)]);
});
