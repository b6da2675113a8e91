import type { Clock } from '../primitives/clock.js';

/** Factor by which the wait is longer while another candidate remains, since no fallback is possible once the headers are sent. */
const WITH_ANOTHER_LEFT = 3;

export interface EarlyHeaders {
  /** `null` waits for the first output without limit. */
  readonly milliseconds: number | null;
  readonly isLast: boolean;
}

/** Resolves to the output, or to `null` if the headers must be sent before it arrives. Rejects if `output` does. */
export function beforeHeaders<Result>(output: Promise<Result>, clock: Clock, { milliseconds, isLast }: EarlyHeaders): Promise<Result | null> {
  return milliseconds === null ? output : within(isLast ? milliseconds : WITH_ANOTHER_LEFT * milliseconds, output, clock);
}

async function within<Result>(milliseconds: number, output: Promise<Result>, clock: Clock): Promise<Result | null> {
  let cancel: () => void = () => undefined;
  const late = new Promise<null>((resolve) => {
    cancel = clock.schedule(milliseconds, () => resolve(null));
  });
  try {
    return await Promise.race([output, late]);
  } finally {
    cancel();
  }
}
