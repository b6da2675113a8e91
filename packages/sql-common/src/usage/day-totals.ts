import { type RawBuilder, sql } from 'kysely';
import { compilable, type Queries } from '../script/queries.js';
import { firstOf, rowsOf, type Script } from '../script/script.js';
import { type RatedSumsRow, SUMMED, SUMS } from './usage-sums.js';

/** Number of accounts whose sums of a day are read and written together. */
export const ACCOUNTS_AT_A_TIME = 200;

/** Sums of one account or model, on one day and at one rate. */
export interface TotalsRow extends RatedSumsRow {
  readonly dimension: 'account' | 'model';
  readonly part: string;
}

export interface TotalsPage {
  readonly rows: readonly TotalsRow[];
  /** Last account of the page; `null` if no page follows. */
  readonly last: string | null;
}

function accountsBetween(after: string, last: string | null): RawBuilder<unknown> {
  return last === null ? sql`accounts.id > ${after}` : sql`accounts.id > ${after} and accounts.id <= ${last}`;
}

/**
 * Sums of a day over the next accounts, by account and by model, from one state of the database. The primary key of the daily sums starts with the
 * account, so each account is looked up separately. The cross join fixes this order in SQLite.
 */
export function* totalsOfAccounts(queries: Queries, day: string, after: string): Script<TotalsPage> {
  const end = yield* firstOf(queries.selectFrom('accounts').select('id').where('id', '>', after).orderBy('id').limit(1).offset(ACCOUNTS_AT_A_TIME - 1));
  const last = end?.id ?? null;
  const rows = yield* rowsOf(compilable(queries, sql<TotalsRow>`
    with cells as (
      select account_id, model, usd_rate, ${SUMS} from accounts cross join usage_daily
      where ${accountsBetween(after, last)} and account_id = accounts.id and day = ${day} group by account_id, model, usd_rate)
    select 'account' as dimension, account_id as part, usd_rate, ${SUMS} from cells group by account_id, usd_rate
    union all select 'model', model, usd_rate, ${SUMS} from cells group by model, usd_rate`));
  return { rows, last };
}

/** Adds up the sums of each model over the pages. */
export class ModelTotals {
  readonly #byModelAndRate = new Map<string, TotalsRow>();

  add(row: TotalsRow): void {
    const key = JSON.stringify([row.part, row.usd_rate]);
    const sofar = this.#byModelAndRate.get(key);
    const sums = Object.fromEntries(SUMMED.map((name) => [name, row[name] + (sofar?.[name] ?? 0n)]));
    this.#byModelAndRate.set(key, { ...row, ...sums });
  }

  rows(): readonly TotalsRow[] {
    return [...this.#byModelAndRate.values()];
  }
}
