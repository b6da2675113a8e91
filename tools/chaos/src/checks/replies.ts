import { ServiceTokens } from '@tollgate/core';
import { LinearTokenEstimator } from '@tollgate/adapters-upstream';
import type { AcknowledgedCredit } from '../books/creditor.js';
import type { Row } from '../books/database-view.js';
import { type Outcome, PIECE, type Receipt } from '../load.js';

/** What the books say of charges and credits. */
export interface Booked {
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

/** I9 and P4: receipts that the ledger or the usage record does not bear out. */
export function brokenReceipts(receipts: readonly Receipt[], { charged, recorded }: Booked): readonly string[] {
  return receipts.flatMap(({ requestId, debited }) => {
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
export interface BilledOutput {
  readonly endReason: string;
  /** Whose count it is: `reported` is the upstream's own, which counts a piece as a token. */
  readonly source: string;
  readonly outputTokens: number;
}

export interface Relayed extends Pick<Outcome, 'seen' | 'leftAtHold'> {
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
