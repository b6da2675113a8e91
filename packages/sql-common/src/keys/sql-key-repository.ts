import {
  type AccountId, type Actor, type ApiKey, type ApiKeyId, type Instant, type KeyBudget, type KeyCreation, type KeyDirectory, type KeyHash,
  type KeyHolder, type KeyIssue, type KeyPage, type KeyPageQuery, type KeyRepository, type KeyRotation, type KeySpending, NO_SPENDING, type PlaygroundKey,
} from '@tollgate/core';
import { API_KEY_COLUMNS, KEY_SPENDING_COLUMNS } from '../schema/column-lists.js';
import { instantFromColumn } from '../schema/columns.js';
import { firstOf, type Queries, rowsOf, type Script, type ScriptRunner } from '../script/script.js';
import { apiKeyFromRow, keySpendingFromRow } from './key-rows.js';
import type { KeyScripts } from './key-scripts.js';

type By = { readonly actor: Actor; readonly at: Instant };

/** API keys in any SQL database; look-ups by hash go to a directory that caches. */
export class SqlKeyRepository implements KeyRepository, KeyDirectory {
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

  firstIssueAfter(...[accountId, issue, since]: Parameters<KeyRepository['firstIssueAfter']>): Promise<Instant | null> {
    return this.runner.read(() => this.scripts.firstIssueAfter(accountId, issue, since));
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

  rotate(rotation: KeyRotation): Promise<'rotated' | 'not-active' | 'blocked' | 'too-many-per-hour'> {
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

/** The keys after `last`, or the newest. */
export function* listKeyPage(queries: Queries, { accountId, limit, last }: Pick<KeyPageQuery, 'limit'> & { readonly accountId: AccountId; readonly last: ApiKey | null }): Script<KeyPage> {
  const ofAccount = queries.selectFrom('api_keys').select(API_KEY_COLUMNS).where('account_id', '=', accountId);
  const rest = last === null ? ofAccount : ofAccount.where((key) => key.or([
    key('created_at', '<', BigInt(last.createdAt)), key.and([key('created_at', '=', BigInt(last.createdAt)), key('id', '<', last.id)]),
  ]));
  const rows = yield* rowsOf(rest.orderBy('created_at', 'desc').orderBy('id', 'desc').limit(limit + 1));
  const keys = rows.slice(0, limit).map(apiKeyFromRow);
  return { keys, next: rows.length > limit ? keys.at(-1)?.id ?? null : null };
}

export function* countActiveKeys(queries: Queries, accountId: AccountId, at: Instant): Script<number> {
  const row = yield* firstOf(queries.selectFrom('api_keys').select(({ fn }) => fn.countAll<bigint>().as('keys'))
    .where('account_id', '=', accountId).where('revoked_at', 'is', null)
    .where((key) => key.or([key('expires_at', 'is', null), key('expires_at', '>', BigInt(at))])));
  return Number(row?.keys ?? 0n);
}

interface KeyIssues {
  readonly issue: KeyIssue;
  readonly since: Instant;
}

/** Creations or rotations of an account after an instant. */
export function countKeyIssues(queries: Queries, accountId: AccountId, { issue, since }: KeyIssues) {
  return queries.selectFrom('api_keys').select(({ fn }) => fn.countAll<bigint>().as('keys'))
    .where('account_id', '=', accountId).where('replaces', issue === 'creation' ? 'is' : 'is not', null).where('created_at', '>', BigInt(since));
}

/** When the first creation or rotation after an instant was. */
export function* firstKeyIssueAfter(queries: Queries, accountId: AccountId, { issue, since }: KeyIssues): Script<Instant | null> {
  const row = yield* firstOf(queries.selectFrom('api_keys').select('created_at')
    .where('account_id', '=', accountId).where('replaces', issue === 'creation' ? 'is' : 'is not', null)
    .where('created_at', '>', BigInt(since)).orderBy('created_at').limit(1));
  return row === null ? null : instantFromColumn(row.created_at);
}

export function* spendingOfBudgets(queries: Queries, budgets: readonly KeyBudget[]): Script<readonly KeySpending[]> {
  if (budgets.length === 0) return [];
  const rows = yield* rowsOf(queries.selectFrom('key_spending').select(KEY_SPENDING_COLUMNS)
    .where((row) => row.or(budgets.map(({ lineage, period }) => row.and([row('lineage', '=', lineage), row('period', '=', period)])))));
  return budgets.map((budget) => {
    const found = rows.find(({ lineage, period }) => lineage === budget.lineage && period === budget.period);
    return found === undefined ? NO_SPENDING : keySpendingFromRow(found);
  });
}
