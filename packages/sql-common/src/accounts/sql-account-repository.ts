import {
  type Account, type AccountChange, accountDetails, type AccountId, type AccountListQuery, type AccountPage, type AccountRepository, accountTexts, type Actor, type AuditedBy,
  type StandingMove, type UpdatedAccountsPage, type UpdatedAccountsQuery,
} from '@tollgate/core';
import type { Updateable } from 'kysely';
import { appendAuditEntry } from '../audit/append-audit-entry.js';
import { instantFromColumn } from '../schema/column-values.js';
import { storableText, storableTextOrNull } from '../schema/storable-text.js';
import type { AccountTable } from '../schema/database-schema.js';
import { chosenToColumn } from '../ledger/alert-rows.js';
import { refreshAlerts } from '../ledger/refresh-alerts.js';
import { changesOf, firstOf, rowsOf, type Script } from '../script/script.js';
import type { Queries } from '../script/queries.js';
import type { ScriptRunner } from '../script/script-runner.js';
import { ACCOUNT_COLUMNS, accountFromRow, foldedEmail, metadataToColumn } from './account-rows.js';
import { insertAccount } from './insert-account.js';
import { moveStanding } from './move-standing.js';

function changedColumns({ planId, priceList, name, externalId, metadata, alertThresholds }: AccountChange): Updateable<AccountTable> {
  return {
    ...(planId === undefined ? {} : { plan_id: planId }),
    ...(priceList === undefined ? {} : { price_list: priceList }),
    ...(name === undefined ? {} : { name: storableText(name) }),
    ...(externalId === undefined ? {} : { external_id: storableTextOrNull(externalId) }),
    ...(metadata === undefined ? {} : { metadata: metadataToColumn(metadata) }),
    ...(alertThresholds === undefined ? {} : { alert_thresholds: chosenToColumn(alertThresholds) }),
  };
}

export class SqlAccountRepository implements AccountRepository {
  constructor(private readonly queries: Queries, private readonly runner: ScriptRunner) {}

  findById(id: AccountId): Promise<Account | null> {
    return this.runner.read(() => this.byId(id));
  }

  findByEmail(email: string): Promise<Account | null> {
    return this.runner.read(() => this.byEmail(email));
  }

  findByExternalId(externalId: string): Promise<Account | null> {
    return this.runner.read(() => this.byExternalId(externalId));
  }

  suspensionReason(id: AccountId): Promise<string | null> {
    return this.runner.read(() => this.reasonOf(id));
  }

  list(query: AccountListQuery): Promise<AccountPage> {
    return this.runner.read(() => this.page(query));
  }

  listUpdated(query: UpdatedAccountsQuery): Promise<UpdatedAccountsPage> {
    return this.runner.read(() => this.updated(query));
  }

  create(account: Account, actor: Actor): Promise<'created' | 'email-taken' | 'external-id-taken'> {
    return this.runner.write(() => this.insert(account, actor));
  }

  change(id: AccountId, change: AccountChange, by: AuditedBy): Promise<Account | 'external-id-taken' | null> {
    return this.runner.write(() => this.update(id, change, by));
  }

  moveStanding(id: AccountId, move: StandingMove, by: AuditedBy): Promise<boolean> {
    return this.runner.write(() => moveStanding(this.queries, { ...move, id }, by));
  }

  private* byId(id: AccountId): Script<Account | null> {
    const row = yield* firstOf(this.queries.selectFrom('accounts').select(ACCOUNT_COLUMNS).where('id', '=', id));
    return row === null ? null : accountFromRow(row);
  }

  private* reasonOf(id: AccountId): Script<string | null> {
    return (yield* firstOf(this.queries.selectFrom('accounts').select('suspension_reason').where('id', '=', id)))?.suspension_reason ?? null;
  }

  private* byEmail(email: string): Script<Account | null> {
    const row = yield* firstOf(this.queries.selectFrom('accounts').select(ACCOUNT_COLUMNS)
      .where('email_folded', '=', foldedEmail(email)));
    return row === null ? null : accountFromRow(row);
  }

  private* byExternalId(externalId: string): Script<Account | null> {
    const row = yield* firstOf(this.queries.selectFrom('accounts').select(ACCOUNT_COLUMNS).where('external_id', '=', storableText(externalId)));
    return row === null ? null : accountFromRow(row);
  }

  private* updated({ limit, after, status }: UpdatedAccountsQuery): Script<UpdatedAccountsPage> {
    const least = this.queries.selectFrom('accounts').select([...ACCOUNT_COLUMNS, 'updated_at'])
      .$if(status !== null, (accounts) => accounts.where('status', '=', status ?? ''))
      .orderBy('updated_at').orderBy('id').limit(limit + 1);
    const { at, id } = after;
    const rows = yield* rowsOf(id === null
      ? least.where('updated_at', '>', BigInt(at))
      : least.where((account) => account(account.refTuple('updated_at', 'id'), '>', account.tuple(BigInt(at), id))));
    const accounts = rows.slice(0, limit).map(accountFromRow);
    const [last, row] = [accounts.at(-1), rows[limit - 1]];
    return { accounts, next: rows.length > limit && last !== undefined && row !== undefined ? { at: instantFromColumn(row.updated_at), id: last.id } : null };
  }

  private* page({ limit, after, status = null }: AccountListQuery): Script<AccountPage> {
    const oldest = this.queries.selectFrom('accounts').select(ACCOUNT_COLUMNS)
      .$if(status !== null, (accounts) => accounts.where('status', '=', status ?? ''))
      .orderBy('created_at').orderBy('id').limit(limit + 1);
    const rows = yield* rowsOf(after === null ? oldest : oldest.where((account) => account(
      account.refTuple('created_at', 'id'), '>',
      account.selectFrom('accounts as last').select(['last.created_at', 'last.id']).where('last.id', '=', after).$asTuple('created_at', 'id'),
    )));
    const accounts = rows.slice(0, limit).map(accountFromRow);
    return { accounts, next: rows.length > limit ? accounts.at(-1)?.id ?? null : null };
  }

  private* insert(account: Account, actor: Actor): Script<'created' | 'email-taken' | 'external-id-taken'> {
    const taken = yield* this.byEmail(account.email);
    if (taken !== null) return 'email-taken';
    if (yield* this.isTaken(account.externalId, account.id)) return 'external-id-taken';
    yield* insertAccount(this.queries, account);
    const details = { planId: account.planId, status: account.status, emailVerified: account.emailVerified };
    yield* appendAuditEntry(this.queries, { actor, at: account.createdAt, action: 'account.created', subject: account.id, accountId: account.id, details });
    return 'created';
  }

  private* update(id: AccountId, change: AccountChange, by: AuditedBy): Script<Account | 'external-id-taken' | null> {
    const columns = changedColumns(change);
    if (yield* this.isTaken(change.externalId ?? null, id)) return 'external-id-taken';
    if (Object.keys(columns).length > 0) {
      const changes = yield* changesOf(this.queries.updateTable('accounts').set({ ...columns, updated_at: by.at }).where('id', '=', id));
      if (changes === 0) return null;
      if (change.alertThresholds !== undefined) yield* refreshAlerts(this.queries, id);
      yield* appendAuditEntry(this.queries, { ...by, action: 'account.changed', subject: id, accountId: id, details: accountDetails(change), texts: accountTexts(change) });
    }
    return yield* this.byId(id);
  }

  /** True if another account has this external id. Writing scripts run one after another, so none can take the id before the caller writes. */
  private* isTaken(externalId: string | null, by: AccountId): Script<boolean> {
    if (externalId === null) return false;
    const holder = yield* this.byExternalId(externalId);
    return holder !== null && holder.id !== by;
  }
}
