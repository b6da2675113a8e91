import { MAIL_BOUNDS, MAIL_RANKS, type MailBounds, mailDomainOf, type MailPace, type MailRank, mailRoomFor, type MailStoring, type StoredMail, type WaitingMails } from '@tollgate/identity';
import { storableText } from '../schema/storable-text.js';
import { changesOf, firstOf, type Script } from '../script/script.js';
import type { Queries } from '../script/queries.js';

/** Value of the column `rank`. Messages with lower numbers are delivered first. */
export function rankNumber(rank: MailRank): bigint {
  return BigInt(MAIL_RANKS.indexOf(rank));
}

/**
 * Stores a message, once per reference, if the outbox has room. Requires no transaction, because each query is idempotent and leaves a consistent
 * state.
 */
export function* storeMail(queries: Queries, mail: StoredMail, bounds: MailBounds = MAIL_BOUNDS): Script<MailStoring> {
  const room = mailRoomFor(mail.rank, yield* waitingBeside(queries, mail), bounds);
  if (room === 'room') {
    yield* changesOf(queries.insertInto('mail_outbox').values({
      id: mail.id, reference: mail.reference, kind: mail.kind, account_id: mail.accountId, state: 'waiting', recipient: mail.to, subject: storableText(mail.subject),
      body_text: storableText(mail.text), body_html: storableText(mail.html), attempts: 0, last_failure: null,
      due_at: mail.storedAt, stored_at: mail.storedAt, expires_at: mail.expiresAt, ended_at: null,
      rank: MAIL_RANKS.indexOf(mail.rank), domain: storableText(mailDomainOf(mail)), leased_until: null,
    }).onConflict((conflict) => conflict.column('reference').doNothing()));
  }
  const kept = yield* firstOf(queries.selectFrom('mail_outbox').select('id').where('reference', '=', mail.reference));
  if (kept === null) return room === 'dropped' ? 'dropped' : 'full';
  return kept.id === mail.id ? 'stored' : 'repeated';
}

/** Must run in a writing script. These run one after another, so that no other call of this function counts the same messages. */
export function* storeMailWithin(queries: Queries, mail: StoredMail, { most, since }: MailPace): Script<MailStoring | 'too-many'> {
  const row = yield* firstOf(queries.selectFrom('mail_outbox').select(({ fn }) => fn.countAll<bigint>().as('mails'))
    .where('recipient', '=', mail.to).where('stored_at', '>', BigInt(since)).where('kind', '=', mail.kind));
  return Number(row?.mails ?? 0) >= most ? 'too-many' : yield* storeMail(queries, mail);
}

function* waitingBeside(queries: Queries, mail: StoredMail): Script<WaitingMails> {
  const row = yield* firstOf(queries.selectFrom('mail_outbox').where('state', '=', 'waiting').select(({ fn }) => [
    fn.countAll<bigint>().filterWhere('rank', '=', rankNumber('operator')).as('operators'),
    fn.countAll<bigint>().filterWhere('rank', '=', rankNumber('verified')).as('verified'),
    fn.countAll<bigint>().filterWhere('rank', '=', rankNumber('unverified')).as('unverified'),
    fn.countAll<bigint>().filterWhere('recipient', '=', mail.to).as('of_recipient'),
    fn.countAll<bigint>().filterWhere('rank', '=', rankNumber('unverified')).filterWhere('domain', '=', storableText(mailDomainOf(mail))).as('of_domain'),
  ]));
  return {
    operators: Number(row?.operators ?? 0), verified: Number(row?.verified ?? 0), unverified: Number(row?.unverified ?? 0),
    ofRecipient: Number(row?.of_recipient ?? 0), unverifiedOfDomain: Number(row?.of_domain ?? 0),
  };
}
