import type { Queries, Script, ScriptRunner } from '../script/script.js';
import { firstOf } from '../script/script.js';

/** An entry that was seen: its number, and a text that another entry of that number would not have. */
export interface SeenEntry {
  readonly number: number;
  readonly fingerprint: string;
}

/** The newest entries of the ledger and of the audit trail; `null` where there is none. Both only ever grow. */
export interface SeenEntries {
  readonly ledger: SeenEntry | null;
  readonly audit: SeenEntry | null;
}

/** What a database holds now, and which of the entries seen before it lacks: then acknowledged commits are lost. */
export interface HistoryComparison {
  readonly newest: SeenEntries;
  readonly lost: readonly ('ledger' | 'audit')[];
}

/** Tells a database that was set back, by a failover or a restored file, from one that has grown. */
export interface StoreHistory {
  compare(seen: SeenEntries): Promise<HistoryComparison>;
  /** Forgets everything that was cached of an earlier state. */
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

/** Four look-ups by primary key. */
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

/** The history of any SQL database. */
export class SqlStoreHistory implements StoreHistory {
  constructor(private readonly queries: Queries, private readonly runner: Pick<ScriptRunner, 'read'>, readonly forgetCached: () => void) {}

  compare(seen: SeenEntries): Promise<HistoryComparison> {
    return this.runner.read(() => compareHistory(this.queries, seen));
  }
}
