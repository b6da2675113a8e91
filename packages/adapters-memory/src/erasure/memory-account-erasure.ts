import { type AccountErasure, type AccountId, type AuditedBy, type DeletionBegun, type Instant, sameStanding, type StandingFacts } from '@tollgate/core';
import type { MemoryIdempotency } from '../idempotency/memory-idempotency.js';
import type { MemoryKeys } from '../keys/memory-keys.js';
import type { MemoryLedger } from '../ledger/memory-ledger.js';
import type { MemoryAccounts } from '../accounts/memory-accounts.js';

export interface MemoryErasureParts {
  readonly accounts: MemoryAccounts;
  readonly keys: MemoryKeys;
  readonly ledger: MemoryLedger;
  readonly idempotency: MemoryIdempotency;
}

/** Deletes accounts of the memory adapters, each in one synchronous step. */
export class MemoryAccountErasure implements AccountErasure {
  /** Deleted accounts of which replies may be left. */
  readonly #unfinished = new Set<AccountId>();

  constructor(private readonly parts: MemoryErasureParts) {}

  async dueForDeletion(now: Instant, limit: number): Promise<readonly AccountId[]> {
    return [...this.#unfinished, ...this.parts.accounts.dueForDeletion(now, limit)].slice(0, limit);
  }

  async deleteAccount(id: AccountId, from: StandingFacts, by: AuditedBy): Promise<DeletionBegun> {
    const { accounts, keys, ledger } = this.parts;
    const account = accounts.get(id);
    if (account === null || account.deletion === null || !sameStanding(account, from)) return { outcome: 'changed-meanwhile' };
    const forfeited = ledger.forfeit(id, by.at);
    if (forfeited === null) return { outcome: 'requests-running' };
    keys.endAll(id, by);
    accounts.erase(account, by);
    this.#unfinished.add(id);
    return { outcome: 'deleted', forfeited };
  }

  async eraseLeftovers(id: AccountId): Promise<void> {
    this.parts.idempotency.eraseAll(id);
    this.#unfinished.delete(id);
  }
}
