import {
  type AccountId, type CalendarCounts, dayNumberOf, type Demand, type IncidentLimit, type Instant, invariant, isWindowOpen,
  type LimitCounts, type MinuteCounts, type ModelSlug, NOTHING_COUNTED, type QuotaReading, type TokensUsed, type UsageReader,
  type WindowCounts,
} from '@tollgate/core';

/** Source of used tokens for daily and monthly caps, such as the ledger's usage reader. */
export type TokensUsedSource = Pick<UsageReader, 'tokensUsed'>;

/** Tokens used in the current UTC day and month. Read from the source at first and on every new day, and counted in between. */
class CalendarUse {
  #dayNumber: number | null = null;
  #day = 0;
  #month = 0;
  #reading: Promise<void> | null = null;
  #endedWhileReading = 0;

  /** Counts for the day of the read; `null` before the first read. */
  get counts(): CalendarCounts | null {
    return this.#dayNumber === null ? null : { dayNumber: this.#dayNumber, day: this.#day, month: this.#month, ageMilliseconds: 0 };
  }

  /** Reads the source once for concurrent requests. The next request retries a failed read. */
  read(source: TokensUsedSource, accountId: AccountId, at: Instant): Promise<void> {
    this.#reading ??= this.#readNow(source, accountId, at).finally(() => {
      this.#reading = null;
    });
    return this.#reading;
  }

  /** Adds an ended request. During a read it may be missing in the result, so it is added afterwards too. */
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

/** Counts of an account in one window. A ticket keeps its window, so that a release returns to the same one. */
export interface MinuteWindow {
  readonly startedAt: Instant;
  requests: number;
  tokens: number;
}

/** The open window and the slots of an account, or of one model of it. */
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

  /** Counts a request. Opens a window if there is none. */
  count(tokens: number, now: Instant): MinuteWindow {
    const window = this.openWindow(now) ?? { startedAt: now, requests: 0, tokens: 0 };
    window.requests += 1;
    window.tokens += tokens;
    this.#window = window;
    return window;
  }

  /** Removes a request from its window. A window opened by it alone is closed. */
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

/** The counts of one setting of an incident limit. */
interface IncidentUse {
  readonly setAt: Instant;
  readonly counter: MinuteCounter;
}

const NO_COUNTS: MinuteCounts = { window: NOTHING_COUNTED, slots: 0 };

/** What one account uses of its limits right now. */
export class AccountUse {
  readonly calendar = new CalendarUse();
  readonly plan = new MinuteCounter();
  /** At most one entry per model that had an incident limit while this account was remembered. */
  #incidents: Map<ModelSlug, IncidentUse> | null = null;
  #tokensInFlight = 0;

  /** The counter of an incident limit, which starts empty at each change; `null` without a limit. */
  incident(limit: IncidentLimit | null): MinuteCounter | null {
    if (limit === null) return null;
    const known = this.#incidents?.get(limit.model);
    if (known?.setAt === limit.setAt) return known.counter;
    const counter = new MinuteCounter();
    this.#incidents ??= new Map();
    this.#incidents.set(limit.model, { setAt: limit.setAt, counter });
    return counter;
  }

  /** Adds the estimate of a running request: daily and monthly caps count it until its actual tokens are known. */
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
