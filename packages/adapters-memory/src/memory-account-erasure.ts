import {
  type AccountErasure, type AccountId, type AuditedBy, type DeletionBegun, type DuePosition, type Instant, sameStanding, type StandingFacts,
} from '@tollgate/core';
import type { MemoryAccounts } from './memory-accounts.js';
import type { MemoryAuditTrail } from './memory-audit-trail.js';
import type { MemoryIdempotency } from './memory-idempotency.js';
import type { MemoryKeys } from './memory-keys.js';
import type { MemoryLedger } from './memory-ledger.js';
import type { MemoryResponses } from './memory-responses.js';

export interface MemoryErasureParts {
  readonly accounts: MemoryAccounts;
  readonly keys: MemoryKeys;
  readonly ledger: MemoryLedger;
  readonly idempotency: MemoryIdempotency;
  readonly responses: MemoryResponses;
  readonly audit: MemoryAuditTrail;
}

/** Deletes accounts of the memory adapters. Every operation is one synchronous step. */
export class MemoryAccountErasure implements AccountErasure {
  /** Deleted accounts whose responses and idempotency keys may remain, with the date for which the deletion was scheduled. */
  readonly #unfinished = new Map<AccountId, Instant>();

  constructor(private readonly parts: MemoryErasureParts) {}

  async dueForDeletion(now: Instant, { limit, after }: Parameters<AccountErasure['dueForDeletion']>[1]): Promise<readonly DuePosition[]> {
    const unfinished = [...this.#unfinished].map(([id, dueAt]) => ({ id, dueAt }));
    const due = [...unfinished, ...this.parts.accounts.dueForDeletion(now)].toSorted(compare);
    return due.filter((position) => after === null || compare(position, after) > 0).slice(0, limit);
  }

  /** Always false, since this store contains no people. */
  async ownerIsLastOperator(): Promise<boolean> {
    return false;
  }

  async deleteAccount(id: AccountId, from: StandingFacts, by: AuditedBy): Promise<DeletionBegun> {
    const { accounts, keys, ledger, audit } = this.parts;
    const account = accounts.get(id);
    if (account === null || account.deletion === null || !sameStanding(account, from)) return { outcome: 'changed-meanwhile' };
    const forfeiture = ledger.forfeit(id, by.at);
    if (forfeiture.outcome === 'requests-running') return forfeiture;
    const { forfeited, booked } = forfeiture;
    keys.endAll(id, by);
    accounts.erase(account, forfeited, by);
    audit.eraseTexts([id]);
    this.#unfinished.set(id, account.deletion.dueAt);
    if (booked !== null) ledger.bookings.booked(booked);
    return { outcome: 'deleted', forfeited, booked };
  }

  async eraseLeftovers(id: AccountId): Promise<void> {
    this.parts.idempotency.eraseAll(id);
    this.parts.responses.eraseAll(id);
    this.#unfinished.delete(id);
  }
}

function compare(first: DuePosition, second: DuePosition): number {
  return first.dueAt - second.dueAt || (first.id < second.id ? -1 : Number(first.id > second.id));
}
