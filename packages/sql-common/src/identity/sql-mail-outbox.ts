import { type AccountId, ALL_ACCOUNTS, type Instant, instant, invariant } from '@tollgate/core';
import {
  type ClaimedMail, type ClaimMailsCommand, type ListedMail, MAIL_RANKS, type MailBounds, type MailClaim, type MailEnd,
  type MailId, type MailName, type MailOutbox, type MailOutboxStatus, type MailPace, type MailPause, type MailQuery, type MailStoring, MAX_TRACED_MAILS, type StoredMail,
} from '@tollgate/identity';
import { type Selectable, sql } from 'kysely';
import { MAIL_COLUMNS } from '../schema/column-lists.js';
import { storableText } from '../schema/storable-text.js';
import type { MailOutboxTable } from '../schema/identity-tables.js';
import { endBy, type LeaseClock, presentBy, seenBy } from '../script/lease-clock.js';
import { changesOf, firstOf, type Script } from '../script/script.js';
import type { Queries } from '../script/queries.js';
import type { ScriptRunner, StepRunner } from '../script/script-runner.js';
import { findMail, listMail } from './list-mail.js';
import { rankNumber, storeMail, storeMailWithin } from './store-mail.js';

/** Maximum rows deleted per call. */
const MAX_FORGET = 500;

type Row = Selectable<MailOutboxTable>;

function claimedMailOf(row: Row): ClaimedMail {
  const { recipient: to, subject, body_text: text, body_html: html, reference } = row;
  invariant(subject !== null && text !== null && html !== null, 'a waiting message has contents');
  return {
    id: row.id as MailId, kind: row.kind as MailName, accountId: row.account_id as AccountId | null, to, subject, text, html, reference, rank: MAIL_RANKS[Number(row.rank)] ?? 'unverified',
    storedAt: instant(Number(row.stored_at)), expiresAt: instant(Number(row.expires_at)), attempt: Number(row.attempts),
  };
}

/**
 * All writes but `storeWithin` and `claim` run without a transaction, because each query is idempotent and leaves a consistent state. If the reply to
 * a claim is lost, the messages are claimed again after their leases.
 */
export class SqlMailOutbox implements MailOutbox {
  constructor(
    private readonly queries: Queries, private readonly runner: StepRunner & Pick<ScriptRunner, 'read' | 'readInSharedThread' | 'write'>, private readonly clock: LeaseClock,
  ) {}

  store(mail: StoredMail, bounds?: MailBounds): Promise<MailStoring> {
    return this.runner.steps(() => storeMail(this.queries, mail, bounds));
  }

  storeWithin(mail: StoredMail, pace: MailPace): Promise<MailStoring | 'too-many'> {
    return this.runner.write(() => storeMailWithin(this.queries, mail, pace));
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
      .set({ state: end.state, subject: null, body_text: null, body_html: null, domain: null, leased_until: null, ended_at: at, ...failure })
      .where('id', '=', id).where('attempts', '=', BigInt(attempt)).where('state', '=', 'waiting')));
  }

  forget({ traced, remembered, most = MAX_TRACED_MAILS }: Parameters<MailOutbox['forget']>[0]): Promise<number> {
    const { queries } = this;
    const newestBeyond = queries.selectFrom('mail_outbox as newer').select('newer.ended_at').where('newer.ended_at', 'is not', null).orderBy('newer.ended_at', 'desc').limit(1).offset(most);
    const ended = queries.selectFrom('mail_outbox').select('id').limit(MAX_FORGET)
      .where((mail) => mail.or([mail('ended_at', '<', BigInt(traced)), mail.and([mail('ended_at', '<', BigInt(remembered)), mail('ended_at', '<=', newestBeyond)])]));
    return this.runner.steps(() => changesOf(queries.deleteFrom('mail_outbox').where('id', 'in', ended)));
  }

  list(query: MailQuery): Promise<readonly ListedMail[]> {
    return this.runner.readInSharedThread(ALL_ACCOUNTS, () => listMail(this.queries, query));
  }

  find(id: MailId): Promise<ListedMail | null> {
    return this.runner.read(() => findMail(this.queries, id));
  }

  async status(at: Instant): Promise<MailOutboxStatus> {
    const due = seenBy(this.clock, { given: at, stored: sql.ref('due_at') });
    const row = await this.runner.read(() => firstOf(this.queries.selectFrom('mail_outbox').where('state', '=', 'waiting').select(({ fn }) => [
      fn.countAll<bigint>().as('waiting'), sql<bigint | number | null>`min(case when attempts = 0 then ${BigInt(at)} else ${due} end)`.as('next'),
    ])));
    const next = row?.next ?? null;
    return { waiting: Number(row?.waiting ?? 0), nextDueAt: next === null ? null : instant(Number(next)) };
  }

  /** Runs in a writing script. These run one after another, so that two processes do not select messages to one domain at the same time. */
  private* claimDue({ most, ...command }: ClaimMailsCommand): Script<readonly ClaimedMail[]> {
    const claimed: ClaimedMail[] = [];
    for (let next = yield* this.claimNext(command); next !== null; next = claimed.length < most ? yield* this.claimNext(command) : null) claimed.push(next);
    return claimed;
  }

  /** Claims the next due message. One that was never claimed is due at once, whatever the clock of the process that stored it. */
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
