import { type Balance, type Instant, invariant, type RequestFacts, type ReservationId, type ServiceTokens, type UtcDay } from '@tollgate/core';
import { balanceFromRow, type BalanceRow, REVENUE, WRITE_OFFS } from '@tollgate/sql-common';
import type { LedgerStatements } from './statements.js';

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
  readonly payer: string;
  readonly amount: bigint;
}

function bookTransfer(statements: LedgerStatements, { reservationId, facts, at, day }: EntrySource, transfer: Transfer): void {
  if (transfer.amount === 0n) return;
  const { kind, payer, amount } = transfer;
  statements.insertEntry.run(kind, payer, REVENUE, amount, facts.requestId, reservationId, at, day);
}

/** Books a charge; one of nothing leaves no entry. */
export function bookCharge(statements: LedgerStatements, source: EntrySource, charge: { readonly kind: 'charge' | 'late-charge'; readonly amount: ServiceTokens }): void {
  bookTransfer(statements, source, { kind: charge.kind, payer: source.facts.accountId, amount: charge.amount.toUnits() });
}

/** Books what was earned and could not be paid; it is nobody's debt. */
export function bookWriteOff(statements: LedgerStatements, source: EntrySource, writeOff: { readonly kind: 'write-off' | 'late-write-off'; readonly units: bigint }): void {
  bookTransfer(statements, source, { kind: writeOff.kind, payer: WRITE_OFFS, amount: writeOff.units });
}

/** What is taken from a balance, in micro-tokens. */
export interface Debit {
  /** As it was read in this transaction. */
  readonly before: BalanceRow;
  readonly charge: bigint;
  /** No longer set aside. */
  readonly freed: bigint;
}

/** Takes a charge from an account and returns what is left, which follows from what was read: a transaction has the database to itself. */
export function debit(statements: LedgerStatements, accountId: string, { before, charge, freed }: Debit): Balance {
  const { changes } = statements.debit.run(charge, freed, accountId);
  invariant(changes === 1, 'the account was found in this transaction');
  return balanceFromRow({ balance: before.balance - charge, reserved: before.reserved - freed });
}
