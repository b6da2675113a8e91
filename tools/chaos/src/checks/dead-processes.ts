import type { Row } from '../books/database-view.js';

/** Time within which the reservations of a dead process must end. */
export interface OrphanRule {
  readonly from: 'its-death' | 'the-next-start';
  readonly milliseconds: number;
}

/** A killed process; instants are those of `performance.now()`. */
export interface DeadProcess {
  readonly processId: string;
  readonly kind: string;
  readonly diedAt: number;
  /** When its successor was ready; `null` before that. */
  readonly succeededAt: number | null;
  /** Largest number of reservations that it had after its death. */
  readonly orphans: number;
  /** When it was last seen with a reservation; the time of its death if it never was. */
  readonly heldUntil: number;
}

/** Query for the number of held reservations of each process. */
export const HELD_QUERY = "select owner_id, count(*) from reservations where state = 'held' group by owner_id";

/** Watches how long the reservations of killed processes remain. */
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

  /** P5 and I6: processes whose reservations exist after their deadline. `at` is the time of the query. */
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
