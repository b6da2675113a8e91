import type { ProcessId, SweptReservations } from '@tollgate/core';

/** A reservation that a sweep ended. `owner_lives` is true or 1 if the owner's lease has not expired. */
interface SweptRow {
  readonly owner_id: string;
  readonly owner_lives: boolean | bigint;
}

/**
 * Groups the reservations that a sweep ended, by owner and cause. `silence` contains, for each lease that the sweep removed, the milliseconds since
 * its last renewal.
 */
export function sweptOf(ended: readonly SweptRow[], silence: ReadonlyMap<string, number | null>): readonly SweptReservations[] {
  const groups = new Map<string, SweptReservations>();
  for (const { owner_id: owner, owner_lives: lives } of ended) {
    const cause = lives === true || lives === 1n ? 'deadline' : 'lease';
    const name = `${cause} ${owner}`;
    groups.set(name, { ownerId: owner as ProcessId, ended: (groups.get(name)?.ended ?? 0) + 1, cause, silentMilliseconds: silence.get(owner) ?? null });
  }
  return [...groups.values()];
}
