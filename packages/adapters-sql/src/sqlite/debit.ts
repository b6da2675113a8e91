import { type Balance, invariant } from '@tollgate/core';
import { balanceFromRow, type BalanceRow } from '../ledger/balance-row.js';
import type { LedgerStatements } from './ledger-statements.js';

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
