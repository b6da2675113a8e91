import { ACTOR_KINDS, PAGE_SIZES } from '@tollgate/core';
import { z } from 'zod';
import { amount, cursor, displayName, email, id, instant, label, listOf, text } from '../definition/field-schemas.js';
import { pageLimit } from '../definition/page-limit.js';
import { defineRoute } from '../definition/route-contract.js';
import { apiKey } from './key-routes.js';
import { operatorAccount } from './operator-account-routes.js';
import { session } from './sign-in-routes.js';
import { banner } from './account-routes.js';

const params = z.strictObject({ id });
const keyParams = z.strictObject({ id, key: id });

/** The account as it is afterwards. */
const changed = operatorAccount.extend({ outcome: z.enum(['changed', 'unchanged']) });

/** `requests-running`: the deletion is due, and follows the last running request. */
const deleted = operatorAccount.extend({
  outcome: z.enum(['changed', 'unchanged', 'deleted', 'deleted-already', 'requests-running']),
  /** What a deletion that was carried out took. */
  forfeited: amount.nullable(),
});

/** Acts on an account's standing. One without an effect says so. */
export const operatorStandingRoutes = {
  suspendAccount: defineRoute({
    method: 'post', path: '/operator/accounts/{id}/suspend', access: 'operator', summary: 'Refuses the requests of an account until it is reactivated. Its owner reads the reason.',
    params, body: z.strictObject({ reason: label(500) }), reply: changed,
  }),
  reactivateAccount: defineRoute({
    method: 'post', path: '/operator/accounts/{id}/reactivate', access: 'operator', summary: 'Ends a suspension.', params, reply: changed,
  }),
  blockAccount: defineRoute({
    method: 'post', path: '/operator/accounts/{id}/block', access: 'operator', summary: 'Adds an account to the blocklist.', params, reply: changed,
  }),
  unblockAccount: defineRoute({
    method: 'post', path: '/operator/accounts/{id}/unblock', access: 'operator', summary: 'Removes an account from the blocklist.', params, reply: changed,
  }),
  verifyAccount: defineRoute({
    method: 'post', path: '/operator/accounts/{id}/verify-email', access: 'operator', summary: 'Marks the e-mail address of an account as verified.', params, reply: changed,
  }),
  deleteAccount: defineRoute({
    method: 'post', path: '/operator/accounts/{id}/deletion', access: 'operator', fresh: true,
    summary: 'Schedules the deletion of an account, or carries it out now, which cannot be undone.',
    params, body: z.strictObject({ now: z.boolean().default(false) }), reply: deleted,
  }),
  cancelDeletionOfAccount: defineRoute({
    method: 'delete', path: '/operator/accounts/{id}/deletion', access: 'operator', summary: 'Cancels the deletion of an account.', params, reply: changed,
  }),
  blockKey: defineRoute({
    method: 'post', path: '/operator/accounts/{id}/keys/{key}/block', access: 'operator', summary: 'Adds a key to the blocklist.', params: keyParams, reply: apiKey,
  }),
  unblockKey: defineRoute({
    method: 'post', path: '/operator/accounts/{id}/keys/{key}/unblock', access: 'operator', summary: 'Removes a key from the blocklist.', params: keyParams, reply: apiKey,
  }),
  revokeKeyOfAccount: defineRoute({
    method: 'post', path: '/operator/accounts/{id}/keys/{key}/revoke', access: 'operator', fresh: true, summary: 'Revokes a key of an account permanently.', params: keyParams, reply: apiKey,
  }),
} as const;

export const operatorPeopleRoutes = {
  invitePerson: defineRoute({
    method: 'post', path: '/operator/invitations', access: 'operator', status: 202,
    summary: 'Mails a link with which the invited person chooses a password, in place of an earlier one; the link proves the address.',
    body: z.strictObject({ email, name: displayName }), reply: z.strictObject({ object: z.literal('invitation'), email: z.string() }),
  }),
  listSessionsOfPerson: defineRoute({
    method: 'get', path: '/operator/people/{id}/sessions', access: 'operator', summary: 'The active sessions of a person, most recently used first.',
    params, reply: z.strictObject({ object: z.literal('list'), data: z.array(session).readonly(), has_more: z.literal(false) }),
  }),
  endSessionsOfPerson: defineRoute({
    method: 'delete', path: '/operator/people/{id}/sessions', access: 'operator', fresh: true, status: 204, summary: 'Ends all sessions of a person.', params,
  }),
} as const;

/** An entry of the audit trail. Erased parts are `null` or absent. */
const auditEntry = z.strictObject({
  /** From 1, without gaps. */
  number: z.number().int().min(1),
  object: z.literal('audit_entry'),
  at: instant,
  actor: z.strictObject({ kind: z.enum(ACTOR_KINDS), id: z.string() }),
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
      account: id.optional(), actor_kind: z.enum(ACTOR_KINDS).optional(), actor: text(100).optional(), action: text(100).optional(),
      start: instant.optional(), end: instant.optional(), limit: pageLimit(PAGE_SIZES.audit.dashboard), cursor,
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

/** The core checks that it is a single line and not blank. */
const operatorText = text(500).nullable().default(null);

/** An account, a key or a network whose requests are refused. */
export const block = z.strictObject({
  /** Of the account or key; of a network its canonical form. */
  id: z.string(),
  object: z.literal('block'),
  kind: z.enum(['account', 'key', 'network']),
  reason: z.string().nullable(),
  /** The id of the actor. */
  blocked_by: z.string().nullable(),
  blocked_at: instant,
  expires_at: instant.nullable(),
});

export const maintenance = z.strictObject({
  object: z.literal('maintenance'),
  state: z.enum(['off', 'planned', 'on']),
  from: instant.nullable(),
  until: instant.nullable(),
  message: z.string().nullable(),
  /** What owners and clients read while it lasts. */
  text: z.string().nullable(),
  /** What the pages of owners show now. */
  banner: banner.nullable(),
  set_by: z.string().nullable(),
  set_at: instant.nullable(),
});

/** What the pages of owners would show, were it set now. */
const bannerPreview = z.strictObject({ object: z.literal('banner_preview'), banner: banner.nullable() });

const count = z.number().int().min(0).max(1_000_000_000_000).nullable();

/** Limits each account's requests to one model, beside its plan. */
const incidentLimit = z.strictObject({
  object: z.literal('incident_limit'),
  model: z.string(),
  requests_per_minute: count,
  tokens_per_minute: count,
  concurrent_requests: count,
  expires_at: instant.nullable(),
  set_at: instant,
  set_by: z.string().nullable(),
});

/** A model's slug or alias. */
const modelName = z.string().min(1).max(200);

const maintenanceToSet = z.strictObject({ state: z.literal('on'), from: instant.nullable().default(null), until: instant.nullable().default(null), message: operatorText });
const limitToSet = z.strictObject({
  model: modelName, requests_per_minute: count.default(null), tokens_per_minute: count.default(null), concurrent_requests: count.default(null),
  expires_at: instant.nullable().default(null),
});

export const controlRoutes = {
  listBlocks: defineRoute({
    method: 'get', path: '/operator/blocks', access: 'operator', summary: 'Blocked accounts, keys and networks, newest first.',
    query: z.strictObject({ limit: pageLimit(PAGE_SIZES.blocks.dashboard), cursor }), reply: listOf(block),
  }),
  block: defineRoute({
    method: 'post', path: '/operator/blocks', access: 'operator',
    summary: 'Refuses the requests of an account, a key or a network. An existing block keeps its terms.',
    body: z.discriminatedUnion('kind', [
      z.strictObject({ kind: z.enum(['account', 'key']), subject: id, reason: operatorText, expires_at: instant.nullable().default(null) }),
      z.strictObject({ kind: z.literal('network'), subject: z.string().max(64), reason: operatorText, expires_at: instant.nullable().default(null) }),
    ]),
    reply: block,
  }),
  unblock: defineRoute({
    method: 'delete', path: '/operator/blocks/{id}', access: 'operator', status: 204, summary: 'Ends a block, named by the id of its account or key, or by its network.',
    params: z.strictObject({ id: z.string().min(1).max(100) }),
  }),
  maintenance: defineRoute({
    method: 'get', path: '/operator/maintenance', access: 'operator', summary: 'Maintenance that is on or planned.', reply: maintenance,
  }),
  setMaintenance: defineRoute({
    method: 'put', path: '/operator/maintenance', access: 'operator', summary: 'Starts maintenance now, schedules it, or ends it.',
    body: z.discriminatedUnion('state', [maintenanceToSet, z.strictObject({ state: z.literal('off') })]),
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
    params: z.strictObject({ model: modelName }),
  }),
} as const;
