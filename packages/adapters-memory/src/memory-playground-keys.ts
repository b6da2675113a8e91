import type { AccountId, Actor, ApiKeyId, KeyBlocking, PlaygroundKey } from '@tollgate/core';
import type { MemoryAccounts } from './memory-accounts.js';
import type { MemoryBlocks } from './memory-blocks.js';
import type { MemoryAuditTrail } from './memory-audit-trail.js';

export interface MemoryPlaygroundKeysParts {
  readonly accounts: MemoryAccounts;
  readonly audit: MemoryAuditTrail;
  readonly blocks: MemoryBlocks;
}

type StoredKey = Omit<PlaygroundKey, 'blocked'>;

/** Playground keys, at most one per account. A key is blocked while the blocklist contains it. */
export class MemoryPlaygroundKeys {
  readonly #keys = new Map<AccountId, StoredKey>();

  constructor(private readonly parts: MemoryPlaygroundKeysParts) {}

  find(accountId: AccountId): PlaygroundKey | null {
    const key = this.#keys.get(accountId);
    return key === undefined ? null : { ...key, blocked: this.parts.blocks.find({ kind: 'key', subject: key.id }) !== null };
  }

  create(key: StoredKey, actor: Actor): PlaygroundKey | null {
    const { id, accountId, createdAt: at } = key;
    const account = this.parts.accounts.get(accountId);
    if (account === null || account.status === 'deleted') return null;
    if (!this.#keys.has(accountId)) {
      this.#keys.set(accountId, key);
      this.parts.audit.record({ actor, at, action: 'key.created', subject: id, accountId, details: { playground: true } });
    }
    return this.find(accountId);
  }

  accountWith(id: ApiKeyId): AccountId | null {
    return [...this.#keys.values()].find((key) => key.id === id)?.accountId ?? null;
  }

  /** Returns `false` if the account has no playground key with this id. */
  setBlocked({ accountId, id }: Pick<StoredKey, 'accountId' | 'id'>, blocked: boolean, by: KeyBlocking): boolean {
    const key = this.find(accountId);
    if (key === null || key.id !== id) return false;
    if (key.blocked === blocked) return true;
    const target = { kind: 'key', subject: id } as const;
    if (blocked) this.parts.blocks.insert(target, by);
    else this.parts.blocks.delete(target);
    const { actor, at, expiresAt = null, reason = null } = by;
    this.parts.audit.record({
      actor, at, action: blocked ? 'key.blocked' : 'key.unblocked', subject: id, accountId, details: blocked ? { expiresAt } : {}, texts: { reason },
    });
    return true;
  }

  /** Revokes and removes the key of a deleted account. */
  end(accountId: AccountId, { actor, at }: { readonly actor: Actor; readonly at: StoredKey['createdAt'] }): void {
    const key = this.#keys.get(accountId);
    if (key === undefined) return;
    this.#keys.delete(accountId);
    this.parts.blocks.delete({ kind: 'key', subject: key.id });
    this.parts.audit.record({ actor, at, action: 'key.revoked', subject: key.id, accountId, details: {} });
  }
}
