import { type Clock, type Instant, later, MILLISECONDS_PER_HOUR } from '@tollgate/core';

interface Warned {
  /** Cases since the last warning. */
  cases: number;
  againAt: Instant;
}

/** More names than there are models at upstreams; beyond it, the oldest name is forgotten. */
const MAX_NAMES = 1_000;

/** Decides when to warn of recurring cases: at the first one, and then at most once an hour. */
export class HourlyWarnings {
  readonly #warned = new Map<string, Warned>();

  constructor(private readonly clock: Pick<Clock, 'now'>) {}

  /** Counts a case. Returns the number of cases since the last warning if a warning is due; otherwise `null`. */
  count(name: string): number | null {
    const now = this.clock.now();
    const warned = this.#warned.get(name);
    const cases = (warned?.cases ?? 0) + 1;
    if (warned !== undefined && now < warned.againAt) {
      warned.cases = cases;
      return null;
    }
    this.#remember(name, { cases: 0, againAt: later(now, MILLISECONDS_PER_HOUR) });
    return cases;
  }

  #remember(name: string, warned: Warned): void {
    const [oldest] = this.#warned.keys();
    if (oldest !== undefined && this.#warned.size >= MAX_NAMES && !this.#warned.has(name)) this.#warned.delete(oldest);
    this.#warned.set(name, warned);
  }
}
