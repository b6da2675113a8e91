// One load of the siege, in a process of its own so that it takes nothing from another's event loop.
import { runHalfOpenLoad } from './half-open-load.js';
import { runHttpLoad } from './http-load.js';
import type { LoadOrder, LoadResult } from './load-messages.js';

function run(order: LoadOrder): Promise<LoadResult> {
  return order.load.kind === 'http' ? runHttpLoad(order.load, order) : runHalfOpenLoad(order.load, order);
}

process.once('message', (order: LoadOrder) => {
  void run(order).then((result) => process.send?.(result));
});
