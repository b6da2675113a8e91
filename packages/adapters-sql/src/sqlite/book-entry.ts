import type { Instant, RequestFacts, ReservationId, ServiceTokens, UtcDay } from '@tollgate/core';
import { REVENUE, WRITE_OFFS } from '../ledger/system-accounts.js';
import type { LedgerStatements } from './ledger-statements.js';

/** What an entry is about. */
export interface EntrySource {
  readonly reservationId: ReservationId;
  readonly facts: RequestFacts;
  readonly at: Instant;
  /** The day whose usage it belongs to: that of the request's end, also for what is charged later. */
  readonly day: UtcDay;
}

/** What is booked, and who pays it: the customer for a charge, the house for a write-off. */
interface Transfer {
  readonly kind: 'charge' | 'late-charge' | 'write-off' | 'late-write-off';
  readonly debit: string;
  readonly amount: bigint;
}

function bookTransfer(statements: LedgerStatements, { reservationId, facts, at, day }: EntrySource, transfer: Transfer): void {
  if (transfer.amount === 0n) return;
  const { kind, debit, amount } = transfer;
  statements.insertEntry.run(kind, debit, REVENUE, amount, facts.requestId, reservationId, at, day);
}

/** Books a charge; one of nothing leaves no entry. */
export function bookCharge(statements: LedgerStatements, source: EntrySource, charge: { readonly kind: 'charge' | 'late-charge'; readonly amount: ServiceTokens }): void {
  bookTransfer(statements, source, { kind: charge.kind, debit: source.facts.accountId, amount: charge.amount.toUnits() });
}

/** Books what was earned and could not be paid; it is nobody's debt. */
export function bookWriteOff(statements: LedgerStatements, source: EntrySource, writeOff: { readonly kind: 'write-off' | 'late-write-off'; readonly units: bigint }): void {
  bookTransfer(statements, source, { kind: writeOff.kind, debit: WRITE_OFFS, amount: writeOff.units });
}
