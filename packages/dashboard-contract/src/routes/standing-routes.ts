import { z } from 'zod';
import { amount, cursor, defineRoute, email, id, instant, label, listOf, pageLimit, text } from '../route-contract.js';
import { apiKey } from './key-routes.js';
import { operatorAccount } from './operator-account-routes.js';
import { session } from './session-routes.js';

const params = z.strictObject({ id });
const keyParams = z.strictObject({ id, key: id });

/** The account as it is afterwards. */
const changed = operatorAccount.extend({ outcome: z.enum(['changed', 'unchanged']) });

/** `requests-running`: the deletion is due, and follows when the last request has settled. */
const deleted = operatorAccount.extend({
  outcome: z.enum(['changed', 'unchanged', 'deleted', 'deleted-already', 'requests-running']),
  /** What a deletion that was carried out took. */
  forfeited: amount.nullable(),
});

/** Acts on the standing of an account. One that finds its goal reached changes nothing and says so. */
export const operatorStandingRoutes = {
  suspendAccount: defineRoute({
    method: 'post', path: '/operator/accounts/{id}/suspend', access: 'operator', summary: 'Refuses the requests of an account until it is reactivated. Its owner reads the reason.',
    params, body: z.strictObject({ reason: label(500) }), reply: changed,
  }),
  reactivateAccount: defineRoute({
    method: 'post', path: '/operator/accounts/{id}/reactivate', access: 'operator', summary: 'Ends a suspension.', params, reply: changed,
  }),
  blockAccount: defineRoute({
    method: 'post', path: '/operator/accounts/{id}/block', access: 'operator', summary: 'Puts an account on the blocklist.', params, reply: changed,
  }),
  unblockAccount: defineRoute({
    method: 'post', path: '/operator/accounts/{id}/unblock', access: 'operator', summary: 'Takes an account off the blocklist.', params, reply: changed,
  }),
  verifyAccount: defineRoute({
    method: 'post', path: '/operator/accounts/{id}/verify-email', access: 'operator', summary: 'Counts the e-mail address of an account as verified.', params, reply: changed,
  }),
  deleteAccount: defineRoute({
    method: 'post', path: '/operator/accounts/{id}/deletion', access: 'operator', fresh: true,
    summary: 'Schedules the deletion of an account, or carries it out now, which nothing undoes.',
    params, body: z.strictObject({ now: z.boolean().default(false) }), reply: deleted,
  }),
  cancelDeletionOfAccount: defineRoute({
    method: 'delete', path: '/operator/accounts/{id}/deletion', access: 'operator', summary: 'Cancels the deletion of an account.', params, reply: changed,
  }),
  blockKey: defineRoute({
    method: 'post', path: '/operator/accounts/{id}/keys/{key}/block', access: 'operator', summary: 'Puts a key on the blocklist.', params: keyParams, reply: apiKey,
  }),
  unblockKey: defineRoute({
    method: 'post', path: '/operator/accounts/{id}/keys/{key}/unblock', access: 'operator', summary: 'Takes a key off the blocklist.', params: keyParams, reply: apiKey,
  }),
  revokeKeyOfAccount: defineRoute({
    method: 'post', path: '/operator/accounts/{id}/keys/{key}/revoke', access: 'operator', fresh: true, summary: 'Revokes a key of an account for ever.', params: keyParams, reply: apiKey,
  }),
} as const;

export const operatorPeopleRoutes = {
  invitePerson: defineRoute({
    method: 'post', path: '/operator/invitations', access: 'operator', status: 202,
    summary: 'Mails a link with which the invited person chooses a password, in place of an earlier one; the link proves the address.',
    body: z.strictObject({ email, name: label(100) }), reply: z.strictObject({ object: z.literal('invitation'), email: z.string() }),
  }),
  listSessionsOfPerson: defineRoute({
    method: 'get', path: '/operator/people/{id}/sessions', access: 'operator', summary: 'The sessions of a person that are alive, most recently used first.',
    params, reply: z.strictObject({ object: z.literal('list'), data: z.array(session).readonly(), has_more: z.literal(false) }),
  }),
  endSessionsOfPerson: defineRoute({
    method: 'delete', path: '/operator/people/{id}/sessions', access: 'operator', fresh: true, status: 204, summary: 'Ends all sessions of a person.', params,
  }),
} as const;

/** An entry of the audit trail. What has been erased of it is `null` or left out. */
const auditEntry = z.strictObject({
  /** From 1, without gaps. */
  number: z.number().int().min(1),
  object: z.literal('audit_entry'),
  at: instant,
  actor: z.strictObject({ kind: z.enum(['operator', 'owner', 'system']), id: z.string() }),
  /** `null` in entries from before origins were recorded. */
  origin: z.strictObject({ place: z.enum(['gateway', 'command-line']), user: z.string().nullable(), address: z.string().nullable() }).nullable(),
  action: z.string(),
  subject: z.string(),
  account_id: z.string().nullable(),
  details: z.record(z.string(), z.unknown()),
  /** Names, addresses and reasons, by what they are. */
  texts: z.record(z.string(), z.string()),
});

export const auditRoutes = {
  listAudit: defineRoute({
    method: 'get', path: '/operator/audit', access: 'operator', summary: 'Who changed what, when and from where, newest first.',
    query: z.strictObject({
      account: id.optional(), actor_kind: z.enum(['operator', 'owner', 'system']).optional(), actor: text(100).optional(), action: text(100).optional(),
      start: instant.optional(), end: instant.optional(), limit: pageLimit, cursor,
    }),
    reply: listOf(auditEntry),
  }),
  verifyAudit: defineRoute({
    method: 'post', path: '/operator/audit/verify', access: 'operator', summary: 'Recomputes the chain of hashes over the whole audit trail; requests at the same time share one run.',
    reply: z.strictObject({
      object: z.literal('audit_verification'),
      /** How many entries were written. */
      entries: z.number().int().min(0),
      first_broken_entry: z.number().int().nullable(),
      fault: z.enum(['altered', 'missing', 'cut-off', 'added']).nullable(),
      verified_at: instant,
    }),
  }),
} as const;
