import type { AccountErasure, AuditTrail, BookingObservers, LedgerAudit, OperatorControls } from '@tollgate/core';
import { MemoryAuditTrail } from './memory-audit-trail.js';
import { MemoryAccountErasure } from './memory-account-erasure.js';
import { MemoryAccounts } from './memory-accounts.js';
import { MemoryBlocks } from './memory-blocks.js';
import { MemoryKeys } from './memory-keys.js';
import { MemoryLedger } from './memory-ledger.js';
import { MemoryIdempotency } from './memory-idempotency.js';
import { MemoryKeySpending } from './memory-key-spending.js';
import { MemoryPlatform } from './memory-platform.js';
import { MemoryResponses } from './memory-responses.js';
import { MemoryUsage } from './memory-usage.js';
import { MemoryUsageTotals } from './memory-usage-totals.js';
import { UsageJournal } from './usage-journal.js';

/**
 * Adapters of one store in memory, without people, sessions, mail, payments, vouchers, webhooks and events. Programs that need these open a database,
 * which may be in memory.
 */
export interface MemoryStore {
  readonly accounts: MemoryAccounts;
  readonly erasure: AccountErasure;
  readonly keys: MemoryKeys;
  readonly ledger: MemoryLedger;
  readonly ledgerAudit: LedgerAudit;
  readonly bookings: BookingObservers;
  readonly usage: MemoryUsage;
  readonly usageTotals: MemoryUsageTotals;
  readonly idempotency: MemoryIdempotency;
  readonly responses: MemoryResponses;
  readonly platform: MemoryPlatform;
  readonly controls: OperatorControls;
  /** The audit log with its entries, for tests. */
  readonly audit: MemoryAuditTrail;
  readonly auditTrail: AuditTrail;
}

/** Creates an empty store, which ends with its process. */
export function createMemoryStore(): MemoryStore {
  const audit = new MemoryAuditTrail();
  const blocks = new MemoryBlocks();
  const accounts = new MemoryAccounts(audit, blocks);
  const spending = new MemoryKeySpending();
  const keys = new MemoryKeys({ accounts, audit, spending, blocks });
  const platform = new MemoryPlatform({ audit, blocks, accounts, keys });
  const journal = new UsageJournal();
  const ledger = new MemoryLedger({ accounts, keys, spending, usage: journal, audit });
  const idempotency = new MemoryIdempotency({ ledger, usage: journal });
  const responses = new MemoryResponses();
  return {
    accounts,
    erasure: new MemoryAccountErasure({ accounts, keys, ledger, idempotency, responses, audit }),
    keys,
    ledger,
    ledgerAudit: ledger,
    bookings: ledger.bookings,
    usage: new MemoryUsage(journal, ledger.transfers),
    usageTotals: new MemoryUsageTotals(journal),
    idempotency,
    responses,
    platform,
    controls: platform,
    audit,
    auditTrail: audit,
  };
}
