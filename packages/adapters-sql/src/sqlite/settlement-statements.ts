import type { KeySpendingStatements } from './key-spending.js';
import type { KnownReservations } from './known-reservations.js';
import type { LedgerStatements } from './ledger-statements.js';
import type { NotedKeyUses } from './noted-key-uses.js';
import type { UsageStatements } from './usage-statements.js';

/** All that a settlement runs, and what it may know beforehand. */
export interface SettlementStatements {
  readonly ledger: LedgerStatements;
  readonly keys: KeySpendingStatements;
  readonly usage: UsageStatements;
  readonly known: KnownReservations;
  readonly keyUses: NotedKeyUses;
  /** Does something once the transaction that a settlement runs in is committed. */
  readonly afterCommit: (effect: () => void) => void;
}
