import { z } from 'zod';
import { defineRoute } from '../../route-contract.js';
import { amount, id, label } from '../../values.js';
import { apiKey } from '../key-routes.js';
import { operatorAccount } from './account-routes.js';

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
