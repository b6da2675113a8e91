import { type Instant, MILLISECONDS_PER_DAY } from '@tollgate/core';
import { copyRecord } from './copy-record.js';
import type { Resident, World } from './open-world.js';
import { subjectsOf } from './subjects.js';

/** With the running day, a page of the last seven days shows them all. */
const DAYS = 6;

/** Gives an owner without requests so many records: that of one request, and copies. Restarts the gateway. */
export async function addRecords(world: World, owner: Resident, records: number): Promise<void> {
  const { requestId } = await subjectsOf(world, owner);
  const to = world.clock.now();
  await world.restart(() => copyRecord(world, { requestId, count: records - 1, from: (to - DAYS * MILLISECONDS_PER_DAY) as Instant, to }));
}
