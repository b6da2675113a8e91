import { type LoadOrder, type LoadResult, runHalfOpenLoad, runHttpLoad } from './load.js';

// One load of the siege, in a process of its own so that it takes nothing from another's event loop.

function run(order: LoadOrder): Promise<LoadResult> {
  return order.load.kind === 'http' ? runHttpLoad(order.load, order) : runHalfOpenLoad(order.load, order);
}

process.once('message', (order: LoadOrder) => {
  void run(order).then((result) => process.send?.(result));
});
