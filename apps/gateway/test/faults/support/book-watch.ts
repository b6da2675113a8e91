import { setTimeout as pause } from 'node:timers/promises';
import type { SqlStore } from '@tollgate/sql-common';
import type { FaultDatabase } from './fault-database.js';

const LOOK_MILLISECONDS = 200;
/** Comparisons per audit. An audit of a SQLite file starts a thread, whereas a comparison is one query. */
const LOOKS_PER_AUDIT = 5;

/** Compares ledger entries and audits the books throughout a fault. */
export class BookWatch {
  readonly violations: string[] = [];
  audits = 0;
  #isStopped = false;
  /** All entries seen so far, by sequence number. */
  readonly #entries = new Map<string, string>();
  #watching: Promise<void> = Promise.resolve();

  private constructor(private readonly database: FaultDatabase, private readonly auditor: SqlStore) {}

  /** Resolves after the first audit, which must precede the fault. */
  static async start(database: FaultDatabase, auditor: SqlStore): Promise<BookWatch> {
    const watch = new BookWatch(database, auditor);
    await watch.audit();
    watch.#watching = watch.watch();
    return watch;
  }

  /** Ends the watch after a last audit and comparison; the database must be available. */
  async stop(): Promise<void> {
    if (this.#isStopped) return;
    this.#isStopped = true;
    await this.#watching;
    await Promise.all([this.audit(), this.compare()]);
  }

  private async watch(): Promise<void> {
    for (let look = 1; !this.#isStopped; look += 1) {
      await Promise.allSettled([this.compare(), ...(look % LOOKS_PER_AUDIT === 0 ? [this.audit()] : [])]);
      await pause(LOOK_MILLISECONDS);
    }
  }

  private async audit(): Promise<void> {
    const { differences } = await this.auditor.ledgerAudit.verify();
    this.violations.push(...differences.map((difference) => JSON.stringify(difference)));
    this.audits += 1;
  }

  /** Invariant I12: entries never change or disappear. */
  private async compare(): Promise<void> {
    const rows = await this.database.rows('select * from ledger_entries');
    const now = new Map(rows.map((row) => [String(row['seq']), Object.values(row).map(String).join('|')]));
    for (const [number, text] of this.#entries) {
      if (now.get(number) !== text) this.violations.push(`I12: entry ${number} was ${text} and is ${now.get(number) ?? 'gone'}`);
    }
    for (const [number, text] of now) this.#entries.set(number, text);
  }
}
