import type { Row } from '../books/database-view.js';

/** The time within which a dead process's reservations must end. */
export interface OrphanRule {
  readonly from: 'its-death' | 'the-next-start';
  readonly milliseconds: number;
}

/** Times as `performance.now()`. */
export interface DeadProcess {
  readonly processId: string;
  readonly kind: string;
  readonly diedAt: number;
  /** Time at which its successor was ready. */
  readonly succeededAt: number | null;
  /** Its maximum number of reservations after its death. */
  readonly orphans: number;
  /** Last time at which it had a reservation; its death if it never had one. */
  readonly heldUntil: number;
}

/** Reservations per process. */
export const HELD_QUERY = "select owner_id, count(*) from reservations where state = 'held' group by owner_id";

/** Remaining reservations of killed processes. */
export class DeadProcesses {
  readonly #dead = new Map<string, DeadProcess>();

  constructor(private readonly rule: OrphanRule) {}

  get all(): readonly DeadProcess[] {
    return [...this.#dead.values()];
  }

  died(processId: string, kind: string, diedAt: number): void {
    this.#dead.set(processId, { processId, kind, diedAt, succeededAt: null, orphans: 0, heldUntil: diedAt });
  }

  succeeded(processId: string, succeededAt: number): void {
    const dead = this.#dead.get(processId);
    if (dead !== undefined) this.#dead.set(processId, { ...dead, succeededAt });
  }

  /** P5 and I6: processes whose reservations outlive their deadline. `at` is the time of the query. */
  look(rows: readonly Row[], at: number): readonly string[] {
    return rows.flatMap(([owner, count]) => {
      const dead = this.#dead.get(owner ?? '');
      if (dead === undefined) return [];
      const held = Number(count);
      this.#dead.set(dead.processId, { ...dead, orphans: Math.max(dead.orphans, held), heldUntil: Math.max(dead.heldUntil, at) });
      return at > this.deadlineOf(dead) ? [`P5, I6: ${held} reservations of a process that was killed at ${dead.kind} are still held`] : [];
    });
  }

  private deadlineOf({ diedAt, succeededAt }: DeadProcess): number {
    const from = this.rule.from === 'its-death' ? diedAt : succeededAt ?? Infinity;
    return from + this.rule.milliseconds;
  }
}
