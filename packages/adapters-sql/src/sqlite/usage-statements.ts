import { DAY_KEYS, type RollUpPart, SUMS, USER_DAY_KEYS } from './roll-up-columns.js';
import { type ColumnOf, RowInsertion } from './row-insertion.js';
import type { SqliteConnection } from './sqlite-connection.js';
import { type EndedReservation, LATE_COLUMNS, RECORD_COLUMNS } from './usage-columns.js';

/** Every statement that records usage. */
export interface UsageStatements {
  readonly insertRecord: RowInsertion<EndedReservation>;
  readonly insertLate: RowInsertion<EndedReservation>;
  readonly addToDay: RowInsertion<RollUpPart>;
  readonly addToUserDay: RowInsertion<RollUpPart>;
}

function namesOf(columns: readonly ColumnOf<RollUpPart>[]): readonly string[] {
  return columns.map(([name]) => name);
}

/** Adds what is to be summed to the sums that are there already. */
function rollUp(connection: SqliteConnection, name: string, keys: readonly ColumnOf<RollUpPart>[]): RowInsertion<RollUpPart> {
  const additions = namesOf(SUMS).map((column) => `${column} = ${column} + excluded.${column}`);
  const conflict = ` ON CONFLICT (${namesOf(keys).join(', ')}) DO UPDATE SET ${additions.join(', ')}`;
  return new RowInsertion(connection, { name, columns: [...keys, ...SUMS], conflict });
}

/** Prepared once, since they are what every settlement runs. */
export function prepareUsage(connection: SqliteConnection): UsageStatements {
  return {
    insertRecord: new RowInsertion(connection, { name: 'usage_records', columns: RECORD_COLUMNS, conflict: '' }),
    insertLate: new RowInsertion(connection, { name: 'late_settlements', columns: LATE_COLUMNS, conflict: '' }),
    addToDay: rollUp(connection, 'usage_daily', DAY_KEYS),
    addToUserDay: rollUp(connection, 'usage_daily_users', USER_DAY_KEYS),
  };
}
