import { ServiceTokens } from '@tollgate/core';
import type { Row } from '../books/database-view.js';
import type { AcknowledgedCredit } from '../customers/acknowledged.js';
import type { Receipt } from '../customers/exchange.js';

interface Booked {
  /** Charged amount by request, late charges included. */
  readonly charged: ReadonlyMap<string, bigint>;
  /** Amount in the usage record by request, late settlements included. */
  readonly recorded: ReadonlyMap<string, bigint>;
  /** Credited amount by reference. */
  readonly credited: ReadonlyMap<string, bigint>;
}

/** Queries whose results `bookedFrom` reads, as pairs of a name and an amount. */
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

/**
 * I9 and P4: receipts that contradict the ledger or the usage record. Pending receipts are left out; a comparison with what customers paid covers
 * them at rest.
 */
export function brokenReceipts(receipts: readonly Receipt[], { charged, recorded }: Booked): readonly string[] {
  return receipts.filter(({ isPending }) => !isPending).flatMap(({ requestId, debited }) => {
    const told = ServiceTokens.parse(debited).toUnits();
    const [booked, written] = [charged.get(requestId) ?? 0n, recorded.get(requestId)];
    return booked === told && written === told ? [] : [`I9: request ${requestId} was told ${told}, the ledger says ${booked}, its record ${written ?? 'nothing'}`];
  });
}

/** P4: credits that were acknowledged, but are missing in the ledger. */
export function lostCredits(credits: readonly AcknowledgedCredit[], { credited }: Booked): readonly string[] {
  return credits.flatMap(({ reference, amount }) => {
    const booked = credited.get(reference);
    return booked === ServiceTokens.parse(amount).toUnits() ? [] : [`P4: credit ${reference} of ${amount} is in the ledger as ${booked ?? 'nothing'}`];
  });
}
