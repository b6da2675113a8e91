import { type AccountId, type CalendarCounts, dayNumberOf, type Instant, type TokensUsed, type UsageReader } from '@tollgate/core';

/** Where caps per day and month learn what an account has used; the ledger's usage reader is one. */
export type TokensUsedSource = Pick<UsageReader, 'tokensUsed'>;

/**
 * Tokens an account used in the current UTC day and month.
 * Read from the source at the first look and again on every new day, which is also every new month; counted on in between.
 */
export class CalendarUse {
  #dayNumber: number | null = null;
  #day = 0;
  #month = 0;
  #reading: Promise<void> | null = null;
  #endedWhileReading = 0;

  /** Of the day they were read for; `null` before the first look. */
  get counts(): CalendarCounts | null {
    return this.#dayNumber === null ? null : { dayNumber: this.#dayNumber, day: this.#day, month: this.#month, ageMilliseconds: 0 };
  }

  /** Reads the source once, however many requests wait for it. A failed read is tried again by the next request. */
  read(source: TokensUsedSource, accountId: AccountId, at: Instant): Promise<void> {
    this.#reading ??= this.#readNow(source, accountId, at).finally(() => {
      this.#reading = null;
    });
    return this.#reading;
  }

  /** A request has ended. While the source is being read it may not be in the answer yet, so it is added on top. */
  add(tokens: number, now: Instant): void {
    if (this.#reading !== null) this.#endedWhileReading += tokens;
    else if (this.#dayNumber === dayNumberOf(now)) this.#count(tokens);
  }

  async #readNow(source: TokensUsedSource, accountId: AccountId, at: Instant): Promise<void> {
    this.#endedWhileReading = 0;
    const used: TokensUsed = await source.tokensUsed(accountId, at);
    this.#dayNumber = dayNumberOf(at);
    this.#day = used.day;
    this.#month = used.month;
    this.#count(this.#endedWhileReading);
  }

  #count(tokens: number): void {
    this.#day += tokens;
    this.#month += tokens;
  }
}
