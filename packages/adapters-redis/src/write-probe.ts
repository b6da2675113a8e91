import type { RedisConnection } from './redis-connection.js';

/** Key that is written to test whether Redis accepts writes. */
const PROBE_KEY = 'tollgate:probe';
const PROBE_KEY_MILLISECONDS = 1_000;

/** Writes a key, because a Redis that answers may still refuse writes: it is a replica, or has no memory left. Rejects with the reason. */
export async function writeProbe(connection: RedisConnection): Promise<void> {
  await connection.set(PROBE_KEY, '1', 'PX', PROBE_KEY_MILLISECONDS);
}
