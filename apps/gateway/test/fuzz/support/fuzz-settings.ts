/** Settings of a run, from the variables that `npm run fuzz` sets. */
export interface FuzzSettings {
  readonly seed: number;
  readonly requests: number;
  readonly streams: number;
  /** Time limit; half of it is for requests, half for streams. */
  readonly minutes: number;
  readonly progress: 'shown' | 'silent';
}

function numberOf(name: string, otherwise: number): number {
  const value = process.env[name];
  return value === undefined || value === '' ? otherwise : Number(value);
}

export function fuzzSettings(): FuzzSettings {
  return {
    seed: numberOf('FUZZ_SEED', 20_261_118),
    requests: numberOf('FUZZ_REQUESTS', 1_000),
    streams: numberOf('FUZZ_STREAMS', 300),
    minutes: numberOf('FUZZ_MINUTES', 2),
    progress: process.env['FUZZ_PROGRESS'] === 'shown' ? 'shown' : 'silent',
  };
}
