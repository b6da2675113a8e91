import { setTimeout as delay } from 'node:timers/promises';

const CLOSE_TIMEOUT_MILLISECONDS = 2_000;

/** Waits at most two seconds for the end of a connection, because an unresponsive server never confirms it. */
export async function withTimeout(goodbye: Promise<unknown>): Promise<void> {
  const waiting = new AbortController();
  const timeout = delay(CLOSE_TIMEOUT_MILLISECONDS, undefined, { signal: waiting.signal, ref: false }).catch(() => undefined);
  await Promise.race([goodbye, timeout]);
  waiting.abort();
}
