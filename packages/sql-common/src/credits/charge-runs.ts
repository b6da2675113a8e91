import { type AccountEntry, type Instant, type RequestId, ServiceTokens } from '@tollgate/core';

export interface RunBounds {
  /** Numbers of the entries that separate runs, ascending: charges before and after such an entry belong to different runs. */
  readonly separators: readonly bigint[];
  /** Dates at which credits of the account expire, ascending. */
  readonly expiries: readonly Instant[];
  /** Requests whose charges belong to no run. The entries of their charges are separators. */
  readonly apart: ReadonlySet<RequestId>;
}

interface Run {
  last: bigint;
  units: bigint;
  kind: AccountEntry['kind'];
  /** Latest time of the charges of kind `kind` in the run. */
  latest: Instant;
}

/** Number of values that satisfy the condition, by bisection. Those that do must precede those that do not. */
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
 * Adds up the charges of each period in which the account has no other entry and no credit expires: a run. A run takes from each credit what its
 * charges would take one by one, because every charge takes the credits in the same order, unexpired ones first. There is one run per period, however
 * many charges it has. Charges may be added in any order.
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

  /** One entry per run, with the number of its last charge and the latest time; then the charges of the requests in `apart`. */
  entries(): readonly AccountEntry[] {
    const runs = [...this.#runs.values()].map(({ last, units, kind, latest }): AccountEntry => (
      { entry: last, kind, isCredit: false, amount: ServiceTokens.fromUnits(units), requestId: null, reference: null, expiresAt: null, at: latest }));
    return [...runs, ...this.#apart];
  }
}

/**
 * A run with at least one charge has the kind `charge`. Its `latest` ignores late charges, because their times do not tell which requests have been
 * read.
 */
function extend(run: Run, { entry, amount, at, kind }: AccountEntry): void {
  if (entry > run.last) run.last = entry;
  run.units += amount.toUnits();
  if (kind === run.kind ? at > run.latest : kind === 'charge') [run.kind, run.latest] = [kind, at];
}
