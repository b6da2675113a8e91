import { type AccountId, foldEmail, GatewayError, type Instant, later, MILLISECONDS_PER_SECOND, rfc3339 } from '@tollgate/core';
import { contract, type QueryOf, type ReplyOf } from '@tollgate/api-contract';
import {
  isResendable, type ListedMail, type Mail, MAIL_BOUND, MAIL_RESEND_EXPLANATIONS, mailFailureReason, type MailFilter, type MailId, type MailPosition, MailRefused, type MailResendRefusal, testMessage,
} from '@tollgate/identity';
import { timeOrNull } from '@tollgate/wire-kit';
import { decodeCursor, encodeCursor } from '../call/cursors.js';
import { actorOf } from '../call/dashboard-call.js';
import { type DashboardEndpoint, endpoint } from '../call/dashboard-endpoint.js';
import type { DashboardPorts } from '../call/dashboard-ports.js';
import { invalidField } from '../call/read-fields.js';

export function mailEndpoints({ clock, operations: { mailOutbox, mailer, mailResends, mailSite, ids } }: DashboardPorts): readonly DashboardEndpoint[] {
  return [
    endpoint(contract.listMail)(async ({ query: { limit, cursor, ...query } }) => {
      const mails = await mailOutbox.list({ limit: limit + 1, after: cursor === undefined ? null : mailAt(cursor), filter: filterOf(query) });
      const page = mails.slice(0, limit);
      const last = mails.length > limit ? page.at(-1) : undefined;
      return { object: 'list', data: page.map(encodeMail), has_more: last !== undefined, next_cursor: last === undefined ? null : encodeCursor([last.storedAt, last.id]) };
    }),
    endpoint(contract.sendTestMail)(async ({ body, visitor }) => {
      const to = foldEmail(body.to ?? visitor.person.email);
      const pace = { most: MAIL_BOUND.most, since: later(clock.now(), -MAIL_BOUND.windowMilliseconds) };
      const test: Mail = { ...testMessage(mailSite()), to, accountId: null, rank: 'operator', reference: `test ${ids.mailId()}` };
      const sent = await mailer.sendBy(test, (stored) => mailOutbox.storeWithin(stored, pace)).catch((thrown: unknown) => {
        throw thrown instanceof MailRefused ? invalidField('to', thrown.message, { code: thrown.reason === 'too-many-waiting' ? 'mail_waiting' : 'not_mailable' }) : thrown;
      });
      if (sent === 'too-many') throw tooManyTests();
      return { object: 'mail_test', to };
    }),
    endpoint(contract.resendMail)(async ({ params: { id }, call }) => {
      const resent = await mailResends.resend(id as MailId, { actor: actorOf(call, 'operator'), at: clock.now() }).catch((thrown: unknown) => {
        throw thrown instanceof MailRefused ? new GatewayError('conflict', 'Too many messages are waiting for delivery. Try again later.') : thrown;
      });
      if (resent.outcome !== 'sent') throw resendRefusal(resent.outcome);
      return { object: 'mail_resend', to: resent.to };
    }),
  ];
}

function filterOf({ state, kind, account, q }: Omit<QueryOf<typeof contract.listMail>, 'limit' | 'cursor'>): MailFilter {
  const to = q?.trim() ?? '';
  return { state: state ?? null, kind: kind ?? null, accountId: (account ?? null) as AccountId | null, to: to === '' ? null : to };
}

type EncodedMail = ReplyOf<typeof contract.listMail>['data'][number];

function encodeMail(mail: ListedMail): EncodedMail {
  const { id, kind, accountId, to, subject, state, attempts, lastFailure, storedAt, dueAt, endedAt } = mail;
  return {
    id, object: 'mail', kind, account_id: accountId, to, subject, state, attempts, last_error: lastFailure, error_reason: lastFailure === null ? null : mailFailureReason(lastFailure),
    resendable: isResendable(mail), stored_at: rfc3339(storedAt), next_attempt_at: timeOrNull(dueAt), ended_at: timeOrNull(endedAt),
  };
}

function mailAt(cursor: string): MailPosition {
  const [at, id] = decodeCursor(cursor, ['number', 'string']);
  return { id: id as MailId, storedAt: at as Instant };
}

const RETRY_AFTER_SECONDS = MAIL_BOUND.windowMilliseconds / MILLISECONDS_PER_SECOND;

/** The limit keeps a session from flooding a mailbox in the operator's name. */
function tooManyTests(): GatewayError {
  return new GatewayError('too_many_attempts', `This address got ${MAIL_BOUND.most} test messages within an hour; try again later.`, { retryAfterSeconds: RETRY_AFTER_SECONDS });
}

function resendRefusal(refusal: MailResendRefusal): GatewayError {
  const message = MAIL_RESEND_EXPLANATIONS[refusal];
  switch (refusal) {
    case 'no-such-mail': return new GatewayError('not_found', message);
    case 'not-admitted': return new GatewayError('sign_up_closed', message);
    case 'too-many': return new GatewayError('too_many_attempts', message, { retryAfterSeconds: RETRY_AFTER_SECONDS });
    case 'waiting': case 'contents-gone': case 'no-recipient': case 'not-needed': return new GatewayError('conflict', message);
  }
}
