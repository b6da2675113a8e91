import {
  type AccountAlerts, type AccountId, type AlertPolicy, type AuditedBy, type BalanceAlerts, formatAlertThresholds, invariant, MAX_ALERT_THRESHOLDS, type ServiceTokens, sortedThresholds,
} from '@tollgate/core';
import { appendAuditEntry } from '../audit/append-audit-entry.js';
import { changesOf, firstOf, rowsOf, type Script } from '../script/script.js';
import { locking, type Queries } from '../script/queries.js';
import type { ScriptRunner } from '../script/script-runner.js';
import { alertsFromRow, chosenFromColumn, chosenToColumn } from '../ledger/alert-rows.js';
import { refreshAlerts } from '../ledger/refresh-alerts.js';

/** Accounts per transaction: few, because their requests wait until it ends. */
const ACCOUNTS_PER_STEP = 20;
const BEFORE_THE_FIRST = '';

/** Alert thresholds of accounts, and the policy for owners who have chosen none. */
export class SqlBalanceAlerts implements BalanceAlerts {
  constructor(private readonly queries: Queries, private readonly runner: ScriptRunner) {}

  async applyPolicy(policy: AlertPolicy): Promise<void> {
    if (await this.runner.read(() => this.isApplied(policy))) return;
    await this.runner.write(() => this.store(policy));
    while (await this.runner.write(() => this.applyToSome()));
  }

  choose(id: AccountId, thresholds: readonly ServiceTokens[] | null, by: AuditedBy): Promise<boolean> {
    invariant(thresholds === null || thresholds.length <= MAX_ALERT_THRESHOLDS, 'an account has at most three thresholds');
    return this.runner.write(() => this.change(id, thresholds === null ? null : sortedThresholds(thresholds), by));
  }

  find(id: AccountId): Promise<AccountAlerts | null> {
    return this.runner.read(() => this.alertsOf(id));
  }

  private* stored() {
    const row = yield* firstOf(this.queries.selectFrom('alert_policy').select(['thresholds', 'minimum_reservation', 'applied_through']));
    invariant(row !== null, 'the database has its policy');
    return row;
  }

  private* isSame({ thresholds, minimumReservation }: AlertPolicy): Script<boolean> {
    const row = yield* this.stored();
    return row.thresholds === formatAlertThresholds(thresholds) && row.minimum_reservation === minimumReservation.toUnits();
  }

  private* isApplied(policy: AlertPolicy): Script<boolean> {
    return (yield* this.isSame(policy)) && (yield* this.stored()).applied_through === null;
  }

  private* store(policy: AlertPolicy): Script<void> {
    if (yield* this.isSame(policy)) return;
    yield* changesOf(this.queries.updateTable('alert_policy').set({
      thresholds: formatAlertThresholds(policy.thresholds), minimum_reservation: policy.minimumReservation.toUnits(), applied_through: BEFORE_THE_FIRST,
    }));
  }

  /** Applies the stored policy to the next accounts. Returns `false` if no account is left. */
  private* applyToSome(): Script<boolean> {
    const { queries } = this;
    const { applied_through: through } = yield* this.stored();
    if (through === null) return false;
    // Accounts are locked in the order of their ids, as by settlements.
    const accounts = yield* rowsOf(locking(queries, queries.selectFrom('accounts').select('id').where('id', '>', through).orderBy('id').limit(ACCOUNTS_PER_STEP)));
    for (const { id } of accounts) yield* refreshAlerts(queries, id as AccountId);
    const last = accounts.length < ACCOUNTS_PER_STEP ? null : accounts.at(-1)?.id ?? null;
    yield* changesOf(queries.updateTable('alert_policy').set({ applied_through: last }));
    return last !== null;
  }

  private* change(id: AccountId, thresholds: readonly ServiceTokens[] | null, by: AuditedBy): Script<boolean> {
    const { queries } = this;
    const chosen = chosenToColumn(thresholds);
    const account = yield* firstOf(locking(queries, queries.selectFrom('accounts').select('alert_thresholds').where('id', '=', id).where('status', '<>', 'deleted')));
    if (account === null) return false;
    if (account.alert_thresholds === chosen) return true;
    yield* changesOf(queries.updateTable('accounts').set({ alert_thresholds: chosen, updated_at: by.at }).where('id', '=', id));
    yield* refreshAlerts(queries, id);
    const alertThresholds = thresholds?.map((amount) => amount.toString()) ?? null;
    yield* appendAuditEntry(queries, { ...by, action: 'account.changed', subject: id, accountId: id, details: { alertThresholds } });
    return true;
  }

  private* alertsOf(id: AccountId): Script<AccountAlerts | null> {
    const row = yield* firstOf(this.queries.selectFrom('accounts').select(['alert_thresholds', 'low_alerts', 'exhausted_below']).where('id', '=', id));
    return row === null ? null : { chosen: chosenFromColumn(row.alert_thresholds), ...alertsFromRow(row) };
  }
}
