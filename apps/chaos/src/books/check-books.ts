import type { Acknowledged } from './acknowledged.js';
import { LedgerReader, type LedgerPrefix } from './ledger-reader.js';
import { openBeside } from './seed-accounts.js';

export interface BooksCheck {
  readonly database: string;
  readonly acknowledged: Acknowledged;
  /** What was in the ledger when it was looked at before. */
  readonly before: LedgerPrefix;
}

export interface BooksFinding {
  readonly violations: readonly string[];
  readonly entries: LedgerPrefix;
}

async function audit(database: string): Promise<readonly string[]> {
  const store = await openBeside(database);
  try {
    const { differences } = await store.ledgerAudit.verify();
    const { firstBrokenEntry } = await store.auditTrail.verifyAuditTrail();
    const broken = firstBrokenEntry === null ? [] : [`I11: audit entry ${firstBrokenEntry} is not as it was written`];
    return [...differences.map(({ invariant, accountId, expected, found }) => `${invariant}: account ${accountId} has ${found} instead of ${expected}`), ...broken];
  } finally {
    await store.close();
  }
}

/** Everything that must hold after a restart: the invariants, what was acknowledged, and that no entry has changed or gone. */
export async function checkBooks({ database, acknowledged, before }: BooksCheck): Promise<BooksFinding> {
  const differences = await audit(database);
  const reader = new LedgerReader(database);
  try {
    const again = reader.prefix(before.lastEntry);
    const violations = [
      ...differences,
      ...reader.missingReceipts(acknowledged.receipts).map((text) => `I9: ${text}`),
      ...reader.missingCredits(acknowledged.credits).map((text) => `P4: ${text}`),
      ...(reader.negativeAccounts() > 0 ? ['I1: an account is below zero'] : []),
      ...(again.hash === before.hash ? [] : ['I12: ledger entries have changed or gone']),
    ];
    return { violations, entries: reader.prefix(null) };
  } finally {
    reader.close();
  }
}
