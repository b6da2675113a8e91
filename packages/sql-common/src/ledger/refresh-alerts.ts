import { type AccountId, type BookedAct, CREDIT_KINDS, effectiveAlerts, invariant, ServiceTokens } from '@tollgate/core';
import { CUSTOMER } from './customer-of-entry.js';
import { changesOf, firstOf, type Script } from '../script/script.js';
import type { Queries } from '../script/queries.js';
import { alertsToColumns, chosenFromColumn, policyFromRow } from './alert-rows.js';

export function movesAlerts({ kind }: Pick<BookedAct, 'kind'>): boolean {
  return CREDIT_KINDS.includes(kind);
}

function* lastCredit(queries: Queries, id: AccountId): Script<ServiceTokens> {
  const entry = yield* firstOf(queries.selectFrom('ledger_entries').select('amount')
    .where('reservation_id', 'is', null).where(CUSTOMER, '=', id).where('kind', 'in', CREDIT_KINDS).orderBy('seq', 'desc').limit(1));
  return entry === null ? ServiceTokens.ZERO : ServiceTokens.fromUnits(entry.amount);
}

/** Computes and stores the thresholds of an account. Must be called, in the same transaction, after every change of what they are computed from. */
export function* refreshAlerts(queries: Queries, id: AccountId): Script<void> {
  const account = yield* firstOf(queries.selectFrom('accounts').select(['alert_thresholds', 'top_up_below']).where('id', '=', id));
  const policy = yield* firstOf(queries.selectFrom('alert_policy').select(['thresholds', 'minimum_reservation']));
  invariant(account !== null && policy !== null, 'the account exists, and the database has its policy');
  const alerts = effectiveAlerts(policyFromRow(policy), { chosen: chosenFromColumn(account.alert_thresholds), lastCredit: yield* lastCredit(queries, id) });
  yield* changesOf(queries.updateTable('accounts').set(alertsToColumns(alerts, account.top_up_below)).where('id', '=', id));
}
