import type { Account } from '@tollgate/core';
import { refreshAlerts } from '../ledger/refresh-alerts.js';
import { changesOf, type Script } from '../script/script.js';
import type { Queries } from '../script/queries.js';
import { accountToRow } from './account-rows.js';

/** Inserts an account with the alert thresholds that apply to it. The caller writes the audit entry. */
export function* insertAccount(queries: Queries, account: Account): Script<void> {
  yield* changesOf(queries.insertInto('accounts').values(accountToRow(account)));
  yield* refreshAlerts(queries, account.id);
}
