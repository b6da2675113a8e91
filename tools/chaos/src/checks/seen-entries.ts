import type { Row } from '../books/database-view.js';

/** For `SeenEntries`: all that is in the ledger, number first. */
export const ENTRIES_QUERY = 'select seq, kind, debit_account, credit_account, amount, request_id, reservation_id, reference, at, day from ledger_entries order by seq';

/** Everything that was ever seen in the ledger. */
export class SeenEntries {
  readonly #seen = new Map<string, string>();

  get count(): number {
    return this.#seen.size;
  }

  /** I12: entries that were there before and have changed or gone. To be given all that are there now. */
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
