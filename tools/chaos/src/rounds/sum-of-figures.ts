import type { WorldFigures } from './run-rounds.js';

const NOTHING: WorldFigures = { looks: 0, missed: 0, watchedMilliseconds: 0, audits: 0, longestGapMilliseconds: 0, requests: 0, receipts: 0, credits: 0, requestsCompared: 0, mostSlots: 0 };

/** Counts of several worlds together; of what is a maximum, the largest. */
export function sumOf(worlds: readonly WorldFigures[]): WorldFigures {
  return worlds.reduce((sum, world) => ({
    looks: sum.looks + world.looks,
    missed: sum.missed + world.missed,
    watchedMilliseconds: sum.watchedMilliseconds + world.watchedMilliseconds,
    audits: sum.audits + world.audits,
    longestGapMilliseconds: Math.max(sum.longestGapMilliseconds, world.longestGapMilliseconds),
    requests: sum.requests + world.requests,
    receipts: sum.receipts + world.receipts,
    credits: sum.credits + world.credits,
    requestsCompared: sum.requestsCompared + world.requestsCompared,
    mostSlots: Math.max(sum.mostSlots, world.mostSlots),
  }), NOTHING);
}
