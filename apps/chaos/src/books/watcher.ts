import { LedgerReader } from './ledger-reader.js';

const POLL_MILLISECONDS = 5;

/** Looks at every balance of a running gateway's database all the time. */
export class Watcher {
  #looks = 0;
  #negative = 0;
  readonly #reader: LedgerReader;
  readonly #timer: NodeJS.Timeout;

  constructor(database: string) {
    this.#reader = new LedgerReader(database);
    this.#timer = setInterval(() => this.look(), POLL_MILLISECONDS);
  }

  /** Says what was seen that must never be. */
  stop(): readonly string[] {
    clearInterval(this.#timer);
    this.#reader.close();
    return this.#negative === 0 ? [] : [`I1: an account was below zero at ${this.#negative} of ${this.#looks} looks`];
  }

  private look(): void {
    this.#looks += 1;
    if (this.#reader.negativeAccounts() > 0) this.#negative += 1;
  }
}
