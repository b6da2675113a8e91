/** A piece of work and what it touches. */
export interface Work {
  /** Accounts. Work on the same account is begun in the order it was asked for. */
  readonly accounts: readonly string[];
  /** Named by one piece of a group at most; `null` for work on no reservation. */
  readonly reservation: string | null;
  /** To be done in a group of its own. */
  readonly isAlone: boolean;
}

/** How far ahead is looked for work that nothing stands in the way of, so that a long queue costs no more than a short one. */
const LONGEST_LOOK = 1_000;

function keysOf({ accounts, reservation }: Work): readonly string[] {
  return reservation === null ? accounts : [...accounts, reservation];
}

/** A group that is being put together, out of work in the order it was asked for. */
class Gathering<W extends Work> {
  readonly taken: W[] = [];
  /** What has to wait, and what for: work on the same keys must not overtake it. */
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

/** Work that waits, and what is being worked on. Groups taken at the same time never touch the same account. */
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

  /** Work that must be repeated before later work. */
  putBack(works: readonly W[]): void {
    this.waiting = [...works, ...this.waiting];
  }

  /** The next group: one exclusive piece of work, or several others; empty while everything has to wait. */
  take(limit: number): readonly W[] {
    this.waiting = [...this.waiting, ...this.added.splice(0)];
    const group = new Gathering<W>(this.busy);
    let looked = 0;
    for (const work of this.waiting.slice(0, LONGEST_LOOK)) {
      if (group.taken.length === limit || !group.hasRoom) break;
      group.offer(work);
      looked += 1;
    }
    if (group.taken.length === 0) return [];
    this.waiting = [...group.left, ...this.waiting.slice(looked)];
    for (const key of group.taken.flatMap(keysOf)) this.busy.add(key);
    return group.taken;
  }

  /** Lets others at what a group has touched. */
  release(works: readonly W[]): void {
    for (const key of works.flatMap(keysOf)) this.busy.delete(key);
  }
}
