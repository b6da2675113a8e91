import { type RawBuilder, sql } from 'kysely';
import { changesOf, type Script } from '../script/script.js';
import { compilable, type Queries } from '../script/queries.js';

/** Maximum positions assigned per transaction. */
export const USAGE_POSITIONS_PER_STEP = 500;

function waitingIn(table: 'usage_records' | 'late_settlements', through: 'records_through' | 'late_through'): RawBuilder<unknown> {
  return sql`select late, seq, booked from (
    select ${sql.lit(table === 'usage_records' ? 0 : 1)} as late, seq, strftime('%Y-%m-%d', coalesce(settled_at, ended_at) / 1000, 'unixepoch') as booked
    from ${sql.table(table)} where seq > (select ${sql.ref(through)} from usage_feed_state) order by seq limit ${sql.lit(USAGE_POSITIONS_PER_STEP)})`;
}

/**
 * Assigns the next positions to settlements that have none. For SQLite only: as there is one writer at a time, these are the settlements with greater
 * numbers than the last one that has a position. PostgreSQL uses a database function instead.
 */
export function* positionUsage(queries: Queries): Script<number> {
  const positioned = yield* changesOf(compilable(queries, sql`
    insert into usage_feed (position, late, source, day)
    select last_position + row_number() over (order by late, seq), late, seq, max(booked, open_from) from usage_feed_state, (
      ${waitingIn('usage_records', 'records_through')} union all ${waitingIn('late_settlements', 'late_through')} order by late, seq limit ${sql.lit(USAGE_POSITIONS_PER_STEP)})`));
  if (positioned === 0) return 0;
  yield* changesOf(compilable(queries, sql`
    insert into usage_booked_days (day, account_id, settlements, late_settlements, charge)
    select f.day, coalesce(u.account_id, l.account_id), sum(1 - f.late), sum(f.late), sum(coalesce(u.charge, l.charge))
    from usage_feed f left join usage_records u on f.late = 0 and u.seq = f.source left join late_settlements l on f.late = 1 and l.seq = f.source
    where f.position > (select last_position from usage_feed_state) group by 1, 2
    on conflict (day, account_id) do update set settlements = settlements + excluded.settlements,
      late_settlements = late_settlements + excluded.late_settlements, charge = charge + excluded.charge`));
  yield* changesOf(compilable(queries, sql`
    update usage_feed_state set last_position = last_position + ${positioned},
      records_through = coalesce((select max(source) from usage_feed where late = 0), 0), late_through = coalesce((select max(source) from usage_feed where late = 1), 0)`));
  return positioned;
}
