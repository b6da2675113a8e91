import type { Clock } from '../primitives/clock.js';

/** Factor while another candidate remains: sent headers rule out a fallback. */
const WITH_ANOTHER_LEFT = 3;

export interface EarlyHeaders {
  /** `null` waits for the first output without limit. */
  readonly milliseconds: number | null;
  readonly isLast: boolean;
}

/** `null` once the headers must be sent before any output. Rejects if `output` does. */
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
