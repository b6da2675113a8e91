import { sql } from 'kysely';
import { changesOf, type Script } from '../script/script.js';
import { compilable, type Queries } from '../script/queries.js';

/** Maximum positions assigned per transaction. */
export const POSITIONS_PER_STEP = 500;

/**
 * Assigns the next positions to events that have none, in the order of writing. Only committed events are seen, so an event that commits later gets a
 * later position, whatever its number. Two runs must not be concurrent. PostgreSQL uses a database function instead.
 */
export function* positionEvents(queries: Queries): Script<number> {
  const positioned = yield* changesOf(compilable(queries, sql`
    update events set position = numbered.position from (
      select seq, (select last_position from event_feed) + row_number() over (order by seq) as position
      from events where position is null order by seq limit ${sql.lit(POSITIONS_PER_STEP)}) as numbered
    where events.seq = numbered.seq`));
  if (positioned > 0) yield* changesOf(compilable(queries, sql`update event_feed set last_position = last_position + ${positioned}`));
  return positioned;
}
