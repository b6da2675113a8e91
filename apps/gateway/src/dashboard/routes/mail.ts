import { type Instant, rfc3339 } from '@tollgate/core';
import { contract, type ReplyOf } from '@tollgate/api-contract';
import { type ListedMail, type MailId, MailRefused, testMessage } from '@tollgate/identity';
import { timeOrNull } from '@tollgate/wire-kit';
import { decodeCursor, encodeCursor } from '../call/cursors.js';
import { type DashboardEndpoint, endpoint } from '../call/dashboard-endpoint.js';
import type { DashboardPorts } from '../call/dashboard-ports.js';
import { invalidField } from '../call/read-fields.js';

export function mailEndpoints({ operations: { mailOutbox, mailer, mailSite, ids } }: DashboardPorts): readonly DashboardEndpoint[] {
  return [
    endpoint(contract.listMail)(async ({ query: { limit, cursor } }) => {
      const mails = await mailOutbox.list({ limit: limit + 1, after: cursor === undefined ? null : mailAt(cursor) });
      const page = mails.slice(0, limit);
      const last = mails.length > limit ? page.at(-1) : undefined;
      return { object: 'list', data: page.map(encodeMail), has_more: last !== undefined, next_cursor: last === undefined ? null : encodeCursor([last.storedAt, last.id]) };
    }),
    endpoint(contract.sendTestMail)(async ({ body, visitor }) => {
      const to = body.to ?? visitor.person.email;
      await mailer.send({ ...testMessage(mailSite()), to, rank: 'operator', reference: `test ${ids.mailId()}` }).catch((thrown: unknown) => {
        throw thrown instanceof MailRefused ? invalidField('to', thrown.message) : thrown;
      });
      return { object: 'mail_test', to };
    }),
  ];
}

type EncodedMail = ReplyOf<typeof contract.listMail>['data'][number];

function encodeMail({ id, to, subject, state, attempts, lastFailure, storedAt, dueAt, endedAt }: ListedMail): EncodedMail {
  return {
    id, object: 'mail', to, subject, state, attempts, last_error: lastFailure, stored_at: rfc3339(storedAt), next_attempt_at: timeOrNull(dueAt), ended_at: timeOrNull(endedAt),
  };
}

const UNTOLD = { to: null, subject: null, state: 'waiting', attempts: 0, lastFailure: null, dueAt: null, endedAt: null } as const;

/** The mail at a cursor, with the fields that determine its order. */
function mailAt(cursor: string): ListedMail {
  const [at, id] = decodeCursor(cursor, ['number', 'string']);
  return { id: id as MailId, storedAt: at as Instant, ...UNTOLD };
}
