import { type AccountEntry, type Instant, type RequestId, ServiceTokens } from '@tollgate/core';

export interface RunBounds {
  /** Numbers of entries; a run has no charges on both sides of one. Ascending. */
  readonly separators: readonly bigint[];
  /** When credits of the account expire. Ascending. */
  readonly expiries: readonly Instant[];
  /** Requests whose charges stay apart; their entries are separators. */
  readonly apart: ReadonlySet<RequestId>;
}

interface Run {
  last: bigint;
  units: bigint;
  kind: AccountEntry['kind'];
  /** Latest end of its charges of this kind. */
  latest: Instant;
}

/** How many of the ascending values satisfy the condition, which the first ones do. */
function countWhile<Value>(values: readonly Value[], holds: (value: Value) => boolean): number {
  let [low, high] = [0, values.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    const value = values[middle];
    if (value !== undefined && holds(value)) low = middle + 1;
    else high = middle;
  }
  return low;
}

/**
 * Adds up charges between which the ledger has no other entry of the account, and no credit expires. They leave the same of each credit as one charge of
 * their sum: each takes credits in the same order, from the first that is alive to the last and then from the first of all, so that what is used up in the
 * end does not depend on which charge comes first. Holds one run for each such period, however many charges there are. Charges are added in any order.
 */
export class ChargeRuns {
  charges = 0;
  readonly #runs = new Map<string, Run>();
  readonly #apart: AccountEntry[] = [];

  constructor(private readonly bounds: RunBounds) {}

  add(charge: AccountEntry): void {
    const { separators, expiries, apart } = this.bounds;
    this.charges += 1;
    if (charge.requestId !== null && apart.has(charge.requestId)) {
      this.#apart.push(charge);
      return;
    }
    const key = `${countWhile(separators, (separator) => separator < charge.entry)} ${countWhile(expiries, (expiry) => expiry <= charge.at)}`;
    const run = this.#runs.get(key);
    if (run === undefined) this.#runs.set(key, { last: charge.entry, units: charge.amount.toUnits(), kind: charge.kind, latest: charge.at });
    else extend(run, charge);
  }

  /** One entry per run, with the number of its last charge and the latest time; then the charges that stay apart. */
  entries(): readonly AccountEntry[] {
    const runs = [...this.#runs.values()].map(({ last, units, kind, latest }): AccountEntry => (
      { entry: last, kind, isCredit: false, amount: ServiceTokens.fromUnits(units), requestId: null, reference: null, expiresAt: null, at: latest }));
    return [...runs, ...this.#apart];
  }
}

/** Late charges do not say how far the requests are. */
function extend(run: Run, { entry, amount, at, kind }: AccountEntry): void {
  if (entry > run.last) run.last = entry;
  run.units += amount.toUnits();
  if (kind === run.kind ? at > run.latest : kind === 'charge') [run.kind, run.latest] = [kind, at];
}
