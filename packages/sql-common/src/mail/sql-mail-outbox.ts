import { type Instant, instant, invariant } from '@tollgate/core';
import {
  type ClaimedMail, type ClaimMailsCommand, type ListedMail, MAIL_BOUNDS, MAIL_RANKS, type MailBounds, type MailClaim, mailDomainOf, type MailEnd,
  type MailId, type MailOutbox, type MailOutboxStatus, type MailPause, type MailRank, mailRoomFor, type StoredMail, type WaitingMails,
} from '@tollgate/identity';
import { type Selectable, sql } from 'kysely';
import { endBy, type LeaseClock, presentBy, seenBy } from '../script/lease-clock.js';
import { MAIL_COLUMNS } from '../schema/column-lists.js';
import { instantFromColumn, instantOrNull, storableText } from '../schema/columns.js';
import type { MailOutboxTable } from '../schema/database-schema.js';
import { changesOf, firstOf, type Queries, rowsOf, type Script, type ScriptRunner, type StepRunner } from '../script/script.js';

/** Mail in any SQL database. A claim whose answer is lost is not repeated before its lease expires. */
export class SqlMailOutbox implements MailOutbox {
  constructor(private readonly scripts: MailOutboxScripts, private readonly runner: StepRunner & Pick<ScriptRunner, 'read' | 'write'>) {}

  store(mail: StoredMail, bounds?: MailBounds): Promise<'stored' | 'repeated' | 'full' | 'dropped'> {
    return this.runner.steps(() => this.scripts.store(mail, bounds));
  }

  claim(command: ClaimMailsCommand): Promise<readonly ClaimedMail[]> {
    return this.runner.write(() => this.scripts.claim(command));
  }

  putOff(claim: MailClaim, pause: MailPause, failure: string): Promise<void> {
    return this.runner.steps(() => this.scripts.putOff(claim, pause, failure));
  }

  finish(claim: MailClaim, end: MailEnd, at: Instant): Promise<void> {
    return this.runner.steps(() => this.scripts.finish(claim, end, at));
  }

  forget(endedBefore: Instant): Promise<void> {
    return this.runner.steps(() => this.scripts.forget(endedBefore));
  }

  list(query: { readonly limit: number; readonly after: ListedMail | null }): Promise<readonly ListedMail[]> {
    return this.runner.read(() => this.scripts.list(query));
  }

  status(at: Instant): Promise<MailOutboxStatus> {
    return this.runner.read(() => this.scripts.status(at));
  }
}

/** Rows that one call forgets, so that it leaves room for requests. */
const MAX_FORGET = 500;

function numberOf(rank: MailRank): bigint {
  return BigInt(MAIL_RANKS.indexOf(rank));
}

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

/** What is done to mail, in queries each of which is right by itself. Running one again changes nothing more. `store` asks no clock. */
export class MailOutboxScripts {
  constructor(private readonly queries: Queries, private readonly clock: LeaseClock = 'caller') {}

  * store(mail: StoredMail, bounds: MailBounds = MAIL_BOUNDS): Script<'stored' | 'repeated' | 'full' | 'dropped'> {
    const { queries } = this;
    const room = mailRoomFor(mail.rank, yield* this.waitingBeside(mail), bounds);
    if (room === 'room') {
      yield* changesOf(queries.insertInto('mail_outbox').values({
        id: mail.id, reference: mail.reference, state: 'waiting', recipient: mail.to, subject: storableText(mail.subject),
        body_text: storableText(mail.text), body_html: storableText(mail.html), attempts: 0, last_failure: null,
        due_at: mail.storedAt, stored_at: mail.storedAt, expires_at: mail.expiresAt, ended_at: null,
        rank: MAIL_RANKS.indexOf(mail.rank), domain: storableText(mailDomainOf(mail)), leased_until: null,
      }).onConflict((conflict) => conflict.column('reference').doNothing()));
    }
    const kept = yield* firstOf(queries.selectFrom('mail_outbox').select('id').where('reference', '=', mail.reference));
    if (kept === null) return room === 'dropped' ? 'dropped' : 'full';
    return kept.id === mail.id ? 'stored' : 'repeated';
  }

  private* waitingBeside(mail: StoredMail): Script<WaitingMails> {
    const row = yield* firstOf(this.queries.selectFrom('mail_outbox').where('state', '=', 'waiting').select(({ fn }) => [
      fn.countAll<bigint>().filterWhere('rank', '=', numberOf('operator')).as('operators'),
      fn.countAll<bigint>().filterWhere('rank', '=', numberOf('verified')).as('verified'),
      fn.countAll<bigint>().filterWhere('rank', '=', numberOf('unverified')).as('unverified'),
      fn.countAll<bigint>().filterWhere('recipient', '=', mail.to).as('of_recipient'),
      fn.countAll<bigint>().filterWhere('rank', '=', numberOf('unverified')).filterWhere('domain', '=', storableText(mailDomainOf(mail))).as('of_domain'),
    ]));
    return {
      operators: Number(row?.operators ?? 0), verified: Number(row?.verified ?? 0), unverified: Number(row?.unverified ?? 0),
      ofRecipient: Number(row?.of_recipient ?? 0), unverifiedOfDomain: Number(row?.of_domain ?? 0),
    };
  }

  /** Serializable: of two processes that select messages for one domain at the same time, the second selects again. */
  * claim({ most, ...command }: ClaimMailsCommand): Script<readonly ClaimedMail[]> {
    const claimed: ClaimedMail[] = [];
    for (let next = yield* this.claimNext(command); next !== null; next = claimed.length < most ? yield* this.claimNext(command) : null) claimed.push(next);
    return claimed;
  }

  /** A message that was never claimed is due, whatever the clock of the process that stored it said. */
  private* claimNext({ at, leaseExpiresAt, ranks }: Omit<ClaimMailsCommand, 'most'>): Script<ClaimedMail | null> {
    const { queries, clock } = this;
    const [present, leaseEnd] = [presentBy(clock, at), endBy(clock, { given: at, end: leaseExpiresAt })];
    const next = queries.selectFrom('mail_outbox as next').select('next.id').where('next.state', '=', 'waiting')
      .where((row) => row.or([row('next.attempts', '=', 0n), row('next.due_at', '<=', present)]))
      .where('next.rank', 'in', ranks.map(numberOf))
      .where((row) => row.not(row.exists(row.selectFrom('mail_outbox as other').select('other.id')
        .whereRef('other.domain', '=', 'next.domain').where('other.state', '=', 'waiting').where('other.leased_until', '>', present))))
      .orderBy('next.rank').orderBy('next.due_at').orderBy('next.id').limit(1);
    const row = yield* firstOf(queries.updateTable('mail_outbox')
      .set((mail) => ({ attempts: mail('attempts', '+', 1n), due_at: leaseEnd, leased_until: leaseEnd }))
      .where('id', 'in', next).where('state', '=', 'waiting').where((mail) => mail.or([mail('attempts', '=', 0n), mail('due_at', '<=', present)]))
      .returning(MAIL_COLUMNS).returning(seenBy(clock, { given: at, stored: sql.ref('expires_at') }).as('seen_expiry')));
    return row === null ? null : claimedMailOf({ ...row, expires_at: row.seen_expiry });
  }

  * putOff({ id, attempt }: MailClaim, { at, until }: MailPause, failure: string): Script<void> {
    yield* changesOf(this.queries.updateTable('mail_outbox').set({ due_at: endBy(this.clock, { given: at, end: until }), leased_until: null, last_failure: storableText(failure) })
      .where('id', '=', id).where('attempts', '=', BigInt(attempt)).where('state', '=', 'waiting'));
  }

  * finish({ id, attempt }: MailClaim, end: MailEnd, at: Instant): Script<void> {
    const failure = end.state === 'given-up' ? { last_failure: storableText(end.failure) } : {};
    yield* changesOf(this.queries.updateTable('mail_outbox')
      .set({ state: end.state, recipient: null, subject: null, body_text: null, body_html: null, domain: null, leased_until: null, ended_at: at, ...failure })
      .where('id', '=', id).where('attempts', '=', BigInt(attempt)).where('state', '=', 'waiting'));
  }

  * forget(endedBefore: Instant): Script<void> {
    const ended = this.queries.selectFrom('mail_outbox').select('id').where('ended_at', '<', BigInt(endedBefore)).limit(MAX_FORGET);
    yield* changesOf(this.queries.deleteFrom('mail_outbox').where('id', 'in', ended));
  }

  * list({ limit, after }: { readonly limit: number; readonly after: ListedMail | null }): Script<readonly ListedMail[]> {
    const newest = this.queries.selectFrom('mail_outbox')
      .select(['id', 'recipient', 'subject', 'state', 'attempts', 'last_failure', 'stored_at', 'due_at', 'ended_at'])
      .orderBy('stored_at', 'desc').orderBy('id', 'desc').limit(limit);
    const rows = yield* rowsOf(after === null ? newest : newest.where((mail) => mail(
      mail.refTuple('stored_at', 'id'), '<', mail.tuple(BigInt(after.storedAt), after.id as string),
    )));
    return rows.map(listedMailOf);
  }

  * status(at: Instant): Script<MailOutboxStatus> {
    const due = seenBy(this.clock, { given: at, stored: sql.ref('due_at') });
    const row = yield* firstOf(this.queries.selectFrom('mail_outbox').where('state', '=', 'waiting').select(({ fn }) => [
      fn.countAll<bigint>().as('waiting'), sql<bigint | number | null>`min(case when attempts = 0 then ${BigInt(at)} else ${due} end)`.as('next'),
    ]));
    const next = row?.next ?? null;
    return { waiting: Number(row?.waiting ?? 0), nextDueAt: next === null ? null : instant(Number(next)) };
  }
}
