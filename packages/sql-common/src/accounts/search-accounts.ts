import { type AccountFilter, type AccountId, type AccountSearchQuery, CONDITIONS_OF_STANDING, type FoundAccount, type FoundAccounts, keyEndingIn, type UtcDay } from '@tollgate/core';
import { type RawBuilder, sql, type SqlBool } from 'kysely';
import { balanceFromRow } from '../money/balance-rows.js';
import { storableText } from '../schema/storable-text.js';
import type { Queries } from '../script/queries.js';
import { rowsOf, type Script } from '../script/script.js';
import { ACCOUNT_COLUMNS, accountFromRow } from './account-rows.js';
import { globOf, isAscii, isPostgres, regexpOf } from './text-patterns.js';

type Condition = RawBuilder<SqlBool>;

/** Last four characters of a key: its hint without the first six. Must equal the expression of the index `api_keys_by_ending`. */
const KEY_ENDING = sql<string>`substr(hint, 7)`;

const AVAILABLE = sql<bigint>`accounts.balance - accounts.reserved`;
const LAST_USED = sql<string | null>`(select max(day) from usage_daily where usage_daily.account_id = accounts.id)`;
/** Column of `USED`. Only the query for PostgreSQL has this join, which reads the last use once per account. */
const JOINED_LAST_USED = sql<string | null>`used.day`;
const USED = sql<{ readonly day: string | null }>`(select max(day) as day from usage_daily where usage_daily.account_id = accounts.id)`;

const TEXTS = sql<string>`(accounts.name || chr(10) || accounts.email || chr(10) || coalesce(accounts.external_id, ''))`;

/**
 * Condition that name, email address or external id contains `text`. On PostgreSQL, one match on the three columns joined is faster than three
 * matches, and for ASCII, lower-casing bytes is faster than a regular expression.
 */
function hasPart(queries: Queries, text: string): Condition {
  if (isPostgres(queries)) return isAscii(text) ? sql`strpos(lower(${TEXTS} collate "C"), ${text.toLowerCase()}) > 0` : sql`${TEXTS} ~ ${regexpOf(text)}`;
  const glob = globOf(text);
  return sql`(accounts.name glob ${glob} or accounts.email glob ${glob} or accounts.external_id glob ${glob})`;
}

function hasText(queries: Queries, given: string): Condition {
  const text = storableText(given);
  const ending = keyEndingIn(text);
  return sql<SqlBool>`(${hasPart(queries, text)} or accounts.id = ${text}
    or accounts.id in (select account_id from people where people.id = ${text} and account_id is not null)
    or accounts.id in (select account_id from api_keys where api_keys.id = ${text})
    or accounts.id in (select account_id from playground_keys where playground_keys.id = ${text})
    ${ending === null ? sql`` : sql`or accounts.id in (select account_id from api_keys where ${KEY_ENDING} = ${ending})`})`;
}

function standingConditions(standing: AccountFilter['standing']): readonly Condition[] {
  if (standing === null) return [];
  const { statuses, blocked, emailVerified } = CONDITIONS_OF_STANDING[standing];
  return [
    sql<SqlBool>`accounts.status in (${sql.join([...statuses])})`,
    ...(blocked === undefined ? [] : [sql<SqlBool>`accounts.blocked ${blocked ? sql`<>` : sql`=`} 0`]),
    ...(emailVerified === undefined ? [] : [sql<SqlBool>`accounts.email_verified ${emailVerified ? sql`<>` : sql`=`} 0`]),
  ];
}

/**
 * `isJoined` states whether the query joins the last day of use in order to sort by it. If not, the condition searches for any use on `day` or later.
 */
function isUsedSince(day: UtcDay, isJoined: boolean): Condition {
  if (isJoined) return sql<SqlBool>`coalesce(${JOINED_LAST_USED}, '') >= ${day}`;
  return sql<SqlBool>`exists (select 1 from usage_daily where usage_daily.account_id = accounts.id and usage_daily.day >= ${day})`;
}

function conditionsOf(queries: Queries, { text, planId, status, standing, availableBelow, usedSince, unusedSince }: AccountFilter, isJoined: boolean): readonly Condition[] {
  return [
    ...(text === null ? [] : [hasText(queries, text)]),
    ...(planId === null ? [] : [sql<SqlBool>`accounts.plan_id = ${storableText(planId)}`]),
    ...(status === null ? [] : [sql<SqlBool>`accounts.status = ${status}`]),
    ...standingConditions(standing),
    ...(availableBelow === null ? [] : [sql<SqlBool>`${AVAILABLE} < ${availableBelow.toUnits()}`]),
    ...(usedSince === null ? [] : [isUsedSince(usedSince, isJoined)]),
    ...(unusedSince === null ? [] : [sql<SqlBool>`not (${isUsedSince(unusedSince, isJoined)})`]),
  ];
}

/** Value by which accounts are ordered, and the value at which the page begins, with the same type. */
function orderOf(queries: Queries, { order, after }: AccountSearchQuery): { readonly value: RawBuilder<unknown>; readonly last: bigint | string } {
  const last = after?.value ?? '';
  switch (order) {
    case 'created': return { value: sql`accounts.created_at`, last: BigInt(last) };
    case 'available': return { value: sql`(${AVAILABLE})`, last: BigInt(last) };
    case 'last_used': return { value: sql`coalesce(${isPostgres(queries) ? JOINED_LAST_USED : LAST_USED}, '')`, last };
    // Email addresses are ordered by their bytes on both databases.
    case 'email': return { value: isPostgres(queries) ? sql`accounts.email_folded collate "C"` : sql`accounts.email_folded`, last };
  }
}

function* read(queries: Queries, ids: readonly string[]): Script<ReadonlyMap<string, FoundAccount>> {
  if (ids.length === 0) return new Map();
  const rows = yield* rowsOf(queries.selectFrom('accounts').select([...ACCOUNT_COLUMNS, 'balance', 'reserved']).select(LAST_USED.as('last_used_on')).where('id', 'in', [...ids]));
  return new Map(rows.map((row) => [row.id, { account: accountFromRow(row), balance: balanceFromRow(row), lastUsedOn: row.last_used_on as UtcDay | null }]));
}

/** Examines all accounts that no index excludes. Reads whole rows only for the page. */
export function* searchAccounts(queries: Queries, query: AccountSearchQuery): Script<FoundAccounts> {
  const { limit, after, descending } = query;
  const { value, last } = orderOf(queries, query);
  const direction = descending ? 'desc' : 'asc';
  const isJoined = query.order === 'last_used' && isPostgres(queries);
  const accounts = queries.selectFrom('accounts').$if(isJoined, (each) => each.crossJoinLateral(USED.as('used')));
  const matching = conditionsOf(queries, query, isJoined).reduce((found, condition) => found.where(condition), accounts)
    .$if(after !== null, (found) => found.where(sql<SqlBool>`(${value}, accounts.id) ${descending ? sql`<` : sql`>`} (${last}, ${after?.id ?? ''})`))
    .select(['id', value.as('value')]).orderBy(value, direction).orderBy('id', direction).limit(limit + 1);
  const rows = yield* rowsOf(matching);
  const page = rows.slice(0, limit);
  const byId = yield* read(queries, page.map(({ id }) => id));
  const [end] = page.slice(-1);
  return {
    found: page.flatMap(({ id }) => byId.get(id) ?? []),
    next: rows.length > limit && end !== undefined ? { value: String(end.value), id: end.id as AccountId } : null,
  };
}
