/** Bounds how long one turn of the event loop is used for a kind of work, over all requests. */
export class TurnBudget {
  /** When the first work of this turn began; undefined before it. */
  #startedAt: number | undefined;
  readonly #endTurn = (): void => {
    this.#startedAt = undefined;
  };

  /** @param now Milliseconds of a clock that never goes back. */
  constructor(
    private readonly mostMilliseconds: number,
    private readonly now: () => number = () => performance.now(),
  ) {}

  /** Whether more work may begin in this turn: what began the turn, and all since then, took less than the bound. */
  isOpen(): boolean {
    const now = this.now();
    if (this.#startedAt === undefined) {
      this.#startedAt = now;
      setImmediate(this.#endTurn);
    }
    return now - this.#startedAt < this.mostMilliseconds;
  }
}
