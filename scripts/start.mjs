import { buildDashboardWhenStale, buildWhenStale } from './bootstrap/built.mjs';
import { asksForHelp, endWith } from './bootstrap/command-line.mjs';
import { installDependencies } from './bootstrap/dependencies.mjs';
import { sayOnStandardError, sayOnStandardOutput } from './bootstrap/progress.mjs';
import { becomePinnedNode, gatewayEnvironment, gatewayProgram } from './bootstrap/run.mjs';
import { FOR_START } from './bootstrap/scopes.mjs';

await endWith(async () => {
  const say = asksForHelp() ? sayOnStandardError : sayOnStandardOutput;
  await installDependencies(FOR_START, say);
  await buildWhenStale(FOR_START, say);
  await buildDashboardWhenStale(say);
  return becomePinnedNode(gatewayProgram(process.argv.slice(2)), gatewayEnvironment());
});
