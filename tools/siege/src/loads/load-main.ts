import { runHalfOpenLoad, runIdleLoad, runUploadLoad } from './connection-loads.js';
import { runHttpLoad } from './http-load.js';
import type { LoadOrder, LoadResult } from './load.js';

// Entry point of a process that generates one load; loads thus do not share an event loop.

function run(order: LoadOrder): Promise<LoadResult> {
  const { load } = order;
  switch (load.kind) {
    case 'http': return runHttpLoad(load, order);
    case 'half-open': return runHalfOpenLoad(load, order);
    case 'idle': return runIdleLoad(load, order);
    case 'uploads': return runUploadLoad(load, order);
  }
}

process.once('message', (order: LoadOrder) => {
  void run(order).then((result) => process.send?.(result));
});
