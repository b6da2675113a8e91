import { ServiceTokens } from '@tollgate/core';
import { LinearTokenEstimator } from '@tollgate/adapters-upstream';
import type { AcknowledgedCredit } from '../customers/acknowledged.js';
import type { Row } from '../books/database-view.js';
import type { Outcome, Receipt } from '../customers/exchange.js';
import { PIECE } from '../upstream/request-script.js';

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

  /** I13: accounts that hold more slots than exist. */
  look(counts: readonly SlotCount[]): readonly string[] {
    this.#most = Math.max(this.#most, ...counts.filter(({ what }) => what === 'slots').map(({ held }) => held));
    return counts.filter(({ held, limit }) => held > limit).map(({ holder, what, held, limit }) => `I13: ${holder} held ${held} of ${limit} ${what}`);
  }
}

/** I13: accounts that still hold an amount or a slot after the last request. */
export function leakedSlots(counts: readonly SlotCount[]): readonly string[] {
  return counts.filter(({ held }) => held > 0).map(({ holder, what, held }) => `I13: ${holder} still holds ${held} ${what}`);
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

/** What the books say of charges and credits. */
interface Booked {
  /** Sums of charges, late ones included, by request. */
  readonly charged: ReadonlyMap<string, bigint>;
  /** What usage records say, late settlements included, by request. */
  readonly recorded: ReadonlyMap<string, bigint>;
  /** By reference. */
  readonly credited: ReadonlyMap<string, bigint>;
}

/** For `bookedFrom`, each giving names and amounts. */
export const BOOKED_QUERIES = [
  "select request_id, sum(amount) from ledger_entries where kind in ('charge', 'late-charge') group by request_id",
  'select u.request_id, u.charge + coalesce(l.charge, 0) from usage_records u left join late_settlements l on l.reservation_id = u.reservation_id',
  "select reference, amount from ledger_entries where kind = 'top-up'",
] as const;

function amounts(rows: readonly Row[] = []): ReadonlyMap<string, bigint> {
  return new Map(rows.map(([name, amount]) => [name ?? '', BigInt(amount ?? '0')]));
}

export function bookedFrom([charged, recorded, credited]: readonly (readonly Row[])[]): Booked {
  return { charged: amounts(charged), recorded: amounts(recorded), credited: amounts(credited) };
}

/** I9 and P4: receipts that the ledger or the usage record does not bear out. A pending receipt is compared at rest, with what its customer paid. */
export function brokenReceipts(receipts: readonly Receipt[], { charged, recorded }: Booked): readonly string[] {
  return receipts.filter(({ isPending }) => !isPending).flatMap(({ requestId, debited }) => {
    const told = ServiceTokens.parse(debited).toUnits();
    const [booked, written] = [charged.get(requestId) ?? 0n, recorded.get(requestId)];
    return booked === told && written === told ? [] : [`I9: request ${requestId} was told ${told}, the ledger says ${booked}, its record ${written ?? 'nothing'}`];
  });
}

/** P4: credits that were acknowledged and are not in the ledger. */
export function lostCredits(credits: readonly AcknowledgedCredit[], { credited }: Booked): readonly string[] {
  return credits.flatMap(({ reference, amount }) => {
    const booked = credited.get(reference);
    return booked === ServiceTokens.parse(amount).toUnits() ? [] : [`P4: credit ${reference} of ${amount} is in the ledger as ${booked ?? 'nothing'}`];
  });
}

/** How a usage record says that a request ended. */
interface BilledOutput {
  readonly endReason: string;
  /** Whose count it is: `reported` is the upstream's own, which counts a piece as a token. */
  readonly source: string;
  readonly outputTokens: number;
}

interface Relayed extends Pick<Outcome, 'seen' | 'leftAtHold'> {
  /** Pieces that the upstream has sent for it. */
  readonly sent: number;
}

/** For `billedFrom`: the outcome of every request that has a record, a late settlement in its place when there is one. */
export const BILLED_QUERY = `select u.attribution, coalesce(l.end_reason, u.end_reason), coalesce(l.usage_source, u.usage_source),
  coalesce(l.reasoning_tokens + l.visible_output_tokens, u.reasoning_tokens + u.visible_output_tokens)
  from usage_records u left join late_settlements l on l.reservation_id = u.reservation_id`;

/** By the number of the request, which it has given as its user. */
export function billedFrom(rows: readonly Row[]): ReadonlyMap<number, BilledOutput> {
  return new Map(rows.map(([number, endReason, source, tokens]) => [Number(number), { endReason: endReason ?? '', source: source ?? '', outputTokens: Number(tokens) }]));
}

const estimator = new LinearTokenEstimator();

function tokensIn(pieces: number, source: string): number {
  if (source === 'reported') return pieces;
  const counter = estimator.startCounter();
  counter.add(PIECE.repeat(pieces));
  return counter.tokens;
}

/** The most that may be billed: what was relayed and one piece more where that is known exactly, else what the upstream has sent. */
function mostOf({ seen, sent, leftAtHold }: Relayed, { endReason, source }: BilledOutput): number {
  return tokensIn(leftAtHold && endReason === 'client_left' ? Math.min(sent, seen + 1) : sent, source);
}

/** I8: what is wrong with the output that a request was billed for; `null` when nothing is. A process that died bills its last checkpoint, which may be less than it had relayed. */
export function wrongOutput(relayed: Relayed, billed: BilledOutput | undefined): string | null {
  if (billed === undefined) return relayed.seen === 0 ? null : `${relayed.seen} pieces of output were relayed and nothing is recorded`;
  const least = billed.endReason === 'crashed' ? 0 : tokensIn(relayed.seen, billed.source);
  const most = mostOf(relayed, billed);
  if (billed.outputTokens >= least && billed.outputTokens <= most) return null;
  return `${billed.outputTokens} tokens of output (${billed.source}, ${billed.endReason}) were billed; between ${least} and ${most} were relayed`;
}

const PROMPT_PRICE = 400n;
const OUTPUT_PRICE = 1200n;
/** More than the prompt of a request of this tool has by any count. */
const MOST_PROMPT_TOKENS = 40n;

/** The most that one purchase can cost, in millionths of a service token, when the upstream sent so many pieces for each of its requests. */
export function mostPrice(pieces: number): bigint {
  const output = BigInt(Math.max(tokensIn(pieces, 'counted'), tokensIn(pieces, 'reported')));
  return MOST_PROMPT_TOKENS * PROMPT_PRICE + output * OUTPUT_PRICE;
}

/** For `SeenEntries`: all that is in the ledger, number first. */
export const ENTRIES_QUERY = 'select seq, kind, debit_account, credit_account, amount, request_id, reservation_id, reference, at, day from ledger_entries order by seq';

/** Everything that was ever seen in the ledger. */
export class SeenEntries {
  readonly #seen = new Map<string, string>();

  get count(): number {
    return this.#seen.size;
  }

  /** I12: entries that were there before and have changed or gone. To be given all that are there now. */
  look(rows: readonly Row[]): readonly string[] {
    const violations: string[] = [];
    for (const row of rows) {
      const [number = null] = row;
      const content = row.join('|');
      const before = this.#seen.get(number ?? '');
      if (before !== undefined && before !== content) violations.push(`I12: ledger entry ${number} has changed from ${before} to ${content}`);
      if (before === undefined) this.#seen.set(number ?? '', content);
    }
    const gone = this.#seen.size - rows.length;
    return gone === 0 ? violations : [...violations, `I12: ${gone} ledger entries have gone`];
  }
}
