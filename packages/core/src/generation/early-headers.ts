import type { Clock } from '../primitives/clock.js';

/** While another candidate is left, which would not serve any more, the headers of a stream wait this many times as long. */
const WITH_ANOTHER_LEFT = 3;

export interface EarlyHeaders {
  /** `null`: headers leave with the first output, however late. */
  readonly milliseconds: number | null;
  readonly isLast: boolean;
}

/** What the wait for the first output comes to; `null` where it takes so long that the headers leave before it. Rejects as the wait does. */
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
