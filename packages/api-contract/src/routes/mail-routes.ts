import { PAGE_SIZES } from '@tollgate/core';
import { z } from 'zod';
import { cursor, email, id, instant, listOf, text } from '../definition/field-schemas.js';
import { pageLimit } from '../definition/page-limit.js';
import { defineRoute } from '../definition/route-contract.js';

/** The kinds in the table of `docs/mail.md`. */
const kind = z.enum([
  'verify-address', 'existing-account', 'sign-in-link', 'confirm-sign-in', 'invitation', 'reset-password', 'password-changed', 'confirm-change', 'confirm-requested-change', 'change-address', 'address-changed', 'factor-changed',
  'failed-sign-ins', 'deletion-scheduled', 'balance-low', 'balance-exhausted', 'key-limit-reached', 'cap-reached', 'credit-expiring', 'webhook-disabled', 'refund-failed', 'top-up-declined', 'top-up-authentication',
  'top-up-stopped', 'price-change', 'model-shutdown', 'test',
]);
const state = z.enum(['waiting', 'delivered', 'given-up']);

/** A message without its contents. */
export const mail = z.strictObject({
  id: id.describe('The id of the message.'),
  object: z.literal('mail').describe('The kind of object.'),
  kind: kind.describe('What the message is about.'),
  account_id: id.nullable().describe('Whose mail it is; `null` where the recipient has no account, or none yet.'),
  to: z.string().describe('The recipient.'),
  subject: z.string().nullable().describe('The subject; `null` once it was delivered or given up.'),
  state: state.describe('How far the delivery is.'),
  attempts: z.number().int().min(0).describe('How often delivery was tried.'),
  last_error: z.string().nullable().describe('Code of the last failed try; `null` if none failed.'),
  error_reason: z.enum([
    'expired', 'unreachable', 'timed-out', 'encryption', 'credentials', 'sender', 'no-such-address', 'mailbox-full', 'too-large', 'policy', 'try-later', 'refused', 'file', 'other',
  ]).nullable().describe('The same in one word; `null` if no try failed.'),
  resendable: z.boolean().describe('Whether it can be sent again: its kind can be made again, and delivery is not tried any more.'),
  stored_at: instant.describe('When the message was written.'),
  next_attempt_at: instant.nullable().describe('When delivery is tried next; `null` if it is not.'),
  ended_at: instant.nullable().describe('When the message was delivered or given up; `null` before.'),
});

export const mailRoutes = {
  listMail: defineRoute({
    method: 'get', path: '/operator/mail', access: 'operator', summary: 'Mail of the last 30 days without its contents, narrowed, newest first.',
    query: z.strictObject({
      state: state.optional().describe('Only mail in this state.'), kind: kind.optional().describe('Only mail of this kind.'), account: id.optional().describe('Only mail of this account.'),
      q: text(254).optional().describe('Only mail to addresses with this part, in any case.'),
      limit: pageLimit(PAGE_SIZES.mail.dashboard).describe('How many items the page has.'), cursor: cursor.describe('The `next_cursor` of the page before.'),
    }),
    reply: listOf(mail),
  }),
  sendTestMail: defineRoute({
    method: 'post', path: '/operator/mail/test', access: 'operator', status: 202, summary: 'Queues a test message for delivery; the outbox shows its state.',
    body: z.strictObject({ to: email.nullable().default(null).describe('The recipient; `null` for the operator who asks.') }), reply: z.strictObject({ object: z.literal('mail_test').describe('The kind of object.'), to: z.string().describe('The recipient.') }),
  }),
  resendMail: defineRoute({
    method: 'post', path: '/operator/mail/{id}/resend', access: 'operator', fresh: true, status: 202,
    summary: 'Queues a new message of the same kind for the same recipient, with a new link that replaces the former. At most five an hour of a kind to an address.',
    params: z.strictObject({ id: id.describe('The id of the message.') }),
    reply: z.strictObject({ object: z.literal('mail_resend').describe('The kind of object.'), to: z.string().describe('The recipient.') }),
  }),
} as const;
