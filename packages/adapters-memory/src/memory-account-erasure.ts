import {
  type AccountErasure, type AccountId, type AuditedBy, type DeletionBegun, type DuePosition, foldEmail, type Instant, sameStanding,
  type StandingFacts,
} from '@tollgate/core';
import type { MemoryIdempotency } from './memory-idempotency.js';
import type { MemoryKeys } from './memory-keys.js';
import type { MemoryLedger } from './memory-ledger.js';
import type { MemoryAccounts } from './memory-accounts.js';
import type { MemoryAuditTrail } from './memory-audit-trail.js';
import type { MemoryMailOutbox } from './memory-mail-outbox.js';
import type { MemoryPeople } from './memory-people.js';

export interface MemoryErasureParts {
  readonly accounts: MemoryAccounts;
  readonly keys: MemoryKeys;
  readonly ledger: MemoryLedger;
  readonly idempotency: MemoryIdempotency;
  readonly people: MemoryPeople;
  readonly mail: MemoryMailOutbox;
  readonly audit: MemoryAuditTrail;
}

/** Deletes accounts of the memory adapters, each in one synchronous step. */
export class MemoryAccountErasure implements AccountErasure {
  /** Deleted accounts of which replies may be left, with the date of their deletion. */
  readonly #unfinished = new Map<AccountId, Instant>();

  constructor(private readonly parts: MemoryErasureParts) {}

  async dueForDeletion(now: Instant, { limit, after }: Parameters<AccountErasure['dueForDeletion']>[1]): Promise<readonly DuePosition[]> {
    const unfinished = [...this.#unfinished].map(([id, dueAt]) => ({ id, dueAt }));
    const due = [...unfinished, ...this.parts.accounts.dueForDeletion(now)].toSorted(compare);
    return due.filter((position) => after === null || compare(position, after) > 0).slice(0, limit);
  }

  async ownerIsLastOperator(id: AccountId): Promise<boolean> {
    return this.parts.people.ownerOf(id)?.isLastOperator === true;
  }

  async deleteAccount(id: AccountId, from: StandingFacts, by: AuditedBy): Promise<DeletionBegun> {
    const { accounts, people, keys, ledger, mail, audit } = this.parts;
    const account = accounts.get(id);
    if (account === null || account.deletion === null || !sameStanding(account, from)) return { outcome: 'changed-meanwhile' };
    const owned = people.ownerOf(id);
    if (owned?.isLastOperator === true) return { outcome: 'last-operator' };
    const forfeited = ledger.forfeit(id, by.at);
    if (forfeited === null) return { outcome: 'requests-running' };
    keys.endAll(id, by);
    if (owned !== null) people.remove(owned.owner, by);
    for (const email of [account.email, foldEmail(account.email)]) mail.removeTo(email);
    accounts.erase(account, forfeited, by);
    audit.eraseTexts([id]);
    this.#unfinished.set(id, account.deletion.dueAt);
    return { outcome: 'deleted', forfeited };
  }

  async eraseLeftovers(id: AccountId): Promise<void> {
    this.parts.idempotency.eraseAll(id);
    this.#unfinished.delete(id);
  }
}

function compare(first: DuePosition, second: DuePosition): number {
  return first.dueAt - second.dueAt || (first.id < second.id ? -1 : Number(first.id > second.id));
}
