import { numberFromEnvironment } from '@tollgate/testkit';

/** Settings of a run, from the variables that `npm run fuzz` sets. */
export interface FuzzSettings {
  readonly seed: number;
  readonly requests: number;
  readonly streams: number;
  /** Time limit; half of it is for requests, half for streams. */
  readonly minutes: number;
  readonly progress: 'shown' | 'silent';
}

export function fuzzSettings(): FuzzSettings {
  return {
    seed: numberFromEnvironment('FUZZ_SEED', 20_261_118),
    requests: numberFromEnvironment('FUZZ_REQUESTS', 1_000),
    streams: numberFromEnvironment('FUZZ_STREAMS', 300),
    minutes: numberFromEnvironment('FUZZ_MINUTES', 2),
    progress: process.env['FUZZ_PROGRESS'] === 'shown' ? 'shown' : 'silent',
  };
}
