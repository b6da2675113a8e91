import type { Clock } from '../primitives/clock.js';

/** While another candidate remains, the headers are delayed by this factor: once they are sent, no fallback is possible. */
const WITH_ANOTHER_LEFT = 3;

export interface EarlyHeaders {
  /** `null` sends the headers with the first output, however late. */
  readonly milliseconds: number | null;
  readonly isLast: boolean;
}

/** Resolves with the first output, or with `null` once the headers must be sent. Rejects if `output` does. */
export async function beforeHeaders<Result>(output: Promise<Result>, clock: Clock, { milliseconds, isLast }: EarlyHeaders): Promise<Result | null> {
  if (milliseconds === null) return output;
  let cancel: () => void = () => undefined;
  const late = new Promise<null>((resolve) => {
    cancel = clock.schedule(isLast ? milliseconds : WITH_ANOTHER_LEFT * milliseconds, () => resolve(null));
  });
  try {
    return await Promise.race([output, late]);
  } finally {
    cancel();
  }
}
