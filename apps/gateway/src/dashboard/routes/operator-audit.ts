import { type AccountId, type AuditQuery, type AuditRecord, GatewayError, instant, rfc3339 } from '@tollgate/core';
import { contract, type QueryOf, type ReplyOf } from '@tollgate/api-contract';
import { type DashboardEndpoint, endpoint } from '../call/dashboard-endpoint.js';
import type { DashboardPorts } from '../call/dashboard-ports.js';
import { SharedRun } from '../call/shared-run.js';

export function auditEndpoints({ auditTrail, clock }: DashboardPorts): readonly DashboardEndpoint[] {
  const verification = new SharedRun(() => auditTrail.verifyAuditTrail());
  return [
    endpoint(contract.listAudit)(async ({ query }) => {
      const page = await auditTrail.list(readQuery(query));
      if (page === null) throw new GatewayError('invalid_request', 'cursor: must be the next_cursor of an earlier page.', { param: 'cursor' });
      return { object: 'list', data: page.records.map(encodeEntry), has_more: page.nextCursor !== null, next_cursor: page.nextCursor };
    }),
    endpoint(contract.verifyAudit)(async () => {
      const { entries, firstBrokenEntry, fault } = await verification.join();
      return { object: 'audit_verification', entries, first_broken_entry: firstBrokenEntry, fault, verified_at: rfc3339(clock.now()) };
    }),
  ];
}

type Entry = ReplyOf<typeof contract.listAudit>['data'][number];

function instantOf(text: string | undefined): AuditQuery['from'] {
  return text === undefined ? null : instant(Date.parse(text));
}

function readQuery({ account, limit, cursor, ...filters }: QueryOf<typeof contract.listAudit>): AuditQuery {
  return {
    accountId: account === undefined ? null : account as AccountId, actorKind: filters.actor_kind ?? null, actorId: filters.actor ?? null, action: filters.action ?? null,
    from: instantOf(filters.start), to: instantOf(filters.end), limit, cursor: cursor ?? null,
  };
}

function encodeEntry({ number, at, actor, origin, action, subject, accountId, details, texts }: AuditRecord): Entry {
  return { number, object: 'audit_entry', at: rfc3339(at), actor, origin, action, subject, account_id: accountId, details, texts };
}
