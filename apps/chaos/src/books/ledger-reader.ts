import { createHash } from 'node:crypto';
import { ServiceTokens } from '@tollgate/core';
import Database from 'better-sqlite3';
import type { AcknowledgedCredit } from './acknowledged.js';
import type { Receipt } from '../load/exchange.js';

/** Entries up to a number, and a hash over all that is in them. */
export interface LedgerPrefix {
  readonly lastEntry: bigint;
  readonly hash: string;
}

export const EMPTY_PREFIX: LedgerPrefix = { lastEntry: 0n, hash: createHash('sha256').digest('hex') };
const PATIENCE_MILLISECONDS = 2000;

/** Looks into a gateway's database through a connection of its own, and writes nothing. */
export class LedgerReader {
  readonly #connection: Database.Database;
  readonly #negative;
  readonly #held;
  readonly #charged;
  readonly #recorded;
  readonly #credited;

  constructor(file: string) {
    const connection = new Database(file, { readonly: true, timeout: PATIENCE_MILLISECONDS }).defaultSafeIntegers(true);
    this.#connection = connection;
    this.#negative = connection.prepare<[], bigint>('SELECT count(*) FROM accounts WHERE balance < 0 OR reserved < 0 OR balance < reserved').pluck();
    this.#held = connection.prepare<[], bigint>("SELECT count(*) FROM reservations WHERE state = 'held'").pluck();
    this.#charged = connection.prepare<[string], bigint>("SELECT coalesce(sum(amount), 0) FROM ledger_entries WHERE request_id = ? AND kind IN ('charge', 'late-charge')").pluck();
    this.#recorded = connection.prepare<[string], bigint>('SELECT charge FROM usage_records WHERE request_id = ?').pluck();
    this.#credited = connection.prepare<[string], bigint>("SELECT amount FROM ledger_entries WHERE reference = ? AND kind = 'top-up'").pluck();
  }

  /** Accounts that have less than nothing, in any of their figures. */
  negativeAccounts(): number {
    return Number(this.#negative.get());
  }

  heldReservations(): number {
    return Number(this.#held.get());
  }

  /** Receipts that the ledger or the usage record does not bear out. */
  missingReceipts(receipts: readonly Receipt[]): readonly string[] {
    return receipts.flatMap(({ requestId, debited }) => {
      const told = ServiceTokens.parse(debited).toUnits();
      const [charged, recorded] = [this.#charged.get(requestId), this.#recorded.get(requestId)];
      return charged === told && recorded === told ? [] : [`request ${requestId} was told ${told}, the ledger says ${charged}, its record ${recorded}`];
    });
  }

  missingCredits(credits: readonly AcknowledgedCredit[]): readonly string[] {
    return credits.flatMap(({ reference, amount }) => {
      const credited = this.#credited.get(reference);
      return credited === ServiceTokens.parse(amount).toUnits() ? [] : [`credit ${reference} of ${amount} is in the ledger as ${credited}`];
    });
  }

  /** The entries up to a number, or all when it is `null`. */
  prefix(lastEntry: bigint | null): LedgerPrefix {
    const hash = createHash('sha256');
    let last = 0n;
    const rows = this.#connection.prepare<[bigint], bigint | string | null>('SELECT * FROM ledger_entries WHERE seq <= ? ORDER BY seq').raw();
    for (const row of rows.iterate(lastEntry ?? 2n ** 62n) as Iterable<readonly unknown[]>) {
      hash.update(row.map(String).join('|'));
      last = row[0] as bigint;
    }
    return { lastEntry: last, hash: hash.digest('hex') };
  }

  close(): void {
    this.#connection.close();
  }
}
