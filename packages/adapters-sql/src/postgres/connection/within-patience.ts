import { setTimeout as delay } from 'node:timers/promises';

const PATIENCE_MILLISECONDS = 2_000;

/** Waits for a good-bye, but not for ever: behind a network that has gone silent nobody answers it. */
export async function withinPatience(goodbye: Promise<unknown>): Promise<void> {
  const waiting = new AbortController();
  const patience = delay(PATIENCE_MILLISECONDS, undefined, { signal: waiting.signal, ref: false }).catch(() => undefined);
  await Promise.race([goodbye, patience]);
  waiting.abort();
}
