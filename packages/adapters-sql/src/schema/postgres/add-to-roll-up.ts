import { TOKEN_COLUMNS } from './ending-columns.js';

const SUMMED = ['requests', ...TOKEN_COLUMNS, 'charge'];

/** Adds the rows of a query to a table of sums; the query gives one row per key at most, its columns in the order of the table's. */
export function addToRollUp(table: string, groups: readonly string[], query: string): string {
  const keys = ['account_id', 'day', ...groups, 'usd_rate'].join(', ');
  const sums = SUMMED.map((column) => `${column} = ${table}.${column} + excluded.${column}`).join(', ');
  return `insert into ${table} (${keys}, ${SUMMED.join(', ')}) ${query} on conflict (${keys}) do update set ${sums};`;
}
