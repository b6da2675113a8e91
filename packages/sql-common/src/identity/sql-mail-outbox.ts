import { type Instant, instant, invariant } from '@tollgate/core';
import {
  type ClaimedMail, type ClaimMailsCommand, type ListedMail, MAIL_RANKS, type MailBounds, type MailClaim, type MailEnd,
  type MailId, type MailOutbox, type MailOutboxStatus, type MailPause, type StoredMail,
} from '@tollgate/identity';
import { type Selectable, sql } from 'kysely';
import { MAIL_COLUMNS } from '../schema/column-lists.js';
import { instantFromColumn, instantOrNull } from '../schema/column-values.js';
import { storableText } from '../schema/storable-text.js';
import type { MailOutboxTable } from '../schema/identity-tables.js';
import { endBy, type LeaseClock, presentBy, seenBy } from '../script/lease-clock.js';
import { changesOf, firstOf, rowsOf, type Script } from '../script/script.js';
import type { Queries } from '../script/queries.js';
import type { ScriptRunner, StepRunner } from '../script/script-runner.js';
import { rankNumber, storeMail } from './store-mail.js';

/** Rows deleted per call. */
const MAX_FORGET = 500;

type Row = Selectable<MailOutboxTable>;

function claimedMailOf(row: Row): ClaimedMail {
  const { recipient: to, subject, body_text: text, body_html: html, reference } = row;
  invariant(to !== null && subject !== null && text !== null && html !== null, 'a waiting message has contents');
  return {
    id: row.id as MailId, to, subject, text, html, reference, rank: MAIL_RANKS[Number(row.rank)] ?? 'unverified',
    storedAt: instant(Number(row.stored_at)), expiresAt: instant(Number(row.expires_at)), attempt: Number(row.attempts),
  };
}

function listedMailOf(row: Pick<Row, 'id' | 'recipient' | 'subject' | 'state' | 'attempts' | 'last_failure' | 'stored_at' | 'due_at' | 'ended_at'>): ListedMail {
  return {
    id: row.id as MailId, to: row.recipient, subject: row.subject, state: row.state as ListedMail['state'], attempts: Number(row.attempts), lastFailure: row.last_failure,
    storedAt: instantFromColumn(row.stored_at), dueAt: row.ended_at === null ? instantFromColumn(row.due_at) : null, endedAt: instantOrNull(row.ended_at),
  };
}

/** Needs no transaction: each query is idempotent and leaves a consistent state. A claim whose answer is lost is repeated after its lease expires. */
export class SqlMailOutbox implements MailOutbox {
  constructor(
    private readonly queries: Queries, private readonly runner: StepRunner & Pick<ScriptRunner, 'read' | 'write'>, private readonly clock: LeaseClock,
  ) {}

  store(mail: StoredMail, bounds?: MailBounds): Promise<'stored' | 'repeated' | 'full' | 'dropped'> {
    return this.runner.steps(() => storeMail(this.queries, mail, bounds));
  }

  claim(command: ClaimMailsCommand): Promise<readonly ClaimedMail[]> {
    return this.runner.write(() => this.claimDue(command));
  }

  async putOff({ id, attempt }: MailClaim, { at, until }: MailPause, failure: string): Promise<void> {
    await this.runner.steps(() => changesOf(this.queries.updateTable('mail_outbox').set({ due_at: endBy(this.clock, { given: at, end: until }), leased_until: null, last_failure: storableText(failure) })
      .where('id', '=', id).where('attempts', '=', BigInt(attempt)).where('state', '=', 'waiting')));
  }

  async finish({ id, attempt }: MailClaim, end: MailEnd, at: Instant): Promise<void> {
    const failure = end.state === 'given-up' ? { last_failure: storableText(end.failure) } : {};
    await this.runner.steps(() => changesOf(this.queries.updateTable('mail_outbox')
      .set({ state: end.state, recipient: null, subject: null, body_text: null, body_html: null, domain: null, leased_until: null, ended_at: at, ...failure })
      .where('id', '=', id).where('attempts', '=', BigInt(attempt)).where('state', '=', 'waiting')));
  }

  async forget(endedBefore: Instant): Promise<void> {
    const ended = this.queries.selectFrom('mail_outbox').select('id').where('ended_at', '<', BigInt(endedBefore)).limit(MAX_FORGET);
    await this.runner.steps(() => changesOf(this.queries.deleteFrom('mail_outbox').where('id', 'in', ended)));
  }

  async list({ limit, after }: { readonly limit: number; readonly after: ListedMail | null }): Promise<readonly ListedMail[]> {
    const newest = this.queries.selectFrom('mail_outbox')
      .select(['id', 'recipient', 'subject', 'state', 'attempts', 'last_failure', 'stored_at', 'due_at', 'ended_at'])
      .orderBy('stored_at', 'desc').orderBy('id', 'desc').limit(limit);
    const rows = await this.runner.read(() => rowsOf(after === null ? newest : newest.where((mail) => mail(
      mail.refTuple('stored_at', 'id'), '<', mail.tuple(BigInt(after.storedAt), after.id as string),
    ))));
    return rows.map(listedMailOf);
  }

  async status(at: Instant): Promise<MailOutboxStatus> {
    const due = seenBy(this.clock, { given: at, stored: sql.ref('due_at') });
    const row = await this.runner.read(() => firstOf(this.queries.selectFrom('mail_outbox').where('state', '=', 'waiting').select(({ fn }) => [
      fn.countAll<bigint>().as('waiting'), sql<bigint | number | null>`min(case when attempts = 0 then ${BigInt(at)} else ${due} end)`.as('next'),
    ])));
    const next = row?.next ?? null;
    return { waiting: Number(row?.waiting ?? 0), nextDueAt: next === null ? null : instant(Number(next)) };
  }

  /** Serializable: the second of two processes that select for one domain concurrently selects again. */
  private* claimDue({ most, ...command }: ClaimMailsCommand): Script<readonly ClaimedMail[]> {
    const claimed: ClaimedMail[] = [];
    for (let next = yield* this.claimNext(command); next !== null; next = claimed.length < most ? yield* this.claimNext(command) : null) claimed.push(next);
    return claimed;
  }

  /** A message that was never claimed is due regardless of the clock of the process that stored it. */
  private* claimNext({ at, leaseExpiresAt, ranks }: Omit<ClaimMailsCommand, 'most'>): Script<ClaimedMail | null> {
    const { queries, clock } = this;
    const [present, leaseEnd] = [presentBy(clock, at), endBy(clock, { given: at, end: leaseExpiresAt })];
    const next = queries.selectFrom('mail_outbox as next').select('next.id').where('next.state', '=', 'waiting')
      .where((row) => row.or([row('next.attempts', '=', 0n), row('next.due_at', '<=', present)]))
      .where('next.rank', 'in', ranks.map(rankNumber))
      .where((row) => row.not(row.exists(row.selectFrom('mail_outbox as other').select('other.id')
        .whereRef('other.domain', '=', 'next.domain').where('other.state', '=', 'waiting').where('other.leased_until', '>', present))))
      .orderBy('next.rank').orderBy('next.due_at').orderBy('next.id').limit(1);
    const row = yield* firstOf(queries.updateTable('mail_outbox')
      .set((mail) => ({ attempts: mail('attempts', '+', 1n), due_at: leaseEnd, leased_until: leaseEnd }))
      .where('id', 'in', next).where('state', '=', 'waiting').where((mail) => mail.or([mail('attempts', '=', 0n), mail('due_at', '<=', present)]))
      .returning(MAIL_COLUMNS).returning(seenBy(clock, { given: at, stored: sql.ref('expires_at') }).as('seen_expiry')));
    return row === null ? null : claimedMailOf({ ...row, expires_at: row.seen_expiry });
  }
}
