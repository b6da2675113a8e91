import type { AccountId } from '@tollgate/core';
import { type RawBuilder, sql } from 'kysely';
import { compilable, type Queries } from '../script/queries.js';
import { firstOf, type Script } from '../script/script.js';

const RECORDS_PER_PAGE = 1_000;

interface RecordPosition {
  readonly ended_at: bigint;
  readonly seq: bigint;
}

interface RecordsToRead {
  readonly accountId: AccountId;
  /** Only records of requests that ended at this time or later. */
  readonly since: bigint;
}

/** Divides usage records of an account into pages, and calls `read` for each with the condition that `s` is a record of the page. */
export function* readRecordPages(queries: Queries, { accountId, since }: RecordsToRead, read: (isOnPage: RawBuilder<unknown>) => Script<void>): Script<void> {
  for (let from: RecordPosition | null = { ended_at: since, seq: -1n }; from !== null;) {
    const start: RecordPosition = from;
    const end: RecordPosition | null = yield* firstOf(compilable(queries, sql<RecordPosition>`
      select ended_at, seq from usage_records where account_id = ${accountId} and (ended_at, seq) > (${start.ended_at}, ${start.seq})
      order by ended_at, seq limit 1 offset ${sql.lit(RECORDS_PER_PAGE - 1)}`));
    const before = end === null ? sql`` : sql`and (s.ended_at, s.seq) <= (${end.ended_at}, ${end.seq})`;
    yield* read(sql`s.account_id = ${accountId} and (s.ended_at, s.seq) > (${start.ended_at}, ${start.seq}) ${before}`);
    from = end;
  }
}
