import { REPLY_SWEEP_BYTES } from '@tollgate/core';
import { type RawBuilder, sql } from 'kysely';
import { changesOf, type Script } from '../script/script.js';
import type { Queries } from '../script/queries.js';

/**
 * Deletes idempotency keys that satisfy `condition`, those with the earliest expiry first: at most `most`, and only until their replies have reached
 * `REPLY_SWEEP_BYTES`, because SQLite reads every freed page on the event loop. Returns the number of deleted keys.
 */
export function deleteReplies(queries: Queries, condition: RawBuilder<unknown>, most: number): Script<number> {
  return changesOf(queries.deleteFrom('idempotency_keys').where('request_id', 'in', sql<string>`(
    select request_id from (
      select request_id, sum(bytes) over (order by expires_at, request_id rows unbounded preceding) - bytes as bytes_before from (
        select request_id, expires_at, coalesce(octet_length(reply), 0) as bytes from idempotency_keys where ${condition}
        order by expires_at limit ${sql.lit(most)}
      ) as found
    ) as counted where bytes_before < ${sql.lit(REPLY_SWEEP_BYTES)})`));
}
