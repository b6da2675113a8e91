import type { AccountId, ApiKeyId, KeyLabel, KeySearch } from '@tollgate/core';
import { sql, type SqlBool } from 'kysely';
import { globOf, isPostgres, regexpOf } from '../accounts/text-patterns.js';
import { storableText } from '../schema/storable-text.js';
import { rowsOf, type Script } from '../script/script.js';
import type { Queries } from '../script/queries.js';

interface LabelRow {
  readonly id: string;
  readonly name: string | null;
  readonly hint: string;
}

function labelFromRow({ id, name, hint }: LabelRow): KeyLabel {
  return { id: id as ApiKeyId, name, hint };
}

export function* keyLabels(queries: Queries, ids: readonly ApiKeyId[], accountId: AccountId | null): Script<readonly KeyLabel[]> {
  const keys = yield* rowsOf(queries.selectFrom('api_keys').select(['id', 'name', 'hint']).where('id', 'in', [...ids])
    .$if(accountId !== null, (found) => found.where('account_id', '=', accountId)));
  if (keys.length === ids.length) return keys.map(labelFromRow);
  const playground = yield* rowsOf(queries.selectFrom('playground_keys').select('id').where('id', 'in', [...ids])
    .$if(accountId !== null, (found) => found.where('account_id', '=', accountId ?? '')));
  return [...keys.map(labelFromRow), ...playground.map(({ id }) => ({ id: id as ApiKeyId, name: null, hint: null }))];
}

function contains(queries: Queries, text: string) {
  if (isPostgres(queries)) return sql<SqlBool>`concat_ws(chr(10), name, hint) ~ ${regexpOf(text)}`;
  const glob = globOf(text);
  return sql<SqlBool>`(name glob ${glob} or hint glob ${glob})`;
}

export function* findKeys(queries: Queries, { accountId, text, limit }: KeySearch): Script<readonly KeyLabel[]> {
  const rows = yield* rowsOf(queries.selectFrom('api_keys').select(['id', 'name', 'hint'])
    .$if(accountId !== null, (found) => found.where('account_id', '=', accountId ?? ''))
    .$if(text !== '', (found) => found.where(contains(queries, storableText(text))))
    .orderBy('created_at', 'desc').orderBy('id', 'desc').limit(limit));
  return rows.map(labelFromRow);
}
