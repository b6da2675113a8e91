import {
  type AccountId, type AccountSearchQuery, ALL_ACCOUNTS, type ApiKeyId, type Balance, type BookedMoneyAct, type FoundAccounts, type HolderLabel, type Instant, instant, type KeyLabel, type KeySearch, type MoneyActPage,
  type MoneyActQuery, type OperatorLookups, type RequestId, ServiceTokens,
} from '@tollgate/core';
import { holderLabels } from '../accounts/holder-labels.js';
import { searchAccounts } from '../accounts/search-accounts.js';
import { findKeys, keyLabels } from '../keys/key-labels.js';
import { CUSTOMER } from '../ledger/customer-of-entry.js';
import { balanceFromRow } from '../money/balance-rows.js';
import { instantFromColumn } from '../schema/column-values.js';
import { storableText } from '../schema/storable-text.js';
import { firstOf, rowsOf } from '../script/script.js';
import type { Queries } from '../script/queries.js';
import type { ScriptRunner } from '../script/script-runner.js';

interface MoneyActRow {
  readonly seq: bigint | number;
  readonly kind: string;
  readonly debit_account: string;
  readonly amount: bigint;
  readonly request_id: string | null;
  readonly reference: string | null;
  readonly reason: string | null;
  readonly at: bigint;
}

function actFromRow(row: MoneyActRow, accountId: AccountId): BookedMoneyAct {
  const amount = ServiceTokens.fromUnits(row.amount);
  return {
    number: Number(row.seq), kind: row.kind as BookedMoneyAct['kind'], amount: row.debit_account === accountId ? ServiceTokens.ZERO.minus(amount) : amount,
    requestId: row.request_id as RequestId | null, reference: row.reference, reason: row.reason, at: instant(Number(row.at)),
  };
}

export class SqlOperatorLookups implements OperatorLookups {
  constructor(private readonly queries: Queries, private readonly runner: Pick<ScriptRunner, 'read' | 'readInSharedThread'>) {}

  searchAccounts(query: AccountSearchQuery): Promise<FoundAccounts> {
    return this.runner.readInSharedThread(ALL_ACCOUNTS, () => searchAccounts(this.queries, query));
  }

  async balancesOf(ids: readonly AccountId[]): Promise<readonly (Balance | null)[]> {
    if (ids.length === 0) return [];
    const rows = await this.runner.read(() => rowsOf(this.queries.selectFrom('accounts').select(['id', 'balance', 'reserved']).where('id', 'in', [...ids])));
    const byId = new Map(rows.map((row) => [row.id, balanceFromRow(row)]));
    return ids.map((id) => byId.get(id) ?? null);
  }

  accountUpdatesOf(ids: readonly AccountId[]): Promise<readonly (Instant | null)[]> {
    return this.updatesOf('accounts', ids);
  }

  keyUpdatesOf(ids: readonly ApiKeyId[]): Promise<readonly (Instant | null)[]> {
    return this.updatesOf('api_keys', ids);
  }

  async keyLabels(ids: readonly ApiKeyId[], accountId: AccountId | null): Promise<readonly KeyLabel[]> {
    return ids.length === 0 ? [] : this.runner.read(() => keyLabels(this.queries, ids, accountId));
  }

  async holderLabels(ids: readonly HolderLabel['id'][]): Promise<readonly HolderLabel[]> {
    return ids.length === 0 ? [] : this.runner.read(() => holderLabels(this.queries, ids));
  }

  findKeys(search: KeySearch): Promise<readonly KeyLabel[]> {
    // A long read, because rotation gives an account any number of keys.
    return this.runner.readInSharedThread(search.accountId ?? ALL_ACCOUNTS, () => findKeys(this.queries, search));
  }

  private async updatesOf(table: 'accounts' | 'api_keys', ids: readonly string[]): Promise<readonly (Instant | null)[]> {
    if (ids.length === 0) return [];
    const rows = await this.runner.read(() => rowsOf(this.queries.selectFrom(table).select(['id', 'updated_at']).where('id', 'in', [...ids])));
    const byId = new Map(rows.map((row) => [row.id, instantFromColumn(row.updated_at)]));
    return ids.map((id) => byId.get(id) ?? null);
  }

  async moneyActs(accountId: AccountId, { limit, before }: MoneyActQuery): Promise<MoneyActPage> {
    const acts = this.actsOf(accountId);
    const newest = (before === null ? acts : acts.where('seq', '<', BigInt(before))).orderBy('seq', 'desc').limit(limit + 1);
    const rows = await this.runner.read(() => rowsOf(newest));
    const page = rows.slice(0, limit).map((row) => actFromRow(row, accountId));
    return { acts: page, next: rows.length > limit ? page.at(-1)?.number ?? null : null };
  }

  async moneyAct(accountId: AccountId, reference: string): Promise<BookedMoneyAct | null> {
    const row = await this.runner.read(() => firstOf(this.actsOf(accountId).where('reference', '=', storableText(reference))));
    return row === null ? null : actFromRow(row, accountId);
  }

  private actsOf(accountId: AccountId) {
    return this.queries.selectFrom('ledger_entries').select(['seq', 'kind', 'debit_account', 'amount', 'request_id', 'reference', 'reason', 'at'])
      .where('reservation_id', 'is', null).where(CUSTOMER, '=', storableText(accountId));
  }
}
