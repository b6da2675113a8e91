import { chargeOfEnding, type LedgerDifference } from '@tollgate/core';
import { storableUnits } from '../schema/amount-bounds.js';
import type { Queries } from '../script/queries.js';
import { rowsOf, type Script } from '../script/script.js';
import { usageRecordFromRow, type UsageRecordRow } from '../usage/usage-record-row.js';

/** Few, since computing them holds up the other work of the process: about 10 ms. */
const RECORDS_PER_READ = 200;

/** A record explains its own charge: its counts at its prices are what was charged and written off. */
function differenceIn(row: UsageRecordRow): LedgerDifference | null {
  const record = usageRecordFromRow(row);
  const expected = chargeOfEnding(record, record).amount;
  const found = record.charge.amount.plus(record.writeOff);
  const agrees = storableUnits(expected.toUnits()) === storableUnits(found.toUnits());
  return agrees ? null : { invariant: 'I9', accountId: record.accountId, expected: expected.toString(), found: found.toString() };
}

/** Computes every charge again, from the counts and prices that its record keeps. */
export function* recomputeCharges(queries: Queries, maximumDifferences: number): Script<readonly LedgerDifference[]> {
  const differences: LedgerDifference[] = [];
  let checked = 0n;
  for (;;) {
    const rows = yield* rowsOf(queries.selectFrom('usage_records').selectAll()
      .where('seq', '>', checked).orderBy('seq').limit(RECORDS_PER_READ));
    differences.push(...rows.map(differenceIn).filter((difference) => difference !== null));
    if (rows.length < RECORDS_PER_READ || differences.length >= maximumDifferences) return differences.slice(0, maximumDifferences);
    checked = rows.at(-1)?.seq ?? checked;
  }
}
