import {
  type Account, type AccountChange, accountDetails, type AccountId, type AccountListQuery, type AccountPage, type AccountRepository, accountTexts, type Actor, type AuditedBy,
  type DuePosition, erasedEmail, foldEmail, type Instant, isSuspended, sameStanding, type ServiceTokens, type StandingMove, type UpdatedAccountsPage, type UpdatedAccountsQuery,
  type UpdatePosition,
} from '@tollgate/core';
import type { MemoryAuditTrail } from './memory-audit-trail.js';
import type { MemoryBlocks } from './memory-blocks.js';

export class MemoryAccounts implements AccountRepository {
  readonly #accounts = new Map<AccountId, Account>();
  readonly #idsByEmail = new Map<string, AccountId>();
  readonly #suspensionReasons = new Map<AccountId, string>();
  readonly #updatedAt = new Map<AccountId, Instant>();

  constructor(private readonly audit: MemoryAuditTrail, private readonly blocks: MemoryBlocks) {}

  /** Like `findById`, without a promise, for adapters that decide in one synchronous step. */
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

  findByExternalId(externalId: string): Promise<Account | null> {
    return Promise.resolve([...this.#accounts.values()].find((account) => account.externalId === externalId) ?? null);
  }

  list({ limit, after, status = null }: AccountListQuery): Promise<AccountPage> {
    const all = [...this.#accounts.values()].toSorted(oldestFirst);
    const rest = all.slice(after === null ? 0 : all.findIndex(({ id }) => id === after) + 1).filter((account) => status === null || account.status === status);
    const accounts = rest.slice(0, limit);
    return Promise.resolve({ accounts, next: rest.length > limit ? accounts.at(-1)?.id ?? null : null });
  }

  listUpdated({ limit, after, status }: UpdatedAccountsQuery): Promise<UpdatedAccountsPage> {
    const positions = [...this.#updatedAt].map(([id, at]) => ({ id, at })).filter((position) => comesAfter(position, after)).toSorted((one, other) => (comesAfter(one, other) ? 1 : -1));
    const rest = positions.flatMap((position) => {
      const account = this.get(position.id);
      return account === null || (status !== null && account.status !== status) ? [] : [{ account, position }];
    });
    const page = rest.slice(0, limit);
    return Promise.resolve({ accounts: page.map(({ account }) => account), next: rest.length > limit ? page.at(-1)?.position ?? null : null });
  }

  async create(account: Account, actor: Actor): Promise<'created' | 'email-taken' | 'external-id-taken'> {
    const email = foldEmail(account.email);
    if (this.#idsByEmail.has(email)) return 'email-taken';
    if (this.isTaken(account.externalId, account.id)) return 'external-id-taken';
    this.put(account, account.createdAt);
    this.#idsByEmail.set(email, account.id);
    const { id, planId, status, emailVerified, createdAt: at } = account;
    this.audit.record({ actor, action: 'account.created', subject: id, accountId: id, at, details: { planId, status, emailVerified } });
    return 'created';
  }

  async change(id: AccountId, change: AccountChange, { actor, at }: AuditedBy): Promise<Account | 'external-id-taken' | null> {
    const account = this.get(id);
    if (account === null) return null;
    if (this.isTaken(change.externalId ?? null, id)) return 'external-id-taken';
    // Alert thresholds are not stored, because no balance is compared with them here.
    const { alertThresholds: _alertThresholds, ...fields } = change;
    const changed = { ...account, ...fields };
    this.put(changed, at);
    this.audit.record({ actor, action: 'account.changed', subject: id, accountId: id, at, details: accountDetails(change), texts: accountTexts(change) });
    return changed;
  }

  private isTaken(externalId: string | null, by: AccountId): boolean {
    return externalId !== null && [...this.#accounts.values()].some((account) => account.externalId === externalId && account.id !== by);
  }

  private put(account: Account, at: Instant): void {
    this.#accounts.set(account.id, account);
    this.#updatedAt.set(account.id, at);
  }

  dueForDeletion(now: Instant): readonly DuePosition[] {
    return [...this.#accounts.values()].flatMap(({ id, deletion }) => (deletion === null || deletion.dueAt > now ? [] : [{ id, dueAt: deletion.dueAt }]));
  }

  /** Marks an account as deleted and removes its personal data. Its email address can be used again. */
  erase(account: Account, forfeited: ServiceTokens, { actor, at }: AuditedBy): void {
    const email = erasedEmail(account.id);
    this.#idsByEmail.delete(foldEmail(account.email));
    this.#idsByEmail.set(email, account.id);
    this.blocks.delete({ kind: 'account', subject: account.id });
    this.#suspensionReasons.delete(account.id);
    this.put({ ...account, email, name: '', status: 'deleted', deletion: null, externalId: null, metadata: {} }, at);
    this.audit.record({ actor, action: 'account.deleted', subject: account.id, accountId: account.id, at, details: { forfeited: forfeited.toString() } });
  }

  /** Writes no audit entry; the caller writes one. */
  endBlock(id: AccountId, at: Instant): void {
    const account = this.get(id);
    if (account !== null) this.put({ ...account, blocked: false }, at);
  }

  moveStanding(id: AccountId, { from, to, action, terms, reason = null }: StandingMove, { actor, at }: AuditedBy): Promise<boolean> {
    const account = this.get(id);
    if (account === null || !sameStanding(account, from)) return Promise.resolve(false);
    const { status, emailVerified, blocked, deletion } = to;
    this.put({ ...account, status, emailVerified, blocked, deletion }, at);
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

function comesAfter({ at, id }: UpdatePosition, other: UpdatePosition): boolean {
  return at > other.at || (at === other.at && other.id !== null && id !== null && id > other.id);
}

function oldestFirst(first: Account, second: Account): number {
  return first.createdAt - second.createdAt || (first.id < second.id ? -1 : 1);
}
