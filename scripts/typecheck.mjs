import { endWith } from './bootstrap/command-line.mjs';
import { installDependencies } from './bootstrap/dependencies.mjs';
import { programs, runOnPinnedNode } from './bootstrap/run.mjs';
import { FOR_TESTS } from './bootstrap/scopes.mjs';

/** Arguments of the compiler, one run each. The first run builds the packages that the others refer to. */
const PROJECTS = [['-b'], ['-p', 'tsconfig.test.json'], ['-p', 'apps/dashboard/tsconfig.json']];

await endWith(async () => {
  await installDependencies(FOR_TESTS);
  for (const project of PROJECTS) {
    const code = await runOnPinnedNode([programs.tsc, ...project]);
    if (code !== 0) return code;
  }
  return 0;
});
