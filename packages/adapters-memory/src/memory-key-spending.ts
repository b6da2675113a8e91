import { invariant, type KeyBudget, type KeySpending, NO_SPENDING, type ServiceTokens } from '@tollgate/core';

/** Spent and reserved amounts that count against key limits, by lineage and period. */
export class MemoryKeySpending {
  readonly #spending = new Map<string, KeySpending>();

  get all(): ReadonlyMap<string, KeySpending> {
    return this.#spending;
  }

  static nameOf({ lineage, period }: KeyBudget): string {
    return `${lineage} ${period}`;
  }

  of(budget: KeyBudget): KeySpending {
    return this.#spending.get(MemoryKeySpending.nameOf(budget)) ?? NO_SPENDING;
  }

  hold(budget: KeyBudget | null, amount: ServiceTokens): void {
    if (budget === null) return;
    const { spent, reserved } = this.of(budget);
    this.#spending.set(MemoryKeySpending.nameOf(budget), { spent, reserved: reserved.plus(amount) });
  }

  /** Lowers the reserved amount by `freed`, and raises the spent amount by `charged`. */
  spend(budget: KeyBudget | null, charged: ServiceTokens, freed: ServiceTokens): void {
    if (budget === null) return;
    const { spent, reserved } = this.of(budget);
    const left = reserved.minus(freed);
    invariant(!left.isNegative(), 'no more is given up than was held');
    this.#spending.set(MemoryKeySpending.nameOf(budget), { spent: spent.plus(charged), reserved: left });
  }
}
