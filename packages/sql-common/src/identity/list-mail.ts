import type { AccountId } from '@tollgate/core';
import { ANY_MAIL, type ListedMail, type MailFilter, type MailId, type MailName, type MailQuery, type MailState } from '@tollgate/identity';
import { PostgresAdapter, type RawBuilder, type Selectable, sql, type SqlBool } from 'kysely';
import { globOf, regexpOf } from '../accounts/text-patterns.js';
import { instantFromColumn, instantOrNull } from '../schema/column-values.js';
import type { MailOutboxTable } from '../schema/identity-tables.js';
import { storableText } from '../schema/storable-text.js';
import type { Queries } from '../script/queries.js';
import { firstOf, rowsOf, type Script } from '../script/script.js';

const COLUMNS = ['id', 'kind', 'account_id', 'recipient', 'subject', 'state', 'attempts', 'last_failure', 'stored_at', 'due_at', 'ended_at'] as const;

type Row = Pick<Selectable<MailOutboxTable>, (typeof COLUMNS)[number]>;
type Condition = RawBuilder<SqlBool>;

function listedMailOf(row: Row): ListedMail {
  return {
    id: row.id as MailId, kind: row.kind as MailName, accountId: row.account_id as AccountId | null, to: row.recipient, subject: row.subject, state: row.state as MailState,
    attempts: Number(row.attempts), lastFailure: row.last_failure,
    storedAt: instantFromColumn(row.stored_at), dueAt: row.ended_at === null ? instantFromColumn(row.due_at) : null, endedAt: instantOrNull(row.ended_at),
  };
}

function addressHas(queries: Queries, text: string): Condition {
  return queries.getExecutor().adapter instanceof PostgresAdapter ? sql`recipient ~ ${regexpOf(text)}` : sql`recipient glob ${globOf(text)}`;
}

/** Also matches mail to the account's email address that names no account: a person who has not verified the address does not own the account yet. */
function isOfAccount(id: AccountId): Condition {
  return sql`(account_id = ${id} or (account_id is null and recipient = (select email_folded from accounts where accounts.id = ${id})))`;
}

function conditionsOf(queries: Queries, { state, kind, accountId, to }: MailFilter): readonly Condition[] {
  return [
    ...(state === null ? [] : [sql<SqlBool>`state = ${state}`]),
    ...(kind === null ? [] : [sql<SqlBool>`kind = ${kind}`]),
    ...(accountId === null ? [] : [isOfAccount(accountId)]),
    ...(to === null ? [] : [addressHas(queries, storableText(to))]),
  ];
}

/** Reads a page of mail, newest first. */
export function* listMail(queries: Queries, { limit, after, filter = ANY_MAIL }: MailQuery): Script<readonly ListedMail[]> {
  const newest = queries.selectFrom('mail_outbox').select(COLUMNS).orderBy('stored_at', 'desc').orderBy('id', 'desc').limit(limit);
  const matching = conditionsOf(queries, filter).reduce((mails, condition) => mails.where(condition), newest);
  const rows = yield* rowsOf(after === null ? matching : matching.where((mail) => mail(
    mail.refTuple('stored_at', 'id'), '<', mail.tuple(BigInt(after.storedAt), after.id as string),
  )));
  return rows.map(listedMailOf);
}

export function* findMail(queries: Queries, id: MailId): Script<ListedMail | null> {
  const row = yield* firstOf(queries.selectFrom('mail_outbox').select(COLUMNS).where('id', '=', storableText(id)));
  return row === null ? null : listedMailOf(row);
}
