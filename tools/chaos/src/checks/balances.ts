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

/** Held slots that must be released: of an account by the shared count, or of a gateway by its own. */
export interface SlotCount {
  readonly holder: string;
  /** Slots, or requests that are being answered. */
  readonly what: 'slots' | 'requests';
  readonly held: number;
  readonly limit: number;
}

/** What was seen of slots. */
export class SeenSlots {
  #most = 0;

  /** The largest count observed: one that never exceeds 0 observes the wrong thing. */
  get most(): number {
    return this.#most;
  }

  /** I10: who holds more slots than there are. */
  look(counts: readonly SlotCount[]): readonly string[] {
    this.#most = Math.max(this.#most, ...counts.filter(({ what }) => what === 'slots').map(({ held }) => held));
    return counts.filter(({ held, limit }) => held > limit).map(({ holder, what, held, limit }) => `I10: ${holder} held ${held} of ${limit} ${what}`);
  }
}

/** I10: accounts that still hold an amount or a slot after the last request. */
export function leakedSlots(counts: readonly SlotCount[]): readonly string[] {
  return counts.filter(({ held }) => held > 0).map(({ holder, what, held }) => `I10: ${holder} still holds ${held} ${what}`);
}

const MOVEMENTS = `(select credit_account as account, amount from ledger_entries
  union all select debit_account as account, -amount as amount from ledger_entries) movements`;
const CHARGES = `(select account_id, day, charge as recorded, 0 as booked, 0 as summed from usage_records
  union all select account_id, day, charge, 0, 0 from late_settlements
  union all select debit_account, day, 0, amount, 0 from ledger_entries where kind in ('charge', 'late-charge')
  union all select account_id, day, 0, 0, charge from usage_daily) charges`;

/**
 * I1 to I5 and I7, each as a query that finds nothing while it holds. Written without a look at the product's own audit, which is run beside them:
 * the same mistake is not made twice in different words.
 */
export const BALANCE_QUERIES: readonly (readonly [invariant: string, query: string])[] = [
  ['I1', 'select id, balance, reserved from accounts where balance < 0 or reserved < 0 or balance < reserved'],
  ['I2', `select a.id, a.reserved, coalesce(h.amount, 0) from accounts a
    left join (select account_id, sum(amount) as amount from reservations where state = 'held' group by account_id) h on h.account_id = a.id
    where a.reserved <> coalesce(h.amount, 0)`],
  ['I3', `select a.id, a.balance, coalesce(m.amount, 0) from accounts a
    left join (select account, sum(amount) as amount from ${MOVEMENTS} group by account) m on m.account = a.id
    where a.balance <> coalesce(m.amount, 0)`],
  ['I4', `select c.amount, s.amount from (select coalesce(sum(balance), 0) as amount from accounts) c,
    (select coalesce(sum(amount), 0) as amount from ${MOVEMENTS} where account not in (select id from accounts)) s
    where c.amount + s.amount <> 0`],
  ['I5', `select r.id, r.state, u.request_id from reservations r left join usage_records u on u.reservation_id = r.id
    where (r.state = 'held' and u.request_id is not null) or (r.state <> 'held' and u.request_id is null)`],
  ['I5', 'select reservation_id, kind, count(*) from ledger_entries where reservation_id is not null group by reservation_id, kind having count(*) > 1'],
  ['I7', `select account_id, day, sum(recorded), sum(booked), sum(summed) from ${CHARGES}
    group by account_id, day having sum(recorded) <> sum(booked) or sum(recorded) <> sum(summed)`],
];

/** What the queries have found, in their order. */
export function unbalanced(found: readonly (readonly Row[])[]): readonly string[] {
  return found.flatMap((rows, place) => rows.map((row) => `${BALANCE_QUERIES[place]?.[0] ?? ''}: ${row.join(', ')}`));
}
