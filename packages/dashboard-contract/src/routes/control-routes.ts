import { z } from 'zod';
import { cursor, defineRoute, id, instant, listOf, pageLimit, text } from '../route-contract.js';
import { banner } from './account-routes.js';

/** Whether it is one line that is not blank, the core decides. */
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
export const incidentLimit = z.strictObject({
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
    query: z.strictObject({ limit: pageLimit, cursor }), reply: listOf(block),
  }),
  block: defineRoute({
    method: 'post', path: '/operator/blocks', access: 'operator',
    summary: 'Refuses the requests of an account, a key or a network. What is blocked already keeps its terms.',
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
    method: 'put', path: '/operator/maintenance', access: 'operator', summary: 'Begins maintenance now or at a time to come, or ends it.',
    body: z.discriminatedUnion('state', [maintenanceToSet, z.strictObject({ state: z.literal('off') })]),
    reply: maintenance,
  }),
  previewMaintenance: defineRoute({
    method: 'post', path: '/operator/maintenance/preview', access: 'operator', summary: 'The banner that owners would see of a maintenance. Changes nothing.',
    body: maintenanceToSet, reply: bannerPreview,
  }),
  listIncidentLimits: defineRoute({
    method: 'get', path: '/operator/incident-limits', access: 'operator', summary: 'Incident limits in force.', reply: listOf(incidentLimit),
  }),
  setIncidentLimit: defineRoute({
    method: 'post', path: '/operator/incident-limits', access: 'operator', summary: 'Limits each account’s requests to one model; replaces the limit that it has.',
    body: limitToSet, reply: incidentLimit,
  }),
  previewIncidentLimit: defineRoute({
    method: 'post', path: '/operator/incident-limits/preview', access: 'operator',
    summary: 'The banner that owners whose plan has the model would see of an incident limit, were it the only one. Changes nothing.',
    body: limitToSet, reply: bannerPreview,
  }),
  clearIncidentLimit: defineRoute({
    method: 'delete', path: '/operator/incident-limits/{model}', access: 'operator', status: 204, summary: 'Ends the incident limit of a model.',
    params: z.strictObject({ model: modelName }),
  }),
} as const;
