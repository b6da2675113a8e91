import type { DeadProcess } from '../checks/dead-processes.js';
import type { DeathKind } from './round-plan.js';
import type { RoundFinding } from './run-round.js';

/** What was found over all rounds of one kind. */
export interface KindFindings {
  readonly kind: DeathKind;
  readonly runs: number;
  /** Rounds in which the point was not passed often enough, so that a gateway had to be killed from outside. */
  readonly unreached: number;
  /** Gateways that were killed. */
  readonly deaths: number;
  /** Reservations that they were seen to leave behind. */
  readonly orphans: number;
  readonly violations: readonly string[];
  /** From the start of a next process until it served. */
  readonly worstRestartMilliseconds: number;
  /** From a death until nothing of the dead was held any more. */
  readonly worstOrphanMilliseconds: number;
  /** The part of it after the next process had said that it serves. */
  readonly worstAfterRestartMilliseconds: number;
}

const NOTHING = {
  runs: 0, unreached: 0, deaths: 0, orphans: 0, violations: [], worstRestartMilliseconds: 0, worstOrphanMilliseconds: 0, worstAfterRestartMilliseconds: 0,
} as const;

/** Adds up rounds by their kind, in the order the kinds are given. */
export class Findings {
  readonly #byKind: Map<DeathKind, KindFindings>;

  constructor(kinds: readonly DeathKind[]) {
    this.#byKind = new Map(kinds.map((kind) => [kind, { kind, ...NOTHING }]));
  }

  addRound(kind: DeathKind, { reached, restartMilliseconds }: RoundFinding): void {
    this.change(kind, ({ runs, unreached, worstRestartMilliseconds }) => ({
      runs: runs + 1,
      unreached: unreached + (reached ? 0 : 1),
      worstRestartMilliseconds: Math.max(worstRestartMilliseconds, restartMilliseconds),
    }));
  }

  addViolation(kind: DeathKind, violation: string): void {
    this.change(kind, ({ violations }) => ({ violations: [...violations, violation] }));
  }

  addDead({ kind, diedAt, succeededAt, orphans, heldUntil }: DeadProcess): void {
    this.change(kind as DeathKind, (before) => ({
      deaths: before.deaths + 1,
      orphans: before.orphans + orphans,
      worstOrphanMilliseconds: Math.max(before.worstOrphanMilliseconds, heldUntil - diedAt),
      worstAfterRestartMilliseconds: Math.max(before.worstAfterRestartMilliseconds, heldUntil - (succeededAt ?? heldUntil)),
    }));
  }

  get all(): readonly KindFindings[] {
    return [...this.#byKind.values()];
  }

  private change(kind: DeathKind, to: (before: KindFindings) => Partial<KindFindings>): void {
    const before = this.#byKind.get(kind) ?? { kind, ...NOTHING };
    this.#byKind.set(kind, { ...before, ...to(before) });
  }
}
