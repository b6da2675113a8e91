import { buildDashboardWhenStale, buildWhenStale } from './bootstrap/built.mjs';
import { endWith } from './bootstrap/command-line.mjs';
import { becomePinnedNode, gatewayEnvironment, gatewayProgram } from './bootstrap/run.mjs';
import { installDependencies } from './bootstrap/provisions.mjs';

await endWith(async () => {
  await installDependencies();
  await buildWhenStale();
  await buildDashboardWhenStale();
  return becomePinnedNode(gatewayProgram(process.argv.slice(2)), gatewayEnvironment());
});
