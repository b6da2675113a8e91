import {
  type Account, type AccountChange, type AccountId, type AccountPage, type AccountRepository, type Actor, type AuditedBy, sameStanding, type StandingMove,
} from '@tollgate/core';
import type { MemoryAuditTrail } from '../audit/memory-audit-trail.js';

/** Accounts in the order they were created. */
export class MemoryAccounts implements AccountRepository {
  readonly #accounts = new Map<AccountId, Account>();
  readonly #idsByEmail = new Map<string, AccountId>();

  constructor(private readonly audit: MemoryAuditTrail) {}

  /** Like `findById`, for adapters that decide in one synchronous step. */
  get(id: AccountId): Account | null {
    return this.#accounts.get(id) ?? null;
  }

  findById(id: AccountId): Promise<Account | null> {
    return Promise.resolve(this.get(id));
  }

  findByEmail(email: string): Promise<Account | null> {
    const id = this.#idsByEmail.get(email.toLowerCase());
    return Promise.resolve(id === undefined ? null : this.get(id));
  }

  list({ limit, after }: { readonly limit: number; readonly after: AccountId | null }): Promise<AccountPage> {
    const all = [...this.#accounts.values()].toSorted(byAge);
    const start = after === null ? 0 : all.findIndex(({ id }) => id === after) + 1;
    const accounts = all.slice(start, start + limit);
    return Promise.resolve({ accounts, next: start + limit < all.length ? accounts.at(-1)?.id ?? null : null });
  }

  create(account: Account, actor: Actor): Promise<'created' | 'email-taken'> {
    const email = account.email.toLowerCase();
    if (this.#idsByEmail.has(email)) return Promise.resolve('email-taken');
    this.#accounts.set(account.id, account);
    this.#idsByEmail.set(email, account.id);
    this.audit.record({ actor, action: 'account.created', subject: account.id, at: account.createdAt });
    return Promise.resolve('created');
  }

  change(id: AccountId, change: AccountChange, { actor, at }: AuditedBy): Promise<Account | null> {
    const account = this.get(id);
    if (account === null) return Promise.resolve(null);
    const changed = { ...account, ...change };
    this.#accounts.set(id, changed);
    this.audit.record({ actor, action: 'account.changed', subject: id, at });
    return Promise.resolve(changed);
  }

  moveStanding(id: AccountId, { from, to, action }: StandingMove, { actor, at }: AuditedBy): Promise<boolean> {
    const account = this.get(id);
    if (account === null || !sameStanding(account, from)) return Promise.resolve(false);
    const { status, emailVerified, blocked, deletion } = to;
    this.#accounts.set(id, { ...account, status, emailVerified, blocked, deletion });
    this.audit.record({ actor, action, subject: id, at });
    return Promise.resolve(true);
  }
}

function byAge(first: Account, second: Account): number {
  return first.createdAt - second.createdAt || (first.id < second.id ? -1 : 1);
}
