import { type AccountEntry, type Instant, type RequestId, ServiceTokens } from '@tollgate/core';

export interface RunBounds {
  /** Numbers of entries, ascending. No run has charges on both sides of one of them. */
  readonly separators: readonly bigint[];
  /** When credits of the account expire, ascending. */
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

/** The number of values that satisfy the condition, by bisection: all that satisfy it come first. */
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
 * Adds up charges between which the ledger has no other entry of the account, and no credit expires. Together they take from each credit what one
 * charge of their sum takes: each takes credits in the same order (unexpired ones first), so the result does not depend on the order of the charges.
 * Holds one run per such period, however many charges there are. Charges may be added in any order.
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

/** The kind becomes `charge` if any is in the run, and `latest` is of charges only: late charges do not say how far the ended requests reach. */
function extend(run: Run, { entry, amount, at, kind }: AccountEntry): void {
  if (entry > run.last) run.last = entry;
  run.units += amount.toUnits();
  if (kind === run.kind ? at > run.latest : kind === 'charge') [run.kind, run.latest] = [kind, at];
}
