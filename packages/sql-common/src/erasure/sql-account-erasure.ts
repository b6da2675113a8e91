import {
  type AccountErasure, type AccountId, type AuditedBy, decideForfeiture, type DeletionBegun, type DuePosition, erasedEmail, foldEmail, type Instant,
  type StandingFacts,
} from '@tollgate/core';
import type { Person } from '@tollgate/identity';
import { sql } from 'kysely';
import { eraseNotes } from '../accounts/sql-account-note-records.js';
import { removeWebhooks } from '../webhooks/sql-webhook-records.js';
import { appendAuditEntry, eraseAuditTexts } from '../audit/append-audit-entry.js';
import { eraseMachineAnswers } from '../idempotency/claim-machine-request.js';
import { deleteReplies } from '../idempotency/delete-replies.js';
import { endPlaygroundKey } from '../keys/playground-keys.js';
import { bookAct } from '../ledger/money-act-script.js';
import { recordFromRow, selectPeople } from '../identity/person-rows.js';
import { erasePerson, isLastOperator, removeMail, removeMailOfAccount } from '../identity/remove-person.js';
import { hasUnansweredCharge } from '../payments/has-unanswered-charge.js';
import { type LeaseClock, presentBy } from '../script/lease-clock.js';
import type { SqlResponseStore } from '../responses/sql-response-store.js';
import { balanceFromRow } from '../money/balance-rows.js';
import { instantFromColumn } from '../schema/column-values.js';
import { changesOf, firstOf, rowsOf, type Script } from '../script/script.js';
import { locking, type Queries } from '../script/queries.js';
import type { ScriptRunner, StepRunner } from '../script/script-runner.js';

/** Maximum idempotency keys per transaction. The bytes of their replies are bounded too. */
const REPLIES_PER_STEP = 250;
/** Maximum statement files per transaction: few, because a long file has some hundred kilobytes. */
const STATEMENT_FILES_PER_STEP = 4;
/** Maximum responses per transaction. They have at most 1 MiB together, which SQLite overwrites on the event loop. */
const RESPONSES_PER_STEP = 4;

type DuePage = Parameters<AccountErasure['dueForDeletion']>[1];

interface ErasureParts {
  readonly stepper: StepRunner;
  readonly responses: SqlResponseStore;
  /** Clock that decides which deletions are due. */
  readonly clock: LeaseClock;
}

export class SqlAccountErasure implements AccountErasure {
  constructor(private readonly queries: Queries, private readonly runner: ScriptRunner, private readonly parts: ErasureParts) {}

  dueForDeletion(now: Instant, page: DuePage): Promise<readonly DuePosition[]> {
    return this.runner.read(() => this.due(now, page));
  }

  ownerIsLastOperator(id: AccountId): Promise<boolean> {
    return this.runner.read(() => this.isOwnedByLastOperator(id));
  }

  deleteAccount(id: AccountId, from: StandingFacts, by: AuditedBy): Promise<DeletionBegun> {
    return this.runner.write(() => this.delete(id, from, by));
  }

  /** Clears the date of the deletion at the end, so that another process completes the deletion after a crash. */
  async eraseLeftovers(id: AccountId): Promise<void> {
    const { stepper, responses } = this.parts;
    while (await stepper.steps(() => deleteReplies(this.queries, sql`account_id = ${id}`, REPLIES_PER_STEP)) > 0);
    while (await stepper.steps(() => this.eraseStatementFiles(id)) === STATEMENT_FILES_PER_STEP);
    while (await responses.eraseSome(id, RESPONSES_PER_STEP) === RESPONSES_PER_STEP);
    await stepper.steps(() => changesOf(this.queries.updateTable('accounts').set({ deletion_due_at: null })
      .where('id', '=', id).where('status', '=', 'deleted').where('deletion_due_at', 'is not', null)));
  }

  private* eraseStatementFiles(id: AccountId): Script<number> {
    const files = this.queries.selectFrom('statement_files').select(['number', 'format', 'named']).where('account_id', '=', id).where('named', '=', 1n).limit(STATEMENT_FILES_PER_STEP);
    return yield* changesOf(this.queries.deleteFrom('statement_files').where((file) => file(file.refTuple('number', 'format', 'named'), 'in', file.selectFrom(files.as('some')).select(['number', 'format', 'named']).$asTuple('number', 'format', 'named'))));
  }

  private* due(now: Instant, { limit, after }: DuePage): Script<readonly DuePosition[]> {
    const due = this.queries.selectFrom('accounts').select(['id', 'deletion_due_at'])
      .where('deletion_due_at', '<=', presentBy(this.parts.clock, now)).orderBy('deletion_due_at').orderBy('id').limit(limit);
    const rows = yield* rowsOf(after === null ? due : due.where((account) => account(
      account.refTuple('deletion_due_at', 'id'), '>', account.tuple(BigInt(after.dueAt), after.id),
    )));
    return rows.map(({ id, deletion_due_at: dueAt }) => ({ id: id as AccountId, dueAt: dueAt === null ? now : instantFromColumn(dueAt) }));
  }

  private* isOwnedByLastOperator(id: AccountId): Script<boolean> {
    const owner = yield* this.ownerOf(id);
    return owner !== null && (yield* isLastOperator(this.queries, owner));
  }

  private* delete(id: AccountId, from: StandingFacts, by: AuditedBy): Script<DeletionBegun> {
    const { queries } = this;
    const account = yield* firstOf(locking(queries, queries.selectFrom('accounts').select(['email', 'balance', 'reserved']).where('id', '=', id)));
    if (account === null || from.deletion === null) return { outcome: 'changed-meanwhile' };
    const owner = yield* this.ownerOf(id);
    if (yield* this.isOwnedByLastOperator(id)) return { outcome: 'last-operator' };
    const forfeiture = decideForfeiture({ accountId: id, balance: balanceFromRow(account), at: by.at });
    if (forfeiture.outcome === 'requests-running') return forfeiture;
    if (yield* hasUnansweredCharge(queries, id, by.at)) return { outcome: 'charge-running' };
    const changes = yield* changesOf(queries.updateTable('accounts')
      .set({
        status: 'deleted', name: '', email: erasedEmail(id), email_folded: erasedEmail(id), deletion_returns_to: null, suspension_reason: null, metadata: null,
        updated_at: by.at,
      })
      .where('id', '=', id).where('status', '=', 'pending-deletion').where('deletion_due_at', '=', BigInt(from.deletion.dueAt))
      .where('deletion_returns_to', '=', from.deletion.returnsTo).where('reserved', '=', 0n));
    if (changes === 0) return { outcome: 'changed-meanwhile' };
    const { forfeited, booked } = forfeiture;
    if (booked !== null) yield* bookAct(queries, booked, { reason: null, expiresAt: null });
    yield* this.endKeys(id, by);
    yield* removeWebhooks(queries, by.at, { accountId: id });
    yield* changesOf(queries.updateTable('automatic_top_ups').set({ enabled: 0n }).where('account_id', '=', id));
    yield* changesOf(queries.updateTable('payments').set({ customer: null, method: null, invoice_url: null, url: null }).where('account_id', '=', id));
    yield* changesOf(queries.deleteFrom('account_alerts').where('account_id', '=', id));
    yield* eraseNotes(queries, id);
    if (owner !== null) yield* erasePerson(queries, owner, by);
    yield* removeMail(queries, [account.email, foldEmail(account.email)]);
    yield* removeMailOfAccount(queries, id);
    yield* appendAuditEntry(queries, { ...by, action: 'account.deleted', subject: id, accountId: id, details: { forfeited: forfeited.toString() } });
    // The external id is removed after the audit entry, because the event of the deletion contains it.
    yield* changesOf(queries.updateTable('accounts').set({ external_id: null }).where('id', '=', id));
    yield* eraseAuditTexts(queries, [id]);
    yield* eraseMachineAnswers(queries, id);
    yield* changesOf(queries.deleteFrom('statement_names').where('account_id', '=', id));
    return { outcome: 'deleted', forfeited, booked };
  }

  private* ownerOf(id: AccountId): Script<Person | null> {
    const row = yield* firstOf(selectPeople(this.queries).where('people.account_id', '=', id));
    return row === null ? null : recordFromRow(row).person;
  }

  private* endKeys(accountId: AccountId, by: AuditedBy): Script<void> {
    const { queries } = this;
    const active = yield* rowsOf(queries.selectFrom('api_keys').select('id').where('account_id', '=', accountId).where('revoked_at', 'is', null));
    yield* changesOf(queries.updateTable('api_keys').set({ revoked_at: by.at, updated_at: by.at }).where('account_id', '=', accountId).where('revoked_at', 'is', null));
    yield* changesOf(queries.updateTable('api_keys').set({ name: null, updated_at: by.at }).where('account_id', '=', accountId).where('name', 'is not', null));
    const keys = queries.selectFrom('api_keys').select('id').where('account_id', '=', accountId);
    yield* changesOf(queries.deleteFrom('blocks').where('kind', '=', 'key').where('subject', 'in', keys));
    yield* changesOf(queries.deleteFrom('blocks').where('kind', '=', 'account').where('subject', '=', accountId));
    for (const { id } of active) {
      yield* appendAuditEntry(queries, { ...by, action: 'key.revoked', subject: id, accountId, details: {} });
    }
    yield* endPlaygroundKey(queries, accountId, by);
  }
}
