import type { Clock } from '@tollgate/core';

/** True if the event occurs in time. */
export async function withTimeout(event: Promise<void>, milliseconds: number, clock: Clock): Promise<boolean> {
  let cancel: () => void = () => undefined;
  const tooLate = new Promise<boolean>((resolve) => {
    cancel = clock.schedule(milliseconds, () => resolve(false));
  });
  try {
    return await Promise.race([event.then(() => true), tooLate]);
  } finally {
    cancel();
  }
}
