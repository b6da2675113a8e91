const { default: Sequencer } = require('@jest/test-sequencer');

/** Suites that take long: most wait for servers and processes; a run would otherwise end with one of them, and with idle cores. */
const SLOW = /apps\/gateway\/test\/(clients|faults|fuzz|instances|nth-failure|log|transcripts)\/|bad-input|held-memory|settlement-outbox|tools\/browser\/test\/|adapters-postgres\/src\/open-|dependency-rules/;

/** Begins with the slow suites, also in a checkout whose durations jest does not know yet. */
module.exports = class extends Sequencer {
  sort(tests) {
    // oxlint-disable-next-line unicorn/no-array-sort -- it is jest's own, of the same name
    const sorted = super.sort(tests);
    return [true, false].flatMap((slow) => sorted.filter(({ path }) => SLOW.test(path.replaceAll('\\', '/')) === slow));
  }
};
