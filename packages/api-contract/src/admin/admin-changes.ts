import { PAGE_SIZES } from '@tollgate/core';
import { z } from 'zod';
import { changeOf, email, id, instant, pageOf } from '../definition/field-schemas.js';
import { pageLimit } from '../definition/page-limit.js';
import { controlRoutes, operatorStandingRoutes } from '../routes/control-routes.js';
import { keyRoutes } from '../routes/key-routes.js';
import { alertThresholds, chosenAlertThresholds } from '../routes/notification-routes.js';
import { moneyAct, operatorAccount, operatorAccountRoutes } from '../routes/operator-account-routes.js';
import { creditsLeft } from '../shapes/credit.js';
import { balance } from '../shapes/account.js';
import { accountParams, accountReference } from './account-reference.js';
import { defineAdminRoute } from './admin-route.js';

/** These schemas check the types only; the core checks lengths and uniqueness. */
const ownFields = {
  external_id: z.string().nullable().optional().describe('Your own id for the account: unique, 1 to 200 characters; `null` for none.'),
  metadata: z.record(z.string(), z.string()).optional().describe('Your own notes: at most 16 texts, keys of 1 to 40 and values of up to 500 characters. Replaces all of it.'),
};

const changed = operatorStandingRoutes.suspendAccount.reply;

export const accountChanges = {
  createAccount: defineAdminRoute({
    method: 'post', path: '/accounts', access: 'accounts:write', status: 201, summary: 'Creates an account without a person; the person who verifies its address owns it.',
    body: operatorAccountRoutes.createAccount.body.extend(ownFields), reply: operatorAccount,
  }),
  changeAccount: defineAdminRoute({
    method: 'patch', path: '/accounts/{id}', access: 'accounts:write', summary: 'Changes name, plan, price list, external id, metadata or the thresholds of a low balance; omitted fields keep their values.', params: accountParams,
    body: changeOf({
      ...operatorAccountRoutes.changeAccount.body.shape, ...ownFields,
      alert_thresholds: chosenAlertThresholds.optional().describe('One to three balances in service tokens below which there is an event `balance.low`; `null` for the default of the installation.'),
    }),
    reply: operatorAccount.extend(alertThresholds),
  }),
  requestEmailChange: defineAdminRoute({
    method: 'post', path: '/accounts/{id}/email-change', access: 'accounts:write', status: 202, codes: ['session_required', 'too_many_attempts'],
    summary: 'Requests another address for an account. Its owner confirms it by a link to the present address and one to the new address.', params: accountParams,
    body: z.strictObject({ email: email.describe('The new address.') }),
    reply: z.strictObject({
      object: z.literal('email_change').describe('The kind of object.'),
      account_id: id.describe('The id of the account.'),
      email: z.string().describe('The new address, as it was requested.'),
      expires_at: instant.describe('When the link to the present address stops working.'),
    }).meta({ id: 'EmailChange', description: 'A change of address that its owner has yet to confirm.' }),
  }),
  suspendAccount: defineAdminRoute({
    method: 'post', path: '/accounts/{id}/suspend', access: 'accounts:write', codes: ['session_required'], summary: 'Refuses the requests of an account until it is reactivated. Its owner reads the reason.',
    params: accountParams, body: operatorStandingRoutes.suspendAccount.body, reply: changed,
  }),
  reactivateAccount: defineAdminRoute({
    method: 'post', path: '/accounts/{id}/reactivate', access: 'accounts:write', summary: 'Ends a suspension.', params: accountParams, reply: changed,
  }),
  blockAccount: defineAdminRoute({
    method: 'post', path: '/accounts/{id}/block', access: 'accounts:write', codes: ['session_required'], summary: 'Blocks an account: its requests are refused.', params: accountParams, reply: changed,
  }),
  unblockAccount: defineAdminRoute({
    method: 'post', path: '/accounts/{id}/unblock', access: 'accounts:write', summary: 'Ends the block of an account.', params: accountParams, reply: changed,
  }),
  scheduleDeletion: defineAdminRoute({
    method: 'post', path: '/accounts/{id}/deletion', access: 'accounts:write', codes: ['session_required'], summary: 'Schedules the deletion of an account.', params: accountParams, reply: changed,
  }),
  cancelDeletion: defineAdminRoute({
    method: 'delete', path: '/accounts/{id}/deletion', access: 'accounts:write', summary: 'Cancels the deletion of an account.', params: accountParams, reply: changed,
  }),
} as const;

const booking = z.strictObject({
  object: z.literal('booking').describe('The kind of object.'),
  repeated: z.boolean().describe('Whether it was booked before, so that nothing is changed.'),
  entry: moneyAct.describe('What the first request with the reference booked.'),
  balance: balance.describe('The balance afterwards.'),
}).meta({ id: 'AdminBooking', description: 'A credit, refund or correction.' });

export const moneyChanges = {
  listCredits: defineAdminRoute({
    method: 'get', path: '/accounts/{id}/credits', access: 'accounts:read', summary: 'The unused part of each credit of an account, and when it expires.', params: accountParams, reply: creditsLeft,
  }),
  credit: defineAdminRoute({
    method: 'post', path: '/accounts/{id}/credits', access: 'money:write', status: 201, summary: 'Adds service tokens to a balance, once per reference.',
    params: accountParams, body: operatorAccountRoutes.creditAccount.body, reply: booking,
  }),
  refund: defineAdminRoute({
    method: 'post', path: '/accounts/{id}/refunds', access: 'money:write', status: 201,
    summary: 'Refunds service tokens for one request, in total at most its charge, once per reference.', params: accountParams, body: operatorAccountRoutes.refundRequest.body, reply: booking,
  }),
  correct: defineAdminRoute({
    method: 'post', path: '/accounts/{id}/corrections', access: 'money:write', status: 201,
    summary: 'Raises a balance by a positive amount, or lowers it by a negative one, by at most the available balance; once per reference.',
    params: accountParams, body: operatorAccountRoutes.correctBalance.body, reply: booking,
  }),
} as const;

const keyParams = z.strictObject({ id: accountReference.describe('The id of the account, or `external:` and your own id for it.'), key: id.describe('The id of the key.') });
const issuedKey = keyRoutes.createKey.reply.extend({ secret: z.string().nullable().describe('The secret of the key; `null` when the reply is sent again.') });

export const keyChanges = {
  createKey: defineAdminRoute({
    method: 'post', path: '/accounts/{id}/keys', access: 'keys:write', status: 201, summary: 'Creates a key for an account. Only the first response contains its secret.',
    params: accountParams, body: keyRoutes.createKey.body, reply: issuedKey,
  }),
  changeKey: defineAdminRoute({
    method: 'patch', path: '/accounts/{id}/keys/{key}', access: 'keys:write', summary: 'Changes name, models or spending limit of a key; omitted fields keep their values.',
    params: keyParams, body: keyRoutes.changeKey.body, reply: keyRoutes.changeKey.reply,
  }),
  rotateKey: defineAdminRoute({
    method: 'post', path: '/accounts/{id}/keys/{key}/rotate', access: 'keys:write', status: 201,
    summary: 'Revokes a key and creates its replacement with the same terms. Only the first response contains the secret.', params: keyParams, reply: issuedKey,
  }),
  revokeKey: defineAdminRoute({
    method: 'post', path: '/accounts/{id}/keys/{key}/revoke', access: 'keys:write', summary: 'Revokes a key permanently.', params: keyParams, reply: keyRoutes.revokeKey.reply,
  }),
} as const;

const { block, unblock, maintenance, setMaintenance, listIncidentLimits, setIncidentLimit, clearIncidentLimit } = controlRoutes;

export const platformRoutes = {
  listBlocks: defineAdminRoute({
    method: 'get', path: '/blocks', access: 'controls:write', summary: 'Blocked accounts, keys and networks, newest first.',
    query: controlRoutes.listBlocks.query.extend({ limit: pageLimit(PAGE_SIZES.blocks.dashboard).describe('How many items the page has.') }), reply: pageOf(block.reply),
  }),
  block: defineAdminRoute({
    method: 'post', path: '/blocks', access: 'controls:write', status: 201, codes: ['session_required'], summary: block.summary, body: block.body, reply: block.reply,
  }),
  unblock: defineAdminRoute({
    method: 'delete', path: '/blocks/{id}', access: 'controls:write', status: 204, summary: unblock.summary, params: unblock.params,
  }),
  readMaintenance: defineAdminRoute({
    method: 'get', path: '/maintenance', access: 'controls:write', summary: maintenance.summary, reply: maintenance.reply,
  }),
  setMaintenance: defineAdminRoute({
    method: 'put', path: '/maintenance', access: 'controls:write', summary: setMaintenance.summary, body: setMaintenance.body, reply: maintenance.reply,
  }),
  endMaintenance: defineAdminRoute({
    method: 'delete', path: '/maintenance', access: 'controls:write', summary: 'Ends maintenance.', reply: maintenance.reply,
  }),
  listIncidentLimits: defineAdminRoute({
    method: 'get', path: '/incident-limits', access: 'controls:write', summary: listIncidentLimits.summary, reply: pageOf(setIncidentLimit.reply),
  }),
  setIncidentLimit: defineAdminRoute({
    method: 'post', path: '/incident-limits', access: 'controls:write', status: 201, summary: setIncidentLimit.summary, body: setIncidentLimit.body, reply: setIncidentLimit.reply,
  }),
  clearIncidentLimit: defineAdminRoute({
    method: 'delete', path: '/incident-limits/{model}', access: 'controls:write', status: 204, summary: clearIncidentLimit.summary, params: clearIncidentLimit.params,
  }),
} as const;
