import { ALL_ACCOUNTS, type ApiKeyId, type ModelSlug, type SlicesQuery, type TimedRequest } from '@tollgate/core';
import { sql } from 'kysely';
import { instantFromColumn, instantOrNull } from '../schema/column-values.js';
import { compilable, type Queries } from '../script/queries.js';
import { rowsOf, type Script } from '../script/script.js';

interface SliceRow {
  readonly slice: bigint | number;
  readonly served_by: string | null;
  readonly key_id: string | null;
  readonly started_at: bigint;
  readonly first_output_at: bigint | null;
}

/** Reads all slices in one statement, which uses the index once per slice. */
export function* newestOfSlices(queries: Queries, { accountId, slices, perSlice }: SlicesQuery): Script<readonly TimedRequest[]> {
  if (slices.length === 0) return [];
  const ofAccount = accountId === ALL_ACCOUNTS ? sql`` : sql`account_id = ${accountId} and`;
  const newest = slices.map(({ from, to }, slice) => sql`select slice, served_by, key_id, started_at, first_output_at from (
    select ${sql.lit(slice)} as slice, served_by, key_id, started_at, first_output_at from usage_records
    where ${ofAccount} ended_at >= ${BigInt(from)} and ended_at < ${BigInt(to)} order by ended_at desc, seq desc limit ${sql.lit(perSlice)}) as newest`);
  const rows = yield* rowsOf(compilable(queries, sql<SliceRow>`${sql.join(newest, sql` union all `)}`));
  return rows.map((row) => ({
    slice: Number(row.slice), model: row.served_by as ModelSlug | null, keyId: row.key_id as ApiKeyId | null,
    startedAt: instantFromColumn(row.started_at), firstOutputAt: instantOrNull(row.first_output_at),
  }));
}
