import { setTimeout as pause } from 'node:timers/promises';
import type { SqlStore } from '@tollgate/sql-common';
import type { FaultDatabase, Row } from './fault-database.js';

const LOOK_MILLISECONDS = 200;

/** Checks the books during a fault, also after an outage. */
export class BookWatch {
  readonly violations: string[] = [];
  looks = 0;
  #isStopped = false;
  /** All entries ever seen, by number. */
  readonly #entries = new Map<string, string>();
  readonly #watching: Promise<void>;

  constructor(private readonly database: FaultDatabase, private readonly auditor: SqlStore) {
    this.#watching = this.watch();
  }

  /** Checks once more; the database must be available. */
  async stop(): Promise<void> {
    if (this.#isStopped) return;
    this.#isStopped = true;
    await this.#watching;
    await this.look();
  }

  private async watch(): Promise<void> {
    while (!this.#isStopped) {
      await Promise.allSettled([this.look()]);
      await pause(LOOK_MILLISECONDS);
    }
  }

  private async look(): Promise<void> {
    const { differences } = await this.auditor.ledgerAudit.verify();
    const rows = await this.database.rows('select * from ledger_entries');
    this.violations.push(...differences.map((difference) => JSON.stringify(difference)));
    this.compare(rows);
    this.looks += 1;
  }

  /** I12: entries never change or disappear. */
  private compare(rows: readonly Row[]): void {
    const now = new Map(rows.map((row) => [String(row['seq']), Object.values(row).map(String).join('|')]));
    for (const [number, text] of this.#entries) {
      if (now.get(number) !== text) this.violations.push(`I12: entry ${number} was ${text} and is ${now.get(number) ?? 'gone'}`);
    }
    for (const [number, text] of now) this.#entries.set(number, text);
  }
}
