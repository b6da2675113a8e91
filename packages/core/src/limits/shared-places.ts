type Start = () => void;

/** The first holder in the map gets the next place. */
type Lanes<Holder> = Map<Holder, Set<Start>>;

/**
 * A semaphore that is fair to holders: a free place goes to a holder without one, then to the other holders in turn. A long queue of one holder
 * delays another holder by one item only.
 */
export class SharedPlaces<Holder> {
  readonly #taken = new Map<Holder, number>();
  readonly #lanes: Readonly<Record<'newcomers' | 'others', Lanes<Holder>>> = { newcomers: new Map(), others: new Map() };
  #free: number;
  #whenIdle: Start[] = [];

  /** @param kept Places reserved for holders that have none. */
  constructor(most: number, private readonly kept = 0) {
    this.#free = most;
  }

  tryTake(holder: Holder): boolean {
    if (this.#free <= (this.#taken.has(holder) ? this.kept : 0)) return false;
    this.#take(holder);
    return true;
  }

  /** Call it after `tryTake` has failed; `start` runs once the holder has a place. The returned function cancels the wait. */
  wait(holder: Holder, start: Start): () => void {
    const lanes = this.#lanesOf(holder);
    const lane = lanes.get(holder) ?? new Set();
    lanes.set(holder, lane);
    lane.add(start);
    return () => {
      if (lane.delete(start) && lane.size === 0) this.#lanesOf(holder).delete(holder);
    };
  }

  waitingOf(holder: Holder): number {
    return this.#lanesOf(holder).get(holder)?.size ?? 0;
  }

  giveBack(holder: Holder): void {
    const left = (this.#taken.get(holder) ?? 0) - 1;
    if (left > 0) this.#taken.set(holder, left);
    else this.#becomesNewcomer(holder);
    this.#free += 1;
    this.#passOn();
    if (this.#taken.size === 0) this.#whenIdle.splice(0).forEach((resolve) => resolve());
  }

  /** Resolves once no place is taken and no holder waits. */
  idle(): Promise<void> {
    if (this.#taken.size === 0) return Promise.resolve();
    return new Promise((resolve) => this.#whenIdle.push(resolve));
  }

  #lanesOf(holder: Holder): Lanes<Holder> {
    return this.#taken.has(holder) ? this.#lanes.others : this.#lanes.newcomers;
  }

  #take(holder: Holder): void {
    this.#free -= 1;
    this.#taken.set(holder, (this.#taken.get(holder) ?? 0) + 1);
  }

  #becomesNewcomer(holder: Holder): void {
    const { newcomers, others } = this.#lanes;
    const lane = others.get(holder);
    this.#taken.delete(holder);
    others.delete(holder);
    if (lane !== undefined) newcomers.set(holder, lane);
  }

  #passOn(): void {
    const { newcomers, others } = this.#lanes;
    const lanes = newcomers.size > 0 ? newcomers : others;
    const [next] = lanes;
    if (next === undefined || (lanes === others && this.#free <= this.kept)) return;
    const [holder, lane] = next;
    lanes.delete(holder);
    this.#take(holder);
    const [start] = lane;
    if (start === undefined) return;
    lane.delete(start);
    if (lane.size > 0) others.set(holder, lane);
    start();
  }
}
