/** Work, and the locks that it requires. */
export interface Work {
  /** Work on the same account runs in order. */
  readonly accounts: readonly string[];
  /** `null` if the work concerns no reservation. A group contains at most one work of each reservation. */
  readonly reservation: string | null;
  /** True if the work requires a group of its own. */
  readonly isAlone: boolean;
}

/** Maximum number of waiting works that are examined for one group. */
const MAX_LOOK = 1_000;

function keysOf({ accounts, reservation }: Work): readonly string[] {
  return reservation === null ? accounts : [...accounts, reservation];
}

/** Chooses the works of one transaction, in order: at most one of each reservation, and none that would overtake a waiting work with the same keys. */
class WorkGroup<W extends Work> {
  readonly taken: W[] = [];
  /** Works that have to wait. Later works with the same keys wait too, so that they do not overtake these. */
  readonly left: W[] = [];
  private readonly blocked: Set<string>;
  private readonly reservations = new Set<string>();

  constructor(busy: ReadonlySet<string>) {
    this.blocked = new Set(busy);
  }

  get hasRoom(): boolean {
    return !(this.taken[0]?.isAlone ?? false);
  }

  offer(work: W): void {
    if (this.mayJoin(work)) this.take(work);
    else this.leave(work);
  }

  private mayJoin(work: W): boolean {
    if (work.isAlone && this.taken.length > 0) return false;
    if (work.reservation !== null && this.reservations.has(work.reservation)) return false;
    return !keysOf(work).some((key) => this.blocked.has(key));
  }

  private take(work: W): void {
    this.taken.push(work);
    if (work.reservation !== null) this.reservations.add(work.reservation);
  }

  private leave(work: W): void {
    this.left.push(work);
    for (const key of keysOf(work)) this.blocked.add(key);
  }
}

/** Divides work into groups that run concurrently. No two running groups share an account or a reservation. */
export class OrderedWork<W extends Work> {
  private waiting: readonly W[] = [];
  private added: W[] = [];
  private readonly busy = new Set<string>();

  get isEmpty(): boolean {
    return this.waiting.length === 0 && this.added.length === 0;
  }

  add(work: W): void {
    this.added.push(work);
  }

  /** Puts works back, before all that are waiting. */
  putBack(works: readonly W[]): void {
    this.waiting = [...works, ...this.waiting];
  }

  /** Returns the next group: one exclusive work, or up to `limit` others. Empty if all have to wait. */
  take(limit: number): readonly W[] {
    this.waiting = [...this.waiting, ...this.added.splice(0)];
    const group = new WorkGroup<W>(this.busy);
    let looked = 0;
    for (const work of this.waiting.slice(0, MAX_LOOK)) {
      if (group.taken.length === limit || !group.hasRoom) break;
      group.offer(work);
      looked += 1;
    }
    if (group.taken.length === 0) return [];
    this.waiting = [...group.left, ...this.waiting.slice(looked)];
    for (const key of group.taken.flatMap(keysOf)) this.busy.add(key);
    return group.taken;
  }

  /** Releases the locks of a group. */
  release(works: readonly W[]): void {
    for (const key of works.flatMap(keysOf)) this.busy.delete(key);
  }
}
