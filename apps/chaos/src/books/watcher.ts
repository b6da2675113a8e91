import { type AccountId, ServiceTokens, SYSTEM_ACTOR } from '@tollgate/core';
import { SystemClock } from '@tollgate/adapters-node';
import type { SqliteStore } from '@tollgate/adapters-sql';
import type { Acknowledged } from './acknowledged.js';
import { LedgerReader } from './ledger-reader.js';
import { openBeside } from './seed-accounts.js';

const POLL_MILLISECONDS = 10;
const CREDIT = '3';
const clock = new SystemClock();
let credits = 0;

export interface WatcherOptions {
  readonly database: string;
  readonly acknowledged: Acknowledged;
  /** Who is credited again and again. */
  readonly accountId: AccountId;
}

/** A second program on the database of a running gateway: it credits an account, and looks at every balance all the time. */
export class Watcher {
  #polls = 0;
  #negative = 0;
  #stopped = false;
  readonly #work: Promise<void>;

  private constructor(private readonly store: SqliteStore, private readonly reader: LedgerReader, private readonly options: WatcherOptions) {
    this.#work = this.watch();
  }

  static async start(options: WatcherOptions): Promise<Watcher> {
    return new Watcher(await openBeside(options.database), new LedgerReader(options.database), options);
  }

  /** Says what was seen that must never be. */
  async stop(): Promise<readonly string[]> {
    this.#stopped = true;
    await this.#work;
    this.reader.close();
    await this.store.close();
    return this.#negative === 0 ? [] : [`I1: an account was below zero at ${this.#negative} of ${this.#polls} looks`];
  }

  private async watch(): Promise<void> {
    while (!this.#stopped) {
      this.#polls += 1;
      if (this.reader.negativeAccounts() > 0) this.#negative += 1;
      await this.credit();
      await new Promise((resolve) => setTimeout(resolve, POLL_MILLISECONDS));
    }
  }

  private async credit(): Promise<void> {
    credits += 1;
    const reference = `chaos-${credits}`;
    const { outcome } = await this.store.ledger.credit({
      accountId: this.options.accountId, amount: ServiceTokens.parse(CREDIT), reference, actor: SYSTEM_ACTOR, at: clock.now(),
    });
    if (outcome === 'credited') this.options.acknowledged.credits.push({ reference, amount: CREDIT });
  }
}
