import { buildWhenStale } from './bootstrap/built.mjs';
import { buildDashboardWhenStale } from './bootstrap/dashboard-built.mjs';
import { endWith } from './bootstrap/end.mjs';
import { gatewayEnvironment, gatewayProgram } from './bootstrap/gateway-program.mjs';
import { installDependencies } from './bootstrap/installed.mjs';
import { runOnPinnedNode } from './bootstrap/run.mjs';

await endWith(async () => {
  await installDependencies();
  await buildWhenStale();
  await buildDashboardWhenStale();
  return runOnPinnedNode(gatewayProgram(process.argv.slice(2)), { env: gatewayEnvironment() });
});
