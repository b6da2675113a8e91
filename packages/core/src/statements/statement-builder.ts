import type { MoneyActKind } from '../billing/money-act.js';
import { ServiceTokens } from '../money/service-tokens.js';
import type { RequestId } from '../primitives/ids.js';
import { type Instant, utcDayOf } from '../primitives/time.js';
import {
  type ChargeKind, MAX_STATEMENT_ENTRIES, type StatementEntry, type StatementFigures, type StatementKind, type StatementTotal,
} from './statement-document.js';
import { type ChargeGroup, StatementLines } from './statement-lines.js';

export interface StatedEntry {
  /** Number of the ledger entry; increases in the order of booking. */
  readonly number: string;
  readonly kind: MoneyActKind;
  /** Signed change of the balance. */
  readonly amount: ServiceTokens;
  readonly requestId: RequestId | null;
  readonly at: Instant;
}

/** Adds up an account's bookings of a month in bounded memory. Charges may arrive in any order; entries must arrive in the order of booking. */
export class StatementBuilder {
  readonly #totals = new Map<StatementKind, StatementTotal>();
  readonly #lines = new StatementLines();
  readonly #entries: StatementEntry[] = [];
  #unlisted = 0;
  #closing: ServiceTokens;

  constructor(private readonly opening: ServiceTokens) {
    this.#closing = opening;
  }

  /** True if the account had a balance of zero and no bookings. */
  get isEmpty(): boolean {
    return this.#totals.size === 0 && this.opening.isZero();
  }

  get closing(): ServiceTokens {
    return this.#closing;
  }

  addCharges(kind: ChargeKind, group: ChargeGroup): void {
    this.#count(kind, group.entries, group.amount);
    this.#lines.add(group);
  }

  addEntry({ number, kind, amount, requestId, at }: StatedEntry): void {
    this.#count(kind, 1, amount);
    if (this.#entries.length < MAX_STATEMENT_ENTRIES) this.#entries.push({ entry: number, day: utcDayOf(at), kind, svc_tokens: amount, request_id: requestId });
    else this.#unlisted += 1;
  }

  figures(): StatementFigures {
    return {
      opening_balance: this.opening,
      closing_balance: this.#closing,
      totals: [...this.#totals.values()].toSorted((a, b) => (a.kind < b.kind ? -1 : 1)),
      charges: this.#lines.all(),
      entries: this.#entries,
      entries_not_listed: this.#unlisted,
    };
  }

  #count(kind: StatementKind, entries: number, amount: ServiceTokens): void {
    const sofar = this.#totals.get(kind);
    this.#totals.set(kind, { kind, entries: entries + (sofar?.entries ?? 0), svc_tokens: amount.plus(sofar?.svc_tokens ?? ServiceTokens.ZERO) });
    this.#closing = this.#closing.plus(amount);
  }
}
