/** Limits the time for a kind of work within one event loop turn. */
export class TurnBudget {
  /** Start of the first work in this turn. */
  #startedAt: number | undefined;
  readonly #endTurn = (): void => {
    this.#startedAt = undefined;
  };

  /** @param now Milliseconds of a clock that never goes back. */
  constructor(private readonly mostMilliseconds: number, private readonly now: () => number) {}

  /** False once the turn has used its time. */
  isOpen(): boolean {
    const now = this.now();
    if (this.#startedAt === undefined) {
      this.#startedAt = now;
      setImmediate(this.#endTurn);
    }
    return now - this.#startedAt < this.mostMilliseconds;
  }
}
