const { default: Sequencer } = require('@jest/test-sequencer');

/** Suites that take long: most wait for servers and processes; a run would otherwise end with one of them, and with idle cores. */
const SLOW = /apps\/gateway\/test\/(clients|faults|fuzz|instances|nth-failure|log|transcripts)\/|bad-input|held-memory|settlement-outbox|tools\/browser\/test\/|adapters-postgres\/src\/open-|dependency-rules/;

/** Collects all garbage forty times, which takes half as long in a worker that has loaded little. */
const COLLECTING = /held-memory/;

function groupOf({ path }) {
  if (COLLECTING.test(path)) return 0;
  return SLOW.test(path.replaceAll('\\', '/')) ? 1 : 2;
}

/** Begins with the slow suites, also in a checkout whose durations jest does not know yet. */
module.exports = class extends Sequencer {
  sort(tests) {
    // oxlint-disable-next-line unicorn/no-array-sort -- it is jest's own, of the same name
    const sorted = super.sort(tests);
    return [0, 1, 2].flatMap((group) => sorted.filter((test) => groupOf(test) === group));
  }
};
