/** How much is tried, by the environment, which `npm run fuzz` sets from its options. */
export interface FuzzSettings {
  readonly seed: number;
  readonly requests: number;
  readonly streams: number;
  /** Each of the two parts stops after half of it. */
  readonly minutes: number;
  /** Whether a person is watching, or a test run that wants no words. */
  readonly progress: 'shown' | 'silent';
}

function numberOf(name: string, otherwise: number): number {
  const value = process.env[name];
  return value === undefined || value === '' ? otherwise : Number(value);
}

/** Without any settings, what every test run can afford. */
export function fuzzSettings(): FuzzSettings {
  return {
    seed: numberOf('FUZZ_SEED', 20_261_118),
    requests: numberOf('FUZZ_REQUESTS', 1_000),
    streams: numberOf('FUZZ_STREAMS', 300),
    minutes: numberOf('FUZZ_MINUTES', 2),
    progress: process.env['FUZZ_PROGRESS'] === 'shown' ? 'shown' : 'silent',
  };
}
