import { enableCompileCache, flushCompileCache } from 'node:module';
import { fileURLToPath } from 'node:url';
import { collectGarbage, collectWhenIdle } from './start/idle-memory.js';

// Used until the gateway has its own listeners: as process 1 of a container, a process without a listener ignores signals.
const leave = (): never => process.exit(0);
process.on('SIGTERM', leave).on('SIGINT', leave);

// Stores compiled code for later starts. All other modules are imported after this call, because modules imported before it are not cached.
enableCompileCache(fileURLToPath(new URL('../../../node_modules/.cache/tollgate/compiled', import.meta.url)));
const { runGateway } = await import('./start/run-gateway.js');
const { services } = await import('./composition/services.js');

let restingBytes = 0;
const running = runGateway(process, () => {
  collectGarbage();
  restingBytes = process.memoryUsage.rss();
});
process.off('SIGTERM', leave).off('SIGINT', leave);
const gateway = await running;
flushCompileCache();
if (gateway !== null) {
  collectWhenIdle({
    clock: gateway.container.get(services.clock),
    runningRequests: () => gateway.runningRequests,
    startedRequests: () => gateway.startedRequests,
    residentBytes: () => process.memoryUsage.rss(),
    collectGarbage,
    restingBytes,
  });
}
