import type { Row } from '../books/database-view.js';

/** Within which time what a dead process held has to be ended. */
export interface OrphanRule {
  readonly from: 'its-death' | 'the-next-start';
  readonly milliseconds: number;
}

/** A gateway that was killed, and what became of the reservations it held. Instants are on the clock that `performance.now` reads. */
export interface DeadProcess {
  readonly processId: string;
  /** The kind of round it died in. */
  readonly kind: string;
  readonly diedAt: number;
  /** When the next one on its seat said that it serves. */
  readonly succeededAt: number | null;
  /** The most reservations of it that were seen after its death. */
  readonly orphans: number;
  /** When it was last seen to hold any; its death when it never was. */
  readonly heldUntil: number;
}

/** For `DeadProcesses`: how many reservations each process holds. */
export const HELD_QUERY = "select owner_id, count(*) from reservations where state = 'held' group by owner_id";

/** What is left of each process that was killed. */
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

  /** P5 and I6: processes whose reservations are still held although their time is up. `at` is when the rows were asked for. */
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
