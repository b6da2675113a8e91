import type { LedgerAudit, LedgerDifference, LedgerVerification } from '@tollgate/core';
import { sql } from 'kysely';
import { compilable } from '../script/compilable.js';
import type { Queries } from '../script/queries.js';
import { firstOf, rowsOf, type Script } from '../script/script.js';
import type { ScriptRunner } from '../script/script-runner.js';
import { BALANCE_CHECKS } from './balance-checks.js';
import { DAILY_CHECKS } from './daily-checks.js';
import { differenceFromRow, type LedgerCheck } from './ledger-check.js';
import { KEY_CHECKS } from './key-checks.js';
import { recomputeCharges } from './recompute-charges.js';
import { REQUEST_CHECKS } from './request-checks.js';

const CHECKS: readonly LedgerCheck[] = [...BALANCE_CHECKS, ...REQUEST_CHECKS, ...DAILY_CHECKS, ...KEY_CHECKS];
/** Differences reported per check: enough to see what is wrong, however much is. */
const MAXIMUM_DIFFERENCES = 100;

/** Invariants I1 to I5, I7 and I9 to I11 over the whole of any SQL database, in one consistent state of it. */
export class SqlLedgerAudit implements LedgerAudit {
  constructor(private readonly queries: Queries, private readonly runner: ScriptRunner) {}

  verify(): Promise<LedgerVerification> {
    return this.runner.readAtLeisure(() => this.checkAll());
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
