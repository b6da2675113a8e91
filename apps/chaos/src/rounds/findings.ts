import type { DeathKind } from './round-plan.js';

/** What was found over all rounds of one kind. */
export interface KindFindings {
  readonly kind: DeathKind;
  readonly runs: number;
  /** Rounds in which the point was not passed often enough, so that the gateway had to be killed from outside. */
  readonly unreached: number;
  readonly requests: number;
  /** Receipts that clients had seen before the gateway died. */
  readonly receipts: number;
  /** Credits that were acknowledged meanwhile, to a program that was killed as well. */
  readonly credits: number;
  /** Reservations that the deaths left held. */
  readonly orphans: number;
  readonly violations: readonly string[];
  /** From the start of the next process until it serves and nothing is held. */
  readonly worstRecoveryMilliseconds: number;
  /** The part of it after the gateway had said that it serves. */
  readonly worstAfterReadyMilliseconds: number;
}

export interface RoundFinding {
  readonly reached: boolean;
  readonly requests: number;
  readonly receipts: number;
  readonly credits: number;
  readonly orphans: number;
  readonly recoveryMilliseconds: number;
  readonly afterReadyMilliseconds: number;
  readonly violations: readonly string[];
}

const NOTHING = {
  runs: 0, unreached: 0, requests: 0, receipts: 0, credits: 0, orphans: 0, violations: [], worstRecoveryMilliseconds: 0, worstAfterReadyMilliseconds: 0,
} as const;

function joined(before: KindFindings, round: RoundFinding): KindFindings {
  return {
    kind: before.kind,
    runs: before.runs + 1,
    unreached: before.unreached + (round.reached ? 0 : 1),
    requests: before.requests + round.requests,
    receipts: before.receipts + round.receipts,
    credits: before.credits + round.credits,
    orphans: before.orphans + round.orphans,
    violations: [...before.violations, ...round.violations],
    worstRecoveryMilliseconds: Math.max(before.worstRecoveryMilliseconds, round.recoveryMilliseconds),
    worstAfterReadyMilliseconds: Math.max(before.worstAfterReadyMilliseconds, round.afterReadyMilliseconds),
  };
}

/** Adds up rounds by their kind, in the order the kinds are given. */
export class Findings {
  readonly #byKind: Map<DeathKind, KindFindings>;

  constructor(kinds: readonly DeathKind[]) {
    this.#byKind = new Map(kinds.map((kind) => [kind, { kind, ...NOTHING }]));
  }

  add(kind: DeathKind, round: RoundFinding): void {
    this.#byKind.set(kind, joined(this.#byKind.get(kind) ?? { kind, ...NOTHING }, round));
  }

  get all(): readonly KindFindings[] {
    return [...this.#byKind.values()];
  }
}
