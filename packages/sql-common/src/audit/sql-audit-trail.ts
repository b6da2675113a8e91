import {
  type AccountId, type Actor, type ActOrigin, MAX_AUDIT_PAGE, auditCursorOf, type AuditedAct, type AuditedBy, type AuditPage, type AuditPosition,
  type AuditQuery, type AuditRecord, type AuditTrail, type AuditTrailVerification, invariant, type JsonObject, readAuditCursor,
} from '@tollgate/core';
import { AUDIT_ENTRY_COLUMNS, AUDIT_TEXT_COLUMNS } from '../schema/column-lists.js';
import { instantFromColumn } from '../schema/column-values.js';
import type { Queries } from '../script/queries.js';
import { rowsOf, type Script } from '../script/script.js';
import type { ScriptRunner } from '../script/script-runner.js';
import { appendAuditEntry, type AuditRow, type AuditTextRow, recordAccountView, textsByEntry } from './append-audit-entry.js';
import { AuditChain } from './audit-chain.js';

type Filters = Omit<AuditQuery, 'cursor'>;

/** The texts `user` and `address` belong to the origin, because they describe the actor. */
function recordOf(row: AuditRow, rows: readonly AuditTextRow[]): AuditRecord {
  const { user = null, address = null, ...texts } = Object.fromEntries<string | null>(rows.map(({ field, text }) => [field, text]));
  return {
    number: Number(row.seq),
    at: instantFromColumn(row.at),
    actor: { kind: row.actor_kind as Actor['kind'], id: row.actor_id },
    origin: { place: row.origin as ActOrigin['place'], user, address, via: row.via },
    action: row.action,
    subject: row.subject,
    accountId: row.account_id as AccountId | null,
    details: JSON.parse(row.details) as JsonObject,
    texts: texts as Readonly<Record<string, string>>,
  };
}

function entriesOf(queries: Queries, { accountId, actorKind, actorId, action, from, to, limit }: Filters) {
  return queries.selectFrom('audit_entries').select(AUDIT_ENTRY_COLUMNS)
    .$if(accountId !== null, (entries) => entries.where('account_id', '=', accountId))
    .$if(actorKind !== null, (entries) => entries.where('actor_kind', '=', actorKind))
    .$if(actorId !== null, (entries) => entries.where('actor_id', '=', actorId))
    .$if(action !== null, (entries) => entries.where('action', '=', action))
    .$if(from !== null, (entries) => entries.where('at', '>=', BigInt(from ?? 0)))
    .$if(to !== null, (entries) => entries.where('at', '<', BigInt(to ?? 0)))
    .orderBy('at', 'desc').orderBy('seq', 'desc').limit(limit + 1);
}

/** Reads a page of entries, newest first, with their personal texts that have not been erased. */
function* listAuditEntries(queries: Queries, filters: Filters, after: AuditPosition | null): Script<AuditPage> {
  const entries = entriesOf(queries, filters);
  const found = yield* rowsOf(after === null ? entries : entries.where((entry) => entry(
    entry.refTuple('at', 'seq'), '<', entry.tuple(BigInt(after.at), BigInt(after.number)),
  )));
  const page = found.slice(0, filters.limit);
  const last = found.length > filters.limit ? page.at(-1) : undefined;
  const texts = page.length === 0 ? [] : yield* rowsOf(queries.selectFrom('audit_texts').select(AUDIT_TEXT_COLUMNS).where('entry', 'in', page.map(({ seq }) => seq)));
  const byEntry = textsByEntry(texts);
  return {
    records: page.map((row) => recordOf(row, byEntry.get(row.seq) ?? [])),
    nextCursor: last === undefined ? null : auditCursorOf({ at: instantFromColumn(last.at), number: Number(last.seq) }),
  };
}

export class SqlAuditTrail implements AuditTrail {
  private readonly chain: AuditChain;

  constructor(private readonly queries: Queries, private readonly runner: ScriptRunner) {
    this.chain = new AuditChain(queries);
  }

  verifyAuditTrail(): Promise<AuditTrailVerification> {
    return this.runner.readInBackground(() => this.chain.verify());
  }

  async list({ cursor, ...filters }: AuditQuery): Promise<AuditPage | null> {
    invariant(filters.limit >= 1 && filters.limit <= MAX_AUDIT_PAGE, 'pages of the audit log are bounded');
    const after = cursor === null ? null : readAuditCursor(cursor);
    if (cursor !== null && after === null) return null;
    return this.runner.read(() => listAuditEntries(this.queries, filters, after));
  }

  recordView(accountId: AccountId, by: AuditedBy): Promise<boolean> {
    return this.runner.write(() => recordAccountView(this.queries, accountId, by));
  }

  append(act: AuditedAct): Promise<void> {
    return this.runner.write(() => appendAuditEntry(this.queries, act));
  }
}
