import type { AccountId, LedgerAudit, LedgerDifference, LedgerVerification } from '@tollgate/core';
import { type RawBuilder, sql } from 'kysely';
import { compilable, firstOf, type Queries, rowsOf, type Script, type ScriptRunner } from '../script.js';
import { BALANCE_CHECKS, KEY_CHECKS } from './balance-checks.js';
import { DAILY_CHECKS } from './daily-checks.js';
import { recomputeCharges, REQUEST_CHECKS } from './request-checks.js';

/** What a check finds: one row per difference, with both figures as text. */
export interface DifferenceRow {
  readonly account_id: string | null;
  readonly expected: string | bigint;
  readonly found: string | bigint;
}

/** One invariant as a query that finds nothing when it holds. */
export interface LedgerCheck {
  readonly invariant: string;
  readonly query: RawBuilder<DifferenceRow>;
  /** How its figures are shown. */
  readonly show: (figure: string | bigint) => string;
}

function differenceFromRow({ invariant, show }: LedgerCheck, row: DifferenceRow): LedgerDifference {
  return { invariant, accountId: row.account_id as AccountId | null, expected: show(row.expected), found: show(row.found) };
}

const CHECKS: readonly LedgerCheck[] = [...BALANCE_CHECKS, ...REQUEST_CHECKS, ...DAILY_CHECKS, ...KEY_CHECKS];
/** Differences reported per check: enough to see what is wrong, however much is. */
const MAXIMUM_DIFFERENCES = 100;

/** Invariants I1 to I5, I7 and I9 to I11 over the whole of any SQL database, in one consistent state of it. */
export class SqlLedgerAudit implements LedgerAudit {
  constructor(private readonly queries: Queries, private readonly runner: ScriptRunner) {}

  verify(): Promise<LedgerVerification> {
    return this.runner.readInBackground(() => this.checkAll());
  }

  private* checkAll(): Script<LedgerVerification> {
    const differences: LedgerDifference[] = [];
    for (const check of CHECKS) differences.push(...yield* this.check(check));
    differences.push(...yield* recomputeCharges(this.queries, MAXIMUM_DIFFERENCES));
    return {
      accounts: yield* this.count('accounts'),
      entries: yield* this.count('ledger_entries'),
      usageRecords: yield* this.count('usage_records'),
      differences,
    };
  }

  private* check(check: LedgerCheck): Script<readonly LedgerDifference[]> {
    const limited = sql<Parameters<typeof differenceFromRow>[1]>`select * from (${check.query}) differences limit ${sql.lit(MAXIMUM_DIFFERENCES)}`;
    const rows = yield* rowsOf(compilable(this.queries, limited));
    return rows.map((row) => differenceFromRow(check, row));
  }

  private* count(table: 'accounts' | 'ledger_entries' | 'usage_records'): Script<number> {
    const row = yield* firstOf(this.queries.selectFrom(table).select(({ fn }) => fn.countAll<bigint>().as('rows')));
    return Number(row?.rows ?? 0);
  }
}
