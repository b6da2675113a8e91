export interface ModelReservation {
  readonly account: number;
  readonly process: number;
  readonly expiresAt: number;
  /** Of its key, and the day it counts in; `null`: none. */
  readonly limit: number | null;
  readonly day: number;
  amount: number;
  progress: number | null;
  state: 'held' | 'ended' | 'expired';
  charged: number;
  refunded: number;
  writtenOff: number;
  hasEndedLate: boolean;
}

export interface ModelAccount {
  posted: number;
  /** What was booked under each. */
  readonly references: Map<number, string>;
}

export interface ModelState {
  /** In seconds since the history began. */
  now: number;
  readonly accounts: readonly ModelAccount[];
  readonly reservations: Map<number, ModelReservation>;
  /** Until when each process counts as alive. */
  readonly leases: Map<number, number>;
  /** How often each owner has died. */
  readonly deaths: number[];
}

/** What a step came to, as text that a ledger's answer can be compared with. */
export type ModelAnswer = string;

/** An act of money under a reference; `act` says what it is, so that two acts can be compared. */
export interface ModelAct {
  readonly reference: number;
  readonly act: string;
  readonly amount: number;
}

/** Books an act once per reference, unless it is refused. */
export function bookOnce(account: ModelAccount, { reference, act, amount }: ModelAct, refusalOf: () => ModelAnswer | null): ModelAnswer {
  const earlier = account.references.get(reference);
  if (earlier !== undefined) return earlier === act ? 'repeated' : 'reference-used-otherwise';
  const refusal = refusalOf();
  if (refusal !== null) return refusal;
  account.references.set(reference, act);
  account.posted += amount;
  return 'booked';
}
