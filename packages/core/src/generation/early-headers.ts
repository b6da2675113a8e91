import type { Clock } from '../primitives/clock.js';

/** Factor by which the wait is longer while another candidate remains, since no fallback is possible once the headers are sent. */
const WITH_ANOTHER_LEFT = 3;

export interface EarlyHeaders {
  /** `null` waits for the first output without limit. */
  readonly milliseconds: number | null;
  readonly isLast: boolean;
}

/** Resolves to the output, or to `null` if the headers must be sent before it arrives. Rejects if `output` does. */
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
