import {
  type AccountId, type Admission, type AdmissionEnd, type AdmissionTicket, type BackgroundEvents, type BindingLimits, type Clock, type Demand, type QuotaSnapshot, type RateLimiter,
  type ReachedCap, utcDayOf, utcMonthOf,
} from '@tollgate/core';
import type { Logger } from 'pino';

/** More accounts than reach a cap on one day. Each forgotten entry costs another statement of the database. */
const MAX_TOLD = 10_000;

interface CapWatchPorts {
  readonly limiter: RateLimiter;
  readonly backgroundEvents: BackgroundEvents;
  readonly clock: Clock;
  readonly log: Logger;
}

type Refused = Extract<Admission, { admitted: false }>;

/** A limiter that stores an event when a daily or monthly cap first refuses a request. Requests do not wait for the event. */
export class CapWatch implements RateLimiter {
  /** Account and period of each stored event. */
  readonly #told = new Set<string>();

  constructor(private readonly ports: CapWatchPorts) {}

  get heldSlots(): number {
    return this.ports.limiter.heldSlots;
  }

  admit(demand: Demand): Promise<Admission> {
    const admission = this.ports.limiter.admit(demand);
    const { tokensPerDay, tokensPerMonth } = demand.limits;
    return tokensPerDay === null && tokensPerMonth === null ? admission : admission.then((decided) => this.#look(demand, decided));
  }

  release(ticket: AdmissionTicket, end: AdmissionEnd): Promise<void> {
    return this.ports.limiter.release(ticket, end);
  }

  quota(accountId: AccountId, binding: BindingLimits): Promise<QuotaSnapshot> {
    return this.ports.limiter.quota(accountId, binding);
  }

  #look({ accountId }: Demand, admission: Admission): Admission {
    const cap = admission.admitted ? null : this.#capOf(accountId, admission);
    if (cap !== null) this.#tell(cap);
    return admission;
  }

  /**
   * The cap that refused the request; `null` if another limit did, or if the request exceeds the whole cap, which does not show that the cap is
   * reached.
   */
  #capOf(accountId: AccountId, { limit, neverFits, figures: { maximum, used } }: Refused): ReachedCap | null {
    if (neverFits || (limit !== 'tokens-per-day' && limit !== 'tokens-per-month')) return null;
    const now = this.ports.clock.now();
    return { accountId, period: limit === 'tokens-per-day' ? utcDayOf(now) : utcMonthOf(now), maximum, used };
  }

  #tell(cap: ReachedCap): void {
    const { backgroundEvents, clock, log } = this.ports;
    const name = `${cap.accountId} ${cap.period}`;
    if (this.#told.has(name)) return;
    if (this.#told.size >= MAX_TOLD) this.#told.clear();
    this.#told.add(name);
    backgroundEvents.capReached(cap, clock.now()).catch((err: unknown) => {
      // The next refusal stores the event.
      this.#told.delete(name);
      log.warn({ err, accountId: cap.accountId }, 'the event of a reached token cap could not be stored');
    });
  }
}
