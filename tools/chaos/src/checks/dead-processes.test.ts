import { describe, expect, it } from '@jest/globals';
import { DeadProcesses, type OrphanRule } from './dead-processes.js';

describe('the time in which the reservations of a dead process must end', () => {
  const shared: OrphanRule = { from: 'its-death', milliseconds: 30_000 };
  const alone: OrphanRule = { from: 'the-next-start', milliseconds: 2000 };
  const STILL = 'P5, I6: 2 reservations of a process that was killed at middle are still held';

  it.each<[string, OrphanRule, number, readonly string[]]>([
    ['counts from the death of the process where other gateways may end them: in time', shared, 30_999, []],
    ['counts from the death of the process where other gateways may end them: too late', shared, 31_001, [STILL]],
    ['counts from the next start where no other gateway can end them: in time', alone, 6999, []],
    ['counts from the next start where no other gateway can end them: too late', alone, 7001, [STILL]],
  ])('%s', (_name, rule, at, violations) => {
    const dead = new DeadProcesses(rule);
    dead.died('gone', 'middle', 1000);
    expect(dead.look([['gone', '5'], ['alive', '9']], 4000)).toEqual([]);
    dead.succeeded('gone', 5000);
    expect(dead.look([['gone', '2'], ['alive', '9']], at)).toEqual(violations);
    expect(dead.look([['alive', '9']], 99_000)).toEqual([]);
    expect(dead.all).toEqual([{ processId: 'gone', kind: 'middle', diedAt: 1000, succeededAt: 5000, orphans: 5, heldUntil: at }]);
  });
});
