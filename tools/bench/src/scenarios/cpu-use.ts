import type { LoadResult } from '../load/load-messages.js';
import type { RunningSubject } from '../subjects/subject.js';

/** For what a request leaves to be done after its reply, such as its line in the log. */
const SETTLING_MILLISECONDS = 30;

export interface Use {
  readonly result: LoadResult;
  readonly cpuMicroseconds: number;
  readonly residentBytes: number;
}

/** Runs a load and tells what of the machine's time the subject's process took for it. */
export async function useOf({ process }: RunningSubject, run: () => Promise<LoadResult>): Promise<Use> {
  const before = await process.sample();
  const result = await run();
  await new Promise((resolve) => {
    setTimeout(resolve, SETTLING_MILLISECONDS);
  });
  const after = await process.sample();
  return { result, cpuMicroseconds: after.cpuMicroseconds - before.cpuMicroseconds, residentBytes: after.residentBytes };
}
