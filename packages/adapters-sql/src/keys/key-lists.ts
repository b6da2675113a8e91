import { type AccountId, type ApiKey, type Instant, type KeyBudget, type KeyPage, type KeyPageQuery, type KeySpending, NO_SPENDING } from '@tollgate/core';
import { instantFromColumn } from '../schema/column-values.js';
import type { Queries } from '../script/queries.js';
import { firstOf, rowsOf, type Script } from '../script/script.js';
import { apiKeyFromRow } from './api-key-row.js';
import { keySpendingFromRow } from './key-spending-row.js';

/** The keys after `last`, or the newest. */
export function* listKeyPage(queries: Queries, { accountId, limit, last }: Pick<KeyPageQuery, 'limit'> & { readonly accountId: AccountId; readonly last: ApiKey | null }): Script<KeyPage> {
  const ofAccount = queries.selectFrom('api_keys').selectAll().where('account_id', '=', accountId);
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

/** When the first key that is no replacement was created after an instant. */
export function* firstKeyCreationAfter(queries: Queries, accountId: AccountId, since: Instant): Script<Instant | null> {
  const row = yield* firstOf(queries.selectFrom('api_keys').select('created_at')
    .where('account_id', '=', accountId).where('replaces', 'is', null).where('created_at', '>', BigInt(since)).orderBy('created_at').limit(1));
  return row === null ? null : instantFromColumn(row.created_at);
}

export function* spendingOfBudgets(queries: Queries, budgets: readonly KeyBudget[]): Script<readonly KeySpending[]> {
  if (budgets.length === 0) return [];
  const rows = yield* rowsOf(queries.selectFrom('key_spending').selectAll()
    .where((row) => row.or(budgets.map(({ lineage, period }) => row.and([row('lineage', '=', lineage), row('period', '=', period)])))));
  return budgets.map((budget) => {
    const found = rows.find(({ lineage, period }) => lineage === budget.lineage && period === budget.period);
    return found === undefined ? NO_SPENDING : keySpendingFromRow(found);
  });
}
