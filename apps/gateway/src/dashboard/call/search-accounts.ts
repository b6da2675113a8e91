import {
  type AccountOrder, type AccountSearchQuery, type AccountStatus, type FoundAccounts, type FoundPosition, NO_ACCOUNT_FILTER, type OperatorLookups, type PlanId,
  ServiceTokens, type UtcDay,
} from '@tollgate/core';
import type { contract, QueryOf } from '@tollgate/api-contract';
import { decodeCursor, encodeCursor, isAccountId } from './cursors.js';
import { invalidField } from './read-fields.js';

type Query = QueryOf<typeof contract.listAccounts> & { readonly status?: AccountStatus | undefined };
type Sort = NonNullable<Query['sort']>;

interface SearchedAccounts extends Pick<FoundAccounts, 'found'> {
  readonly nextCursor: string | null;
}

const COUNTED_ORDERS: readonly AccountOrder[] = ['created', 'available'];

/** Throws `invalid_request` for a cursor of another order. */
function readPosition(cursor: string, sort: Sort, order: AccountOrder): FoundPosition {
  const [ofSort, value, id] = decodeCursor(cursor, ['string', 'string', 'string']) as readonly [string, string, string];
  const isValue = !COUNTED_ORDERS.includes(order) || /^-?\d{1,18}$/.test(value);
  if (ofSort !== sort || !isValue || !isAccountId(id)) throw invalidField('cursor', 'must be the next_cursor of an earlier page of the same order');
  return { value, id };
}

function readQuery(query: Query): AccountSearchQuery & { readonly sort: Sort } {
  const { q, plan, status, standing, available_below: below, used_since: usedSince, unused_since: unusedSince, sort = 'created', limit, cursor } = query;
  const text = q?.trim() ?? '';
  const order = sort.replace(/^-/, '') as AccountOrder;
  return {
    ...NO_ACCOUNT_FILTER, text: text === '' ? null : text, planId: (plan ?? null) as PlanId | null, status: status ?? null, standing: standing ?? null,
    availableBelow: below === undefined ? null : ServiceTokens.parse(below), usedSince: (usedSince ?? null) as UtcDay | null, unusedSince: (unusedSince ?? null) as UtcDay | null,
    sort, order, descending: sort.startsWith('-'), limit, after: cursor === undefined ? null : readPosition(cursor, sort, order),
  };
}

/** Throws `invalid_request` for an invalid cursor. */
export async function searchAccounts(query: Query, lookups: Pick<OperatorLookups, 'searchAccounts'>): Promise<SearchedAccounts> {
  const { sort, ...search } = readQuery(query);
  const { found, next } = await lookups.searchAccounts(search);
  return { found, nextCursor: next === null ? null : encodeCursor([sort, next.value, next.id]) };
}
