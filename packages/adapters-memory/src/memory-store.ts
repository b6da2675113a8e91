import { MemoryAccounts } from './accounts/memory-accounts.js';
import { MemoryAuditTrail } from './audit/memory-audit-trail.js';
import { MemoryKeys } from './keys/memory-keys.js';
import { MemoryLedger } from './ledger/memory-ledger.js';
import { MemoryUsage } from './usage/memory-usage.js';
import { UsageJournal } from './usage/usage-journal.js';

/** Everything that a database would keep, as adapters that belong together. */
export interface MemoryStore {
  readonly accounts: MemoryAccounts;
  readonly keys: MemoryKeys;
  readonly ledger: MemoryLedger;
  readonly usage: MemoryUsage;
  readonly audit: MemoryAuditTrail;
}

/** A store that begins empty and is gone with its process. */
export function createMemoryStore(): MemoryStore {
  const audit = new MemoryAuditTrail();
  const accounts = new MemoryAccounts(audit);
  const journal = new UsageJournal();
  return {
    accounts,
    keys: new MemoryKeys(accounts, audit),
    ledger: new MemoryLedger({ accounts, usage: journal, audit }),
    usage: new MemoryUsage(journal),
    audit,
  };
}
