import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { Clock } from '@tollgate/core';

/** A clock under test, and what makes its time pass. */
export interface ClockSubject {
  readonly clock: Clock;
  /** Resolves once at least so many milliseconds are over, and with them whatever was due. */
  pass(milliseconds: number): Promise<void> | void;
}

/** Small, since a machine's clock takes as long as it says. */
const SOON = 2;
const LATER = 20;

/** What every clock guarantees, whoever winds it. */
export function clockContract(name: string, make: () => ClockSubject): void {
  describe(`Clock contract: ${name}`, () => {
    let subject: ClockSubject;
    let runs: string[];
    const noted = (run: string) => (): void => void runs.push(run);

    beforeEach(() => {
      [subject, runs] = [make(), []];
    });

    /** Whatever waits must not wait beyond its test. */
    const cancels: (() => void)[] = [];
    afterEach(() => cancels.splice(0).forEach((cancel) => cancel()));

    function schedule(delayMilliseconds: number, task: () => void): () => void {
      const cancel = subject.clock.schedule(delayMilliseconds, task);
      cancels.push(cancel);
      return cancel;
    }

    it('tells whole milliseconds, and more of them when time has passed', async () => {
      const before = subject.clock.now();
      await subject.pass(LATER);
      const after = subject.clock.now();
      expect([before, after].every(Number.isSafeInteger)).toBe(true);
      expect(after).toBeGreaterThan(before);
    });

    it.each([0, SOON])('runs a task once, %d ms later, and never before the one who scheduled it is done', async (delayMilliseconds) => {
      schedule(delayMilliseconds, noted('run'));
      expect(runs).toEqual([]);
      await subject.pass(LATER);
      expect(runs).toEqual(['run']);
      await subject.pass(LATER);
      expect(runs).toEqual(['run']);
    });

    it('runs tasks in the order in which they are due, and in that of their scheduling when that is the same', async () => {
      for (const [run, delayMilliseconds] of [['last', LATER], ['first', SOON], ['second', SOON]] as const) schedule(delayMilliseconds, noted(run));
      await subject.pass(LATER);
      expect(runs).toEqual(['first', 'second', 'last']);
    });

    it('runs what a task schedules', async () => {
      schedule(SOON, () => void schedule(SOON, noted('run')));
      await subject.pass(LATER);
      await subject.pass(LATER);
      expect(runs).toEqual(['run']);
    });

    it('does not run what was cancelled; cancelling twice, or after the task has run, changes nothing', async () => {
      const [cancel, cancelLater] = [schedule(SOON, noted('cancelled')), schedule(SOON, noted('run'))];
      cancel();
      cancel();
      await subject.pass(LATER);
      cancelLater();
      schedule(SOON, noted('another'));
      cancelLater();
      await subject.pass(LATER);
      expect(runs).toEqual(['run', 'another']);
    });

    it('keeps no process alive', () => {
      const timersThatDo = (): number => process.getActiveResourcesInfo().filter((kind) => kind === 'Timeout').length;
      const before = timersThatDo();
      schedule(60_000, noted('run'));
      expect(timersThatDo()).toBe(before);
    });
  });
}
