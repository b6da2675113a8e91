import {
  type Account, type AccountChange, type AccountId, type AccountPage, type AccountRepository, type Actor, type AuditedBy, type DuePosition, erasedEmail,
  foldEmail, type Instant, isSuspended, sameStanding, type ServiceTokens, type StandingMove,
} from '@tollgate/core';
import type { MemoryAuditTrail } from './memory-audit-trail.js';
import type { MemoryBlocks } from './memory-blocks.js';

/** Accounts in the order they were created. */
export class MemoryAccounts implements AccountRepository {
  readonly #accounts = new Map<AccountId, Account>();
  readonly #idsByEmail = new Map<string, AccountId>();
  readonly #suspensionReasons = new Map<AccountId, string>();

  constructor(private readonly audit: MemoryAuditTrail, private readonly blocks: MemoryBlocks) {}

  /** Like `findById`, for adapters that decide in one synchronous step. */
  get(id: AccountId): Account | null {
    return this.#accounts.get(id) ?? null;
  }

  findById(id: AccountId): Promise<Account | null> {
    return Promise.resolve(this.get(id));
  }

  suspensionReason(id: AccountId): Promise<string | null> {
    return Promise.resolve(this.#suspensionReasons.get(id) ?? null);
  }

  findByEmail(email: string): Promise<Account | null> {
    const id = this.#idsByEmail.get(foldEmail(email));
    return Promise.resolve(id === undefined ? null : this.get(id));
  }

  list({ limit, after }: { readonly limit: number; readonly after: AccountId | null }): Promise<AccountPage> {
    const all = [...this.#accounts.values()].toSorted(oldestFirst);
    const start = after === null ? 0 : all.findIndex(({ id }) => id === after) + 1;
    const accounts = all.slice(start, start + limit);
    return Promise.resolve({ accounts, next: start + limit < all.length ? accounts.at(-1)?.id ?? null : null });
  }

  create(account: Account, actor: Actor): Promise<'created' | 'email-taken'> {
    const email = foldEmail(account.email);
    if (this.#idsByEmail.has(email)) return Promise.resolve('email-taken');
    this.#accounts.set(account.id, account);
    this.#idsByEmail.set(email, account.id);
    const { id, planId, status, emailVerified, createdAt: at } = account;
    this.audit.record({ actor, action: 'account.created', subject: id, accountId: id, at, details: { planId, status, emailVerified } });
    return Promise.resolve('created');
  }

  change(id: AccountId, change: AccountChange, { actor, at }: AuditedBy): Promise<Account | null> {
    const account = this.get(id);
    if (account === null) return Promise.resolve(null);
    const changed = { ...account, ...change };
    this.#accounts.set(id, changed);
    const { name = null, ...details } = change;
    this.audit.record({ actor, action: 'account.changed', subject: id, accountId: id, at, details, texts: { name } });
    return Promise.resolve(changed);
  }

  /** Accounts with a deletion that is due. */
  dueForDeletion(now: Instant): readonly DuePosition[] {
    return [...this.#accounts.values()].flatMap(({ id, deletion }) => (deletion === null || deletion.dueAt > now ? [] : [{ id, dueAt: deletion.dueAt }]));
  }

  /** Marks an account deleted and removes personal data. Its address can be used again. */
  erase(account: Account, forfeited: ServiceTokens, { actor, at }: AuditedBy): void {
    const email = erasedEmail(account.id);
    this.#idsByEmail.delete(foldEmail(account.email));
    this.#idsByEmail.set(email, account.id);
    this.blocks.delete({ kind: 'account', subject: account.id });
    this.#suspensionReasons.delete(account.id);
    this.#accounts.set(account.id, { ...account, email, name: '', status: 'deleted', deletion: null });
    this.audit.record({ actor, action: 'account.deleted', subject: account.id, accountId: account.id, at, details: { forfeited: forfeited.toString() } });
  }

  /** Audited together with the end of the block in the blocklist. */
  endBlock(id: AccountId): void {
    const account = this.get(id);
    if (account !== null) this.#accounts.set(id, { ...account, blocked: false });
  }

  moveStanding(id: AccountId, { from, to, action, terms, reason = null }: StandingMove, { actor, at }: AuditedBy): Promise<boolean> {
    const account = this.get(id);
    if (account === null || !sameStanding(account, from)) return Promise.resolve(false);
    const { status, emailVerified, blocked, deletion } = to;
    this.#accounts.set(id, { ...account, status, emailVerified, blocked, deletion });
    if (!isSuspended(to)) this.#suspensionReasons.delete(id);
    else if (!isSuspended(from) && reason !== null) this.#suspensionReasons.set(id, reason);
    const target = { kind: 'account', subject: id } as const;
    if (blocked && !from.blocked) this.blocks.insert(target, { actor, at, ...terms });
    if (!blocked && from.blocked) this.blocks.delete(target);
    const details = { dueAt: deletion?.dueAt ?? null, ...(terms === undefined ? {} : { expiresAt: terms.expiresAt }) };
    this.audit.record({ actor, action, subject: id, accountId: id, at, details, texts: { reason: terms?.reason ?? reason } });
    return Promise.resolve(true);
  }
}

function oldestFirst(first: Account, second: Account): number {
  return first.createdAt - second.createdAt || (first.id < second.id ? -1 : 1);
}
