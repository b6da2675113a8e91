import { z } from 'zod';
import { defineRoute } from '../../route-contract.js';
import { cursor, id, instant, listOf, pageLimit, text } from '../../values.js';

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
