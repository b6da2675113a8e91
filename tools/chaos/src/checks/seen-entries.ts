import type { Row } from '../books/database-view.js';

/** Query for the whole ledger, in the order of entries, as `SeenEntries` reads it. */
export const ENTRIES_QUERY = 'select seq, kind, debit_account, credit_account, amount, request_id, reservation_id, reference, at, day from ledger_entries order by seq';

/** Remembers all ledger entries that were ever read. */
export class SeenEntries {
  readonly #seen = new Map<string, string>();

  get count(): number {
    return this.#seen.size;
  }

  /** I12: earlier entries that have changed or disappeared. `rows` must be the whole ledger. */
  look(rows: readonly Row[]): readonly string[] {
    const violations: string[] = [];
    for (const row of rows) {
      const [number = null] = row;
      const content = row.join('|');
      const before = this.#seen.get(number ?? '');
      if (before !== undefined && before !== content) violations.push(`I12: ledger entry ${number} has changed from ${before} to ${content}`);
      if (before === undefined) this.#seen.set(number ?? '', content);
    }
    const gone = this.#seen.size - rows.length;
    return gone === 0 ? violations : [...violations, `I12: ${gone} ledger entries have gone`];
  }
}
