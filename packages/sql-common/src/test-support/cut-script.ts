import { Killed } from '@tollgate/testkit';
import type { Script } from '../script/script.js';

/** Throws after `statements` statements of the script, or before its commit if it has fewer, as if the process had been killed. */
export function* cutScript<T>(script: Script<T>, statements: number): Script<never> {
  let left = statements;
  for (let step = script.next({ rows: [], changes: 0 }); step.done !== true;) {
    if (left === 0) throw new Killed();
    if (!('booked' in step.value)) left -= 1;
    step = script.next(yield step.value);
  }
  throw new Killed();
}
