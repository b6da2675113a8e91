import type { LedgerStatements } from './ledger-statements.js';
import type { UsageStatements } from './usage-statements.js';

/** All that a settlement runs. */
export interface SettlementStatements {
  readonly ledger: LedgerStatements;
  readonly usage: UsageStatements;
}
