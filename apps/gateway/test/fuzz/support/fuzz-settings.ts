/** From the environment, which `npm run fuzz` sets. */
export interface FuzzSettings {
  readonly seed: number;
  readonly requests: number;
  readonly streams: number;
  /** Half for each part. */
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
