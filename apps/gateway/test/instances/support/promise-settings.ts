import { numberFromEnvironment } from '@tollgate/testkit';

/** Settings of a run, from the variables that `npm run promises` sets. */
export interface PromiseSettings {
  readonly seed: number;
  /** Number of streams per set-up. */
  readonly streams: number;
  /** Number of rounds in which `requests` compete for the balance of an account. */
  readonly rounds: number;
  /** Number of concurrent requests in a round. */
  readonly requests: number;
  /** Number of changes of each kind. */
  readonly changes: number;
  readonly progress: 'shown' | 'silent';
}

export function promiseSettings(): PromiseSettings {
  return {
    seed: numberFromEnvironment('PROMISES_SEED', 20_261_118),
    streams: numberFromEnvironment('PROMISES_STREAMS', 120),
    rounds: numberFromEnvironment('PROMISES_ROUNDS', 3),
    requests: numberFromEnvironment('PROMISES_REQUESTS', 300),
    changes: numberFromEnvironment('PROMISES_CHANGES', 4),
    progress: process.env['PROMISES_PROGRESS'] === 'shown' ? 'shown' : 'silent',
  };
}

export function say({ progress }: PromiseSettings, line: string): void {
  if (progress === 'shown') process.stderr.write(`${line}\n`);
}
