import { join } from 'node:path';
import { buildWhenStale } from './bootstrap/built.mjs';
import { endWith } from './bootstrap/end.mjs';
import { installDependencies } from './bootstrap/installed.mjs';
import { asksForHelp } from './bootstrap/options.mjs';
import { root } from './bootstrap/paths.mjs';
import { provideProgram, redisServer } from './bootstrap/debian-package.mjs';
import { runOnPinnedNode } from './bootstrap/run.mjs';

const needsRedis = !asksForHelp() && !/--setup[= ]sqlite/.test(process.argv.join(' '));

await endWith(async () => {
  await installDependencies();
  if (needsRedis) await provideProgram(redisServer);
  await buildWhenStale();
  return runOnPinnedNode([join(root, 'tools/chaos/dist/main.js'), ...process.argv.slice(2)]);
});
