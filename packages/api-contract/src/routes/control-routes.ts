import { ACTOR_KINDS, PAGE_SIZES } from '@tollgate/core';
import { z } from 'zod';
import { amount, cursor, displayName, email, id, instant, label, listOf, NOT_BLANK, text } from '../definition/field-schemas.js';
import { pageLimit } from '../definition/page-limit.js';
import { defineRoute } from '../definition/route-contract.js';
import { accountInPath } from '../shapes/account.js';
import { apiKey, issuedKey, keyChange, keyCreation } from './key-routes.js';
import { operatorAccount } from './operator-account-routes.js';
import { session } from './sign-in-routes.js';
import { banner } from './account-routes.js';

const params = accountInPath;
const keyParams = params.extend({ key: id.describe('The id of the key.') });

/** The account after the act. */
const changed = operatorAccount.extend({ outcome: z.enum(['changed', 'unchanged']).describe('Whether the act changed anything.') });

/** `requests-running`: the account is deleted after its last running request. `charge-running`: after the provider has answered a charge. */
const deleted = operatorAccount.extend({
  outcome: z.enum(['changed', 'unchanged', 'deleted', 'deleted-already', 'requests-running', 'charge-running']).describe('The outcome of the act.'),
  forfeited: amount.nullable().describe('The forfeited balance of a deletion that was carried out.'),
});

/** Acts on an account's standing. The outcome says if an act had no effect. */
export const operatorStandingRoutes = {
  suspendAccount: defineRoute({
    method: 'post', path: '/operator/accounts/{id}/suspend', access: 'operator', summary: 'Refuses the requests of an account until it is reactivated. Its owner reads the reason.',
    params, body: z.strictObject({ reason: label(500).describe('Why, as the owner reads it.') }), reply: changed,
  }),
  reactivateAccount: defineRoute({
    method: 'post', path: '/operator/accounts/{id}/reactivate', access: 'operator', summary: 'Ends a suspension.', params, reply: changed,
  }),
  blockAccount: defineRoute({
    method: 'post', path: '/operator/accounts/{id}/block', access: 'operator', summary: 'Blocks an account: its requests are refused.', params, reply: changed,
  }),
  unblockAccount: defineRoute({
    method: 'post', path: '/operator/accounts/{id}/unblock', access: 'operator', summary: 'Ends the block of an account.', params, reply: changed,
  }),
  verifyAccount: defineRoute({
    method: 'post', path: '/operator/accounts/{id}/verify-email', access: 'operator', summary: 'Marks the e-mail address of an account as verified.', params, reply: changed,
  }),
  changeAddressOfAccount: defineRoute({
    method: 'post', path: '/operator/accounts/{id}/address', access: 'operator', fresh: true,
    summary: 'Changes the address of an account and its owner, whose sessions and links end. The operator vouches for the new address; both addresses get a message.',
    params, body: z.strictObject({ email: email.describe('The new address.') }), reply: changed,
  }),
  deleteAccount: defineRoute({
    method: 'post', path: '/operator/accounts/{id}/deletion', access: 'operator', fresh: true,
    summary: 'Schedules the deletion of an account, or carries it out now, which cannot be undone.',
    params, body: z.strictObject({ now: z.boolean().default(false).describe('True to delete at once instead of after the days of grace.') }), reply: deleted,
  }),
  cancelDeletionOfAccount: defineRoute({
    method: 'delete', path: '/operator/accounts/{id}/deletion', access: 'operator', summary: 'Cancels the deletion of an account.', params, reply: changed,
  }),
  createKeyOfAccount: defineRoute({
    method: 'post', path: '/operator/accounts/{id}/keys', access: 'operator', status: 201, fresh: true, summary: 'Creates a key of an account. Only this response contains its secret.', params, body: keyCreation, reply: issuedKey,
  }),
  changeKeyOfAccount: defineRoute({
    method: 'patch', path: '/operator/accounts/{id}/keys/{key}', access: 'operator', summary: 'Changes name, models or spending limit of a key of an account; omitted fields keep their values.', params: keyParams, body: keyChange, reply: apiKey,
  }),
  blockKey: defineRoute({
    method: 'post', path: '/operator/accounts/{id}/keys/{key}/block', access: 'operator', summary: 'Blocks a key: its requests are refused.', params: keyParams, reply: apiKey,
  }),
  unblockKey: defineRoute({
    method: 'post', path: '/operator/accounts/{id}/keys/{key}/unblock', access: 'operator', summary: 'Ends the block of a key.', params: keyParams, reply: apiKey,
  }),
  revokeKeyOfAccount: defineRoute({
    method: 'post', path: '/operator/accounts/{id}/keys/{key}/revoke', access: 'operator', fresh: true, summary: 'Revokes a key of an account permanently.', params: keyParams, reply: apiKey,
  }),
} as const;

export const operatorPeopleRoutes = {
  invitePerson: defineRoute({
    method: 'post', path: '/operator/invitations', access: 'operator', status: 202,
    summary: 'Mails a link with which the invited person chooses a password, in place of an earlier one; the link proves the address.',
    body: z.strictObject({ email: email.describe('The address of the new person.'), name: displayName.describe('The name of the new person.') }), reply: z.strictObject({ object: z.literal('invitation').describe('The kind of object.'), email: z.string().describe('The address that the invitation was sent to.') }),
  }),
  listSessionsOfPerson: defineRoute({
    method: 'get', path: '/operator/people/{id}/sessions', access: 'operator', summary: 'The active sessions of a person, most recently used first.',
    params, reply: z.strictObject({ object: z.literal('list').describe('The kind of object.'), data: z.array(session).readonly().describe('The sessions of the person.'), has_more: z.literal(false).describe('Always `false`: the list is complete.') }),
  }),
  endSessionsOfPerson: defineRoute({
    method: 'delete', path: '/operator/people/{id}/sessions', access: 'operator', fresh: true, status: 204, summary: 'Ends all sessions of a person.', params,
  }),
} as const;

/** An entry of the audit log. Erased parts are `null` or absent. */
const auditEntry = z.strictObject({
  number: z.number().int().min(1).describe('From 1, without gaps.'),
  object: z.literal('audit_entry').describe('The kind of object.'),
  at: instant.describe('When it happened.'),
  actor: z.strictObject({ kind: z.enum(ACTOR_KINDS).describe('The kind of actor.'), id: z.string().describe('The id of the actor.') }).describe('Who did it.'),
  origin: z.strictObject({ place: z.enum(['gateway', 'command-line']).describe('Where the act was made.'), user: z.string().nullable().describe('On the command line: the user of the machine.'), address: z.string().nullable().describe('The address that the act came from.'), via: z.string().nullable().describe('The machine whose link began the session of the act, `machine:…`; `null` for none.') }).describe('Where it came from.'),
  action: z.string().describe('What it happened to, and what happened: `key.created`.'),
  subject: z.string().describe('The id of what was changed.'),
  account_id: z.string().nullable().describe('The account that it concerns; `null` for none.'),
  details: z.record(z.string(), z.unknown()).describe('What was changed, without personal texts.'),
  texts: z.record(z.string(), z.string()).describe('Names, addresses and reasons, by what they are.'),
}).meta({ id: 'AuditEntry', description: 'An entry of the audit log.' });

export const auditRoutes = {
  listAudit: defineRoute({
    method: 'get', path: '/operator/audit', access: 'operator', summary: 'Who changed what, when and from where, newest first.',
    query: z.strictObject({
      account: id.optional().describe('Only entries about this account.'), actor_kind: z.enum(ACTOR_KINDS).optional().describe('Only entries of this kind of actor.'), actor: text(100).optional().describe('Only entries of the actor with this id.'), action: text(100).optional().describe('Only entries of this action, such as `key.created`.'),
      start: instant.optional().describe('Only entries at or after this time.'), end: instant.optional().describe('Only entries before this time.'), limit: pageLimit(PAGE_SIZES.audit.dashboard).describe('How many items the page has.'), cursor: cursor.describe('The `next_cursor` of the page before.'),
    }),
    reply: listOf(auditEntry),
  }),
  verifyAudit: defineRoute({
    method: 'post', path: '/operator/audit/verify', access: 'operator', summary: 'Recomputes the chain of hashes over the whole audit log; requests at the same time share one run.',
    reply: z.strictObject({
      object: z.literal('audit_verification').describe('The kind of object.'),
      entries: z.number().int().min(0).describe('How many entries were written.'),
      first_broken_entry: z.number().int().nullable().describe('The first entry that is not as it was written; `null` if all are.'),
      fault: z.enum(['altered', 'missing', 'cut-off', 'added']).nullable().describe('What is wrong with it; `null` if nothing is.'),
      verified_at: instant.describe('When the chain was recomputed.'),
    }),
  }),
} as const;

/** The core checks that the text is a single line and not blank. */
const operatorText = text(500).meta(NOT_BLANK).nullable().default(null);

export const block = z.strictObject({
  id: z.string().describe('Of the account or key; of a network its canonical form.'),
  object: z.literal('block').describe('The kind of object.'),
  kind: z.enum(['account', 'key', 'network']).describe('What is blocked.'),
  reason: z.string().nullable().describe('Why, for operators.'),
  blocked_by: z.string().nullable().describe('The id of the actor.'),
  blocked_at: instant.describe('When it was blocked.'),
  expires_at: instant.nullable().describe('When the block ends; `null` until an operator ends it.'),
}).meta({ id: 'Block', description: 'An account, a key or a network whose requests are refused.' });

export const maintenance = z.strictObject({
  object: z.literal('maintenance').describe('The kind of object.'),
  state: z.enum(['off', 'planned', 'on']).describe('Whether maintenance is off, planned or on.'),
  from: instant.nullable().describe('When it begins; `null` if it is off.'),
  until: instant.nullable().describe('When it ends; `null` until an operator ends it.'),
  message: z.string().nullable().describe('The operator’s own sentence for clients.'),
  text: z.string().nullable().describe('What owners and clients read while it lasts.'),
  banner: banner.nullable().describe('What owners see now; `null` for nothing.'),
  set_by: z.string().nullable().describe('The id of the operator who set it.'),
  set_at: instant.nullable().describe('When it was set.'),
});

/** Notice that owners' pages would show if the restriction applied now. */
const bannerPreview = z.strictObject({ object: z.literal('banner_preview').describe('The kind of object.'), banner: banner.nullable().describe('What owners would see; `null` for nothing.') });

const count = z.number().int().min(0).max(1_000_000_000_000).nullable();

/** Limits each account's requests to one model, in addition to its plan. */
const incidentLimit = z.strictObject({
  object: z.literal('incident_limit').describe('The kind of object.'),
  model: z.string().describe('Slug of the model.'),
  requests_per_minute: count.describe('Requests a minute; `null` for no limit.'),
  tokens_per_minute: count.describe('Tokens a minute; `null` for no limit.'),
  concurrent_requests: count.describe('Requests at the same time; `null` for no limit.'),
  expires_at: instant.nullable().describe('When the limit ends; `null` until an operator ends it.'),
  set_at: instant.describe('When it was set.'),
  set_by: z.string().nullable().describe('The id of the operator who set it.'),
});

/** A model's slug or alias. */
const modelName = z.string().min(1).max(200);

const maintenanceToSet = z.strictObject({ state: z.literal('on').describe('Sets maintenance.'), from: instant.nullable().default(null).describe('When it begins; `null`: at once.'), until: instant.nullable().default(null).describe('When it ends; `null`: when an operator ends it.'), message: operatorText.describe('A sentence for clients.') });
const limitToSet = z.strictObject({
  model: modelName.describe('Slug of the model.'), requests_per_minute: count.default(null).describe('Requests a minute; `null` for no limit.'), tokens_per_minute: count.default(null).describe('Tokens a minute; `null` for no limit.'), concurrent_requests: count.default(null).describe('Requests at the same time; `null` for no limit.'),
  expires_at: instant.nullable().default(null).describe('When the limit ends; `null`: when an operator ends it.'),
});

export const controlRoutes = {
  listBlocks: defineRoute({
    method: 'get', path: '/operator/blocks', access: 'operator', summary: 'Blocked accounts, keys and networks, newest first.',
    query: z.strictObject({ limit: pageLimit(PAGE_SIZES.blocks.dashboard).describe('How many items the page has.'), cursor: cursor.describe('The `next_cursor` of the page before.') }), reply: listOf(block),
  }),
  block: defineRoute({
    method: 'post', path: '/operator/blocks', access: 'operator',
    summary: 'Refuses the requests of an account, a key or a network. An existing block keeps its terms.',
    body: z.discriminatedUnion('kind', [
      z.strictObject({ kind: z.enum(['account', 'key']).describe('What is blocked.'), subject: id.describe('The id of the account or key.'), reason: operatorText.describe('Why, for operators.'), expires_at: instant.nullable().default(null).describe('When the block ends; `null`: when an operator ends it.') }),
      z.strictObject({ kind: z.literal('network').describe('A network.'), subject: z.string().max(64).describe('An address or a CIDR range.'), reason: operatorText.describe('Why, for operators.'), expires_at: instant.nullable().default(null).describe('When the block ends; `null`: when an operator ends it.') }),
    ]),
    reply: block,
  }),
  unblock: defineRoute({
    method: 'delete', path: '/operator/blocks/{id}', access: 'operator', status: 204, summary: 'Ends a block, named by the id of its account or key, or by its network.',
    params: z.strictObject({ id: z.string().min(1).max(100).describe('The id of the block.') }),
  }),
  maintenance: defineRoute({
    method: 'get', path: '/operator/maintenance', access: 'operator', summary: 'Maintenance that is on or planned.', reply: maintenance,
  }),
  setMaintenance: defineRoute({
    method: 'put', path: '/operator/maintenance', access: 'operator', summary: 'Starts maintenance now, schedules it, or ends it.',
    body: z.discriminatedUnion('state', [maintenanceToSet, z.strictObject({ state: z.literal('off').describe('Ends maintenance.') })]),
    reply: maintenance,
  }),
  previewMaintenance: defineRoute({
    method: 'post', path: '/operator/maintenance/preview', access: 'operator', summary: 'A preview of the banner for maintenance, as owners see it. Changes nothing.',
    body: maintenanceToSet, reply: bannerPreview,
  }),
  listIncidentLimits: defineRoute({
    method: 'get', path: '/operator/incident-limits', access: 'operator', summary: 'Incident limits in force.', reply: listOf(incidentLimit),
  }),
  setIncidentLimit: defineRoute({
    method: 'post', path: '/operator/incident-limits', access: 'operator', summary: 'Limits each account’s requests to one model; replaces an existing limit of the model.',
    body: limitToSet, reply: incidentLimit,
  }),
  previewIncidentLimit: defineRoute({
    method: 'post', path: '/operator/incident-limits/preview', access: 'operator',
    summary: 'A preview of the banner for one incident limit, as owners see it whose plan has the model. Changes nothing.',
    body: limitToSet, reply: bannerPreview,
  }),
  clearIncidentLimit: defineRoute({
    method: 'delete', path: '/operator/incident-limits/{model}', access: 'operator', status: 204, summary: 'Ends the incident limit of a model.',
    params: z.strictObject({ model: modelName.describe('Slug of the model.') }),
  }),
} as const;
