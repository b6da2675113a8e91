import { endWith } from './bootstrap/command-line.mjs';
import { installDependencies } from './bootstrap/provisions.mjs';
import { programs, runOnPinnedNode } from './bootstrap/run.mjs';

/** The first builds the packages that the others refer to. */
const PROJECTS = [['-b'], ['-p', 'tsconfig.test.json'], ['-p', 'apps/dashboard/tsconfig.json']];

await endWith(async () => {
  await installDependencies();
  for (const project of PROJECTS) {
    const code = await runOnPinnedNode([programs.tsc, ...project]);
    if (code !== 0) return code;
  }
  return 0;
});
