import { enableCompileCache, flushCompileCache } from 'node:module';
import { fileURLToPath } from 'node:url';
import { collectGarbage, collectWhenIdle } from './start/idle-memory.js';

// What the runtime has compiled once it need not compile again. Everything else is loaded after this, or it would miss it.
enableCompileCache(fileURLToPath(new URL('../../../node_modules/.cache/tollgate/compiled', import.meta.url)));
const { rehearse } = await import('./start/rehearsal.js');
const { runGateway } = await import('./start/run-gateway.js');
const { services } = await import('./gateway/services.js');

let restingBytes = 0;
const gateway = await runGateway(process, {
  rehearse,
  collectGarbage: () => {
    collectGarbage();
    // Before the warm-up, so that what it leaves is collected too once the process is idle.
    restingBytes = process.memoryUsage.rss();
  },
});
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
