import type { Account, AccountChange, AccountId, AccountPage, AccountRepository, Actor, Instant } from '@tollgate/core';
import type { Updateable } from 'kysely';
import { appendAuditEntry } from '../audit/append-audit-entry.js';
import { flagToColumn } from '../schema/column-values.js';
import type { AccountTable } from '../schema/database-schema.js';
import type { Queries } from '../script/queries.js';
import { changesOf, firstOf, rowsOf, type Script } from '../script/script.js';
import type { ScriptRunner } from '../script/script-runner.js';
import { ACCOUNT_COLUMNS, accountFromRow, accountToRow, foldedEmail } from './account-row.js';

type AccountListQuery = Parameters<AccountRepository['list']>[0];

function changedColumns({ planId, status, emailVerified, blocked }: AccountChange): Updateable<AccountTable> {
  return {
    ...(planId === undefined ? {} : { plan_id: planId }),
    ...(status === undefined ? {} : { status }),
    ...(emailVerified === undefined ? {} : { email_verified: flagToColumn(emailVerified) }),
    ...(blocked === undefined ? {} : { blocked: flagToColumn(blocked) }),
  };
}

/** Accounts in any SQL database. */
export class SqlAccountRepository implements AccountRepository {
  constructor(private readonly queries: Queries, private readonly runner: ScriptRunner) {}

  findById(id: AccountId): Promise<Account | null> {
    return this.runner.read(() => this.byId(id));
  }

  findByEmail(email: string): Promise<Account | null> {
    return this.runner.read(() => this.byEmail(email));
  }

  list(query: AccountListQuery): Promise<AccountPage> {
    return this.runner.read(() => this.page(query));
  }

  create(account: Account, actor: Actor): Promise<'created' | 'email-taken'> {
    return this.runner.write(() => this.insert(account, actor));
  }

  change(id: AccountId, change: AccountChange, by: { readonly actor: Actor; readonly at: Instant }): Promise<Account | null> {
    return this.runner.write(() => this.update(id, change, by));
  }

  private* byId(id: AccountId): Script<Account | null> {
    const row = yield* firstOf(this.queries.selectFrom('accounts').select(ACCOUNT_COLUMNS).where('id', '=', id));
    return row === null ? null : accountFromRow(row);
  }

  private* byEmail(email: string): Script<Account | null> {
    const row = yield* firstOf(this.queries.selectFrom('accounts').select(ACCOUNT_COLUMNS)
      .where('email_folded', '=', foldedEmail(email)));
    return row === null ? null : accountFromRow(row);
  }

  private* page({ limit, after }: AccountListQuery): Script<AccountPage> {
    const oldest = this.queries.selectFrom('accounts').select(ACCOUNT_COLUMNS)
      .orderBy('created_at').orderBy('id').limit(limit + 1);
    const rows = yield* rowsOf(after === null ? oldest : oldest.where((account) => account(
      account.refTuple('created_at', 'id'), '>',
      account.selectFrom('accounts as last').select(['last.created_at', 'last.id']).where('last.id', '=', after).$asTuple('created_at', 'id'),
    )));
    const accounts = rows.slice(0, limit).map(accountFromRow);
    return { accounts, next: rows.length > limit ? accounts.at(-1)?.id ?? null : null };
  }

  private* insert(account: Account, actor: Actor): Script<'created' | 'email-taken'> {
    const taken = yield* this.byEmail(account.email);
    if (taken !== null) return 'email-taken';
    yield* changesOf(this.queries.insertInto('accounts').values(accountToRow(account)));
    const details = { planId: account.planId, status: account.status, emailVerified: account.emailVerified };
    yield* appendAuditEntry(this.queries, { actor, at: account.createdAt, action: 'account.created', subject: account.id, details });
    return 'created';
  }

  private* update(id: AccountId, change: AccountChange, by: { readonly actor: Actor; readonly at: Instant }): Script<Account | null> {
    const columns = changedColumns(change);
    if (Object.keys(columns).length > 0) {
      const changes = yield* changesOf(this.queries.updateTable('accounts').set(columns).where('id', '=', id));
      if (changes === 0) return null;
      yield* appendAuditEntry(this.queries, { ...by, action: 'account.changed', subject: id, details: { ...change } });
    }
    return yield* this.byId(id);
  }
}
