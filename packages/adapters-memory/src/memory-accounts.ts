import {
  type Account, type AccountChange, type AccountErasure, type AccountId, type AccountPage, type AccountRepository, type Actor,
  type AuditedBy, type Block, type BlockListQuery, type BlockTarget, type BlockTerms, type DeletionBegun, type DuePosition, erasedEmail,
  foldEmail, hasBlockEnded, type Instant, isSuspended, type OperatorAct, sameStanding, type ServiceTokens, type StandingFacts,
  type StandingMove, UNTIL_UNBLOCKED,
} from '@tollgate/core';
import type { MemoryAuditTrail } from './memory-audit-trail.js';
import type { MemoryIdempotency } from './memory-idempotency.js';
import type { MemoryResponses } from './memory-responses.js';
import type { MemoryKeys } from './memory-keys.js';
import type { MemoryLedger } from './memory-ledger.js';

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

function nameOf({ kind, subject }: BlockTarget): string {
  return `${kind} ${subject}`;
}

/** As databases order them: by age, then by name; newest first. */
function newestFirst(first: Block, second: Block): number {
  if (first.blockedAt !== second.blockedAt) return second.blockedAt - first.blockedAt;
  return nameOf(first.target) < nameOf(second.target) ? 1 : -1;
}

/** The list of what is blocked. */
export class MemoryBlocks {
  readonly #blocks = new Map<string, Block>();

  get all(): readonly Block[] {
    return [...this.#blocks.values()];
  }

  /** `false` if there is an active block; an expired one is replaced. */
  insert(target: BlockTarget, { actor, at, ...terms }: OperatorAct & Partial<BlockTerms>): boolean {
    const name = nameOf(target);
    const block = this.#blocks.get(name);
    if (block !== undefined && !hasBlockEnded(block, at)) return false;
    const { reason, expiresAt } = { ...UNTIL_UNBLOCKED, ...terms };
    this.#blocks.set(name, { target, reason, expiresAt, blockedBy: actor.id, blockedAt: at });
    return true;
  }

  delete(target: BlockTarget): boolean {
    return this.#blocks.delete(nameOf(target));
  }

  find(target: BlockTarget): Block | null {
    return this.#blocks.get(nameOf(target)) ?? null;
  }

  list({ limit, after, now }: BlockListQuery): readonly Block[] {
    const inForce = this.all.filter((block) => !hasBlockEnded(block, now)).toSorted(newestFirst);
    return (after === null ? inForce : inForce.filter((block) => newestFirst(block, after) > 0)).slice(0, limit);
  }

  ended(now: Instant): readonly Block[] {
    return this.all.filter((block) => hasBlockEnded(block, now));
  }
}

export interface MemoryErasureParts {
  readonly accounts: MemoryAccounts;
  readonly keys: MemoryKeys;
  readonly ledger: MemoryLedger;
  readonly idempotency: MemoryIdempotency;
  readonly responses: MemoryResponses;
  readonly audit: MemoryAuditTrail;
}

/** Deletes accounts of the memory adapters, each in one synchronous step. */
export class MemoryAccountErasure implements AccountErasure {
  /** Deleted accounts that may still have responses, with the date of deletion. */
  readonly #unfinished = new Map<AccountId, Instant>();

  constructor(private readonly parts: MemoryErasureParts) {}

  async dueForDeletion(now: Instant, { limit, after }: Parameters<AccountErasure['dueForDeletion']>[1]): Promise<readonly DuePosition[]> {
    const unfinished = [...this.#unfinished].map(([id, dueAt]) => ({ id, dueAt }));
    const due = [...unfinished, ...this.parts.accounts.dueForDeletion(now)].toSorted(compare);
    return due.filter((position) => after === null || compare(position, after) > 0).slice(0, limit);
  }

  /** The store knows no people. */
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
