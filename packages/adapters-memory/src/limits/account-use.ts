import type { Demand, IncidentLimit, Instant, LimitCounts, ModelSlug, QuotaReading } from '@tollgate/core';
import { CalendarUse } from './calendar-use.js';
import { MinuteCounter } from './minute-counter.js';

/** The counts of one setting of an incident limit. */
interface IncidentUse {
  readonly setAt: Instant;
  readonly counter: MinuteCounter;
}

const NO_COUNTER = new MinuteCounter();

/** What one account uses of its limits right now. */
export class AccountUse {
  readonly calendar = new CalendarUse();
  readonly plan = new MinuteCounter();
  /** At most one entry for each model that ever had an incident limit while this account was remembered. */
  #incidents: Map<ModelSlug, IncidentUse> | null = null;
  #tokensInFlight = 0;

  /** The counter of an incident limit, which begins empty with each setting; `null` without a limit. */
  incident(limit: IncidentLimit | null): MinuteCounter | null {
    if (limit === null) return null;
    const known = this.#incidents?.get(limit.model);
    if (known?.setAt === limit.setAt) return known.counter;
    const counter = new MinuteCounter();
    this.#incidents ??= new Map();
    this.#incidents.set(limit.model, { setAt: limit.setAt, counter });
    return counter;
  }

  /** Estimates of running requests; a day's or month's cap counts them until the real figures are known. */
  addInFlight(tokens: number): void {
    this.#tokensInFlight += tokens;
  }

  removeInFlight(tokens: number): void {
    this.#tokensInFlight -= tokens;
  }

  countsFor({ incident }: Demand): LimitCounts {
    return { plan: this.plan.counts, incident: (this.incident(incident) ?? NO_COUNTER).counts, tokensInFlight: this.#tokensInFlight, calendar: this.calendar.counts };
  }

  readingFor(limit: IncidentLimit | null, now: Instant): QuotaReading {
    return { now, plan: this.plan.countsAt(now), incident: (this.incident(limit) ?? NO_COUNTER).countsAt(now) };
  }
}
