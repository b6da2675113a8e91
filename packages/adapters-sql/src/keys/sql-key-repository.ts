import type {
  AccountId, Actor, ApiKey, ApiKeyId, Instant, KeyBudget, KeyCreation, KeyDirectory, KeyHash, KeyHolder, KeyPage, KeyPageQuery, KeyRepository, KeyRotation, KeySpending,
  PlaygroundKey,
} from '@tollgate/core';
import type { ScriptRunner } from '../script/script-runner.js';
import type { KeyScripts } from './key-scripts.js';

type By = { readonly actor: Actor; readonly at: Instant };

/** API keys in any SQL database; look-ups by hash go to a directory that caches. */
export class SqlKeyRepository implements KeyRepository {
  constructor(private readonly scripts: KeyScripts, private readonly runner: ScriptRunner, private readonly directory: KeyDirectory) {}

  findByHash(hash: KeyHash): Promise<KeyHolder | null> {
    return this.directory.findByHash(hash);
  }

  listByAccount(accountId: AccountId): Promise<readonly ApiKey[]> {
    return this.runner.read(() => this.scripts.list(accountId));
  }

  page(accountId: AccountId, query: KeyPageQuery): Promise<KeyPage | null> {
    return this.runner.read(() => this.scripts.page(accountId, query));
  }

  countActive(accountId: AccountId, at: Instant): Promise<number> {
    return this.runner.read(() => this.scripts.countActive(accountId, at));
  }

  firstCreationAfter(accountId: AccountId, since: Instant): Promise<Instant | null> {
    return this.runner.read(() => this.scripts.firstCreationAfter(accountId, since));
  }

  findById(accountId: AccountId, id: ApiKeyId): Promise<ApiKey | null> {
    return this.runner.read(() => this.scripts.find({ accountId, id }));
  }

  findPlaygroundKey(accountId: AccountId): Promise<PlaygroundKey | null> {
    return this.runner.read(() => this.scripts.findPlayground(accountId));
  }

  createPlaygroundKey(key: Omit<PlaygroundKey, 'blocked'>, actor: Actor): Promise<PlaygroundKey | null> {
    return this.runner.write(() => this.scripts.createPlayground(key, actor));
  }

  accountOf(id: ApiKeyId): Promise<AccountId | null> {
    return this.runner.read(() => this.scripts.accountOf(id));
  }

  spendingOf(budget: KeyBudget): Promise<KeySpending> {
    return this.runner.read(() => this.scripts.spendingOf(budget));
  }

  spendingOfAll(budgets: readonly KeyBudget[]): Promise<readonly KeySpending[]> {
    return this.runner.read(() => this.scripts.spendingOfAll(budgets));
  }

  create(creation: KeyCreation): Promise<'created' | 'quota-exceeded' | 'too-many-per-hour'> {
    return this.runner.write(() => this.scripts.create(creation));
  }

  rotate(rotation: KeyRotation): Promise<'rotated' | 'not-active' | 'blocked'> {
    return this.runner.write(() => this.scripts.rotate(rotation));
  }

  revoke(accountId: AccountId, id: ApiKeyId, by: By): Promise<boolean> {
    return this.runner.write(() => this.scripts.revoke({ accountId, id }, by));
  }

  change(...[accountId, id, change, by]: Parameters<KeyRepository['change']>): Promise<ApiKey | null> {
    return this.runner.write(() => this.scripts.change({ accountId, id }, change, by));
  }

  setBlocked(...[accountId, id, blocked, by]: Parameters<KeyRepository['setBlocked']>): Promise<boolean> {
    return this.runner.write(() => this.scripts.setBlocked({ accountId, id }, blocked ? 'blocked' : 'unblocked', by));
  }
}
