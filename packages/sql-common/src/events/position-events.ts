import { sql } from 'kysely';
import { changesOf, compilable, type Queries, type Script } from '../script/script.js';

/** Positions that one transaction gives. */
export const POSITIONS_PER_STEP = 500;

/**
 * Gives the next positions to events that have none, in the order of writing. Only committed events are seen: one that commits later
 * gets a later position, whatever its number. Scripts that do so must run one after the other. PostgreSQL has it as a function.
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
