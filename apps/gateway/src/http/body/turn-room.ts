/** Bounds how much is done within one turn of the event loop, over all requests. */
export class TurnRoom {
  #taken = 0;
  readonly #empty = (): void => {
    this.#taken = 0;
  };

  constructor(private readonly most: number) {}

  /** Whether this turn has room for so much more, which is taken then. */
  take(amount: number): boolean {
    if (this.#taken + amount > this.most) return false;
    if (this.#taken === 0) setImmediate(this.#empty);
    this.#taken += amount;
    return true;
  }
}
