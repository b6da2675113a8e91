import type { Queries } from '../script/queries.js';
import type { Script } from '../script/script.js';
import type { ScriptRunner } from '../script/script-runner.js';
import { firstOf } from '../script/script.js';

/** An entry of the ledger or the audit log. `fingerprint` distinguishes it from another entry with the same number. */
export interface SeenEntry {
  readonly number: number;
  readonly fingerprint: string;
}

/** Newest entry of ledger and audit log; `null` if there is none. No entry of either is ever deleted. */
export interface SeenEntries {
  readonly ledger: SeenEntry | null;
  readonly audit: SeenEntry | null;
}

/** `lost` names the tables without an entry that they contained before, which means that acknowledged commits are lost. */
export interface HistoryComparison {
  readonly newest: SeenEntries;
  readonly lost: readonly ('ledger' | 'audit')[];
}

/** Detects that the database was set back, by a failover or a restored file. */
export interface StoreHistory {
  compare(seen: SeenEntries): Promise<HistoryComparison>;
  forgetCached(): void;
}

function ledgerEntries(queries: Queries) {
  return queries.selectFrom('ledger_entries').select(['seq', 'kind', 'amount', 'reservation_id', 'reference', 'at']);
}

function* ledgerEntry(query: ReturnType<typeof ledgerEntries>): Script<SeenEntry | null> {
  const row = yield* firstOf(query);
  if (row === null) return null;
  return { number: Number(row.seq), fingerprint: [row.kind, row.amount, row.reservation_id ?? row.reference ?? '', row.at].join(' ') };
}

function auditEntries(queries: Queries) {
  return queries.selectFrom('audit_entries').select(['seq', 'hash']);
}

function* auditEntry(query: ReturnType<typeof auditEntries>): Script<SeenEntry | null> {
  const row = yield* firstOf(query);
  return row === null ? null : { number: Number(row.seq), fingerprint: row.hash };
}

function isLost(seen: SeenEntry | null, found: SeenEntry | null): boolean {
  return seen !== null && seen.fingerprint !== found?.fingerprint;
}

/** Reads four entries, each by its primary key. */
export function* compareHistory(queries: Queries, seen: SeenEntries): Script<HistoryComparison> {
  const ledger = yield* ledgerEntry(ledgerEntries(queries).orderBy('seq', 'desc').limit(1));
  const audit = yield* auditEntry(auditEntries(queries).orderBy('seq', 'desc').limit(1));
  const ledgerThen = seen.ledger === null ? null : yield* ledgerEntry(ledgerEntries(queries).where('seq', '=', BigInt(seen.ledger.number)));
  const auditThen = seen.audit === null ? null : yield* auditEntry(auditEntries(queries).where('seq', '=', BigInt(seen.audit.number)));
  return {
    newest: { ledger, audit },
    lost: [...(isLost(seen.ledger, ledgerThen) ? ['ledger' as const] : []), ...(isLost(seen.audit, auditThen) ? ['audit' as const] : [])],
  };
}

export class SqlStoreHistory implements StoreHistory {
  constructor(private readonly queries: Queries, private readonly runner: Pick<ScriptRunner, 'read'>, readonly forgetCached: () => void) {}

  compare(seen: SeenEntries): Promise<HistoryComparison> {
    return this.runner.read(() => compareHistory(this.queries, seen));
  }
}
