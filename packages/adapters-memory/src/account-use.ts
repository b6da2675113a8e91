import {
  type AccountId, type CalendarCounts, dayNumberOf, type Demand, type IncidentLimit, type Instant, invariant, isWindowOpen,
  type LimitCounts, type MinuteCounts, type ModelSlug, NOTHING_COUNTED, type QuotaReading, type TokensUsed, type UsageReader,
  type WindowCounts,
} from '@tollgate/core';

/** Source of used tokens for daily and monthly caps, such as the ledger's usage reader. */
export type TokensUsedSource = Pick<UsageReader, 'tokensUsed'>;

/** Tokens used in the current UTC day and month. The source is read first and on every new day; in between, ended requests are added. */
class CalendarUse {
  #dayNumber: number | null = null;
  #day = 0;
  #month = 0;
  #reading: Promise<void> | null = null;
  #endedWhileReading = 0;

  /** Counts of the day for which the source was last read, and of its month; `null` before the first read. */
  get counts(): CalendarCounts | null {
    return this.#dayNumber === null ? null : { dayNumber: this.#dayNumber, day: this.#day, month: this.#month, ageMilliseconds: 0 };
  }

  /** Concurrent requests share one read. If the read fails, the next request reads again. */
  read(source: TokensUsedSource, accountId: AccountId, at: Instant): Promise<void> {
    this.#reading ??= this.#readNow(source, accountId, at).finally(() => {
      this.#reading = null;
    });
    return this.#reading;
  }

  /** Adds an ended request. The result of a running read may not include it, so it is added again when the read ends. */
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

/** Counts of an account in one window. A ticket refers to its window, so that a release corrects the counts of that window. */
export interface MinuteWindow {
  readonly startedAt: Instant;
  requests: number;
  tokens: number;
}

/** The open window and the slots of an account, for its plan or for one incident limit. */
export class MinuteCounter {
  #window: MinuteWindow | null = null;
  #slots = 0;

  get slots(): number {
    return this.#slots;
  }

  get counts(): MinuteCounts {
    return { window: this.#window ?? NOTHING_COUNTED, slots: this.#slots };
  }

  openWindow(now: Instant): MinuteWindow | null {
    return this.#window !== null && isWindowOpen(this.#window, now) ? this.#window : null;
  }

  countsAt(now: Instant): WindowCounts {
    return this.openWindow(now) ?? NOTHING_COUNTED;
  }

  /** Counts a request in the open window, or in a new one. */
  count(tokens: number, now: Instant): MinuteWindow {
    const window = this.openWindow(now) ?? { startedAt: now, requests: 0, tokens: 0 };
    window.requests += 1;
    window.tokens += tokens;
    this.#window = window;
    return window;
  }

  /** Removes a request from its window. Closes the window if it was the only request. */
  uncount(window: MinuteWindow, tokens: number): void {
    window.requests -= 1;
    window.tokens -= tokens;
    if (window.requests === 0 && this.#window === window) this.#window = null;
  }

  takeSlot(): void {
    this.#slots += 1;
  }

  freeSlot(): void {
    this.#slots -= 1;
    invariant(this.#slots >= 0, 'a ticket frees its slot once');
  }
}

/** Counts since an incident limit was last set. */
interface IncidentUse {
  readonly setAt: Instant;
  readonly counter: MinuteCounter;
}

const NO_COUNTS: MinuteCounts = { window: NOTHING_COUNTED, slots: 0 };

export class AccountUse {
  readonly calendar = new CalendarUse();
  readonly plan = new MinuteCounter();
  /** Entries of removed limits stay, at most one for each model. */
  #incidents: Map<ModelSlug, IncidentUse> | null = null;
  #tokensInFlight = 0;

  /** The counter of an incident limit, which is empty after each change of the limit; `null` without a limit. */
  incident(limit: IncidentLimit | null): MinuteCounter | null {
    if (limit === null) return null;
    const known = this.#incidents?.get(limit.model);
    if (known?.setAt === limit.setAt) return known.counter;
    const counter = new MinuteCounter();
    this.#incidents ??= new Map();
    this.#incidents.set(limit.model, { setAt: limit.setAt, counter });
    return counter;
  }

  /** Adds the estimate of a running request, which daily and monthly caps count until the request ends. */
  addInFlight(tokens: number): void {
    this.#tokensInFlight += tokens;
  }

  removeInFlight(tokens: number): void {
    this.#tokensInFlight -= tokens;
  }

  countsFor({ incident }: Demand): LimitCounts {
    return { plan: this.plan.counts, incident: this.incident(incident)?.counts ?? NO_COUNTS, tokensInFlight: this.#tokensInFlight, calendar: this.calendar.counts };
  }

  readingFor(limit: IncidentLimit | null, now: Instant): QuotaReading {
    return { now, plan: this.plan.countsAt(now), incident: this.incident(limit)?.countsAt(now) ?? NOTHING_COUNTED };
  }
}
