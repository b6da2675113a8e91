import { type Actor, type AuditQuery, type AuditRecord, foldEmail, rfc3339 } from '@tollgate/core';
import { encodeAuditRecord } from '../../encoding/encode-audit-record.js';
import { CommandFailure, misuse } from '../../program/command-failure.js';
import type { OperatorSession } from '../../program/operator-session.js';
import type { Report } from '../../program/report.js';
import { table } from '../../program/table.js';
import { findAccount } from '../../values/find-account.js';
import type { TimeValue } from '../../values/option-values.js';

export interface AuditListOptions {
  readonly account?: string;
  readonly actor?: string;
  readonly action?: string;
  readonly start?: TimeValue;
  readonly end?: TimeValue;
  readonly limit: number;
  readonly cursor?: string;
}

const KINDS: readonly string[] = ['operator', 'owner', 'system'] satisfies readonly Actor['kind'][];

export async function listAudit(session: OperatorSession, { account, actor, action, start, end, limit, cursor }: AuditListOptions): Promise<Report> {
  const now = session.clock.now();
  const page = await session.store.auditTrail.list({
    accountId: account === undefined ? null : (await findAccount(session, account)).id,
    ...await actorFilter(session, actor),
    action: action ?? null,
    from: start?.(now) ?? null,
    to: end?.(now) ?? null,
    limit,
    cursor: cursor ?? null,
  });
  if (page === null) throw misuse('option \'--cursor <text>\' is not a cursor of the audit trail');
  return {
    json: { entries: page.records.map(encodeAuditRecord), next_cursor: page.nextCursor },
    lines: [
      ...table(['ENTRY', 'AT', 'ACTOR', 'FROM', 'ACTION', 'SUBJECT', 'DETAILS'], page.records.map((record) => [
        record.number, rfc3339(record.at), `${record.actor.kind} ${record.actor.id}`, originText(record), record.action, record.subject, detailsText(record),
      ])),
      ...(page.nextCursor === null ? [] : [`There are more: --cursor ${page.nextCursor}`]),
    ],
  };
}

async function actorFilter({ store }: OperatorSession, actor: string | undefined): Promise<Pick<AuditQuery, 'actorKind' | 'actorId'>> {
  if (actor === undefined) return { actorKind: null, actorId: null };
  if (KINDS.includes(actor)) return { actorKind: actor as Actor['kind'], actorId: null };
  if (!actor.includes('@')) return { actorKind: null, actorId: actor };
  const record = await store.people.findByEmail(foldEmail(actor));
  if (record === null) throw new CommandFailure(`there is no person ${actor}`);
  return { actorKind: null, actorId: record.person.id };
}

/** `command-line olga`, `203.0.113.7`; nothing for what the gateway does by itself. */
function originText({ origin }: AuditRecord): string | null {
  if (origin === null) return null;
  return origin.place === 'gateway' ? origin.address : `command-line${origin.user === null ? '' : ` ${origin.user}`}`;
}

function detailsText({ details, texts }: AuditRecord): string {
  return [...Object.entries(details), ...Object.entries(texts)].filter(([, value]) => value !== null)
    .map(([name, value]) => `${name}=${typeof value === 'string' ? value : JSON.stringify(value)}`).join(' ');
}
