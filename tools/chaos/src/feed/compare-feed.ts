/** A committed event as it is stored after all readers have finished. */
export interface StoredEvent {
  readonly id: string;
  readonly accountId: string | null;
  readonly accountSequence: number | null;
  /** Position in the feed; `null` if none is assigned. */
  readonly position: number | null;
}

/** What a reader got; all figures are numbers of events. */
export interface ReaderFinding {
  readonly reader: string;
  readonly read: number;
  readonly missed: number;
  readonly doubled: number;
  /** Events that were read although they are not stored. */
  readonly unknown: number;
  /** Events that were read after one that comes later in the feed. */
  readonly disordered: number;
}

/** Number of events read after a later one. `stored` has the position of each event by id. */
function disorderIn(seen: readonly string[], stored: ReadonlyMap<string, number>): number {
  let highest = 0;
  let disordered = 0;
  for (const id of new Set(seen)) {
    const position = stored.get(id) ?? highest;
    if (position < highest) disordered += 1;
    else highest = position;
  }
  return disordered;
}

/** Compares what a reader got, in the order of its reads, with what is stored. */
export function compareReader(reader: string, seen: readonly string[], stored: readonly StoredEvent[]): ReaderFinding {
  const positions = new Map(stored.map(({ id, position }) => [id, position ?? 0]));
  const distinct = new Set(seen);
  return {
    reader, read: seen.length,
    missed: stored.filter(({ id }) => !distinct.has(id)).length,
    doubled: seen.length - distinct.size,
    unknown: [...distinct].filter((id) => !positions.has(id)).length,
    disordered: disorderIn(seen, positions),
  };
}

/** Violations: positions have a gap; the numbers of an account's events have a gap, or are not in the order of positions. */
export function faultsOfNumbers(stored: readonly StoredEvent[]): readonly string[] {
  const inOrder = stored.toSorted((one, other) => (one.position ?? 0) - (other.position ?? 0));
  const misplaced = inOrder.find(({ position }, place) => position !== place + 1);
  const numbers = new Map<string, number>();
  const gaps = new Set<string>();
  for (const { accountId, accountSequence } of inOrder) {
    if (accountId === null) continue;
    const next = (numbers.get(accountId) ?? 0) + 1;
    if (accountSequence !== next) gaps.add(accountId);
    numbers.set(accountId, next);
  }
  return [
    ...misplaced === undefined ? [] : [`event ${misplaced.id} has position ${misplaced.position ?? 'none'}, so positions are not 1, 2, 3 …`],
    ...[...gaps].map((account) => `the events of ${account} are not numbered 1, 2, 3 … in the order of the feed`),
  ];
}
