/** How much is tried, by the environment, which `npm run promises` sets from its options. */
export interface PromiseSettings {
  readonly seed: number;
  /** Clients that leave, on each set-up. */
  readonly streams: number;
  /** Accounts whose balance a thousand requests want at the same time. */
  readonly rounds: number;
  /** Simultaneous requests in each round. */
  readonly requests: number;
  /** How often each kind of change is made and waited for. */
  readonly changes: number;
  /** Whether a person is watching, or a test run that wants no words. */
  readonly progress: 'shown' | 'silent';
}

function numberOf(name: string, otherwise: number): number {
  const value = process.env[name];
  return value === undefined || value === '' ? otherwise : Number(value);
}

/** Without any settings, what every test run can afford. */
export function promiseSettings(): PromiseSettings {
  return {
    seed: numberOf('PROMISES_SEED', 20_261_118),
    streams: numberOf('PROMISES_STREAMS', 120),
    rounds: numberOf('PROMISES_ROUNDS', 3),
    requests: numberOf('PROMISES_REQUESTS', 300),
    changes: numberOf('PROMISES_CHANGES', 4),
    progress: process.env['PROMISES_PROGRESS'] === 'shown' ? 'shown' : 'silent',
  };
}

/** Prints the measured figures. */
export function say({ progress }: PromiseSettings, line: string): void {
  if (progress === 'shown') process.stderr.write(`${line}\n`);
}
