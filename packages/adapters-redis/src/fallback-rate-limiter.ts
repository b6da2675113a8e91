import {
  type AccountId, type Admission, type AdmissionEnd, type AdmissionTicket, type BindingLimits, type Clock, type Demand, type IncidentLimit, type Instant,
  invariant, later, MILLISECONDS_PER_MINUTE, type PlanLimits, type QuotaSnapshot, type RateLimiter, type TokenCount,
} from '@tollgate/core';
import { markTicket, type TicketOrigin, unmarkTicket } from './limiter-keys.js';
import { type PendingRelease, PendingReleases } from './pending-releases.js';
import { LEASE_MILLISECONDS, redisRefusalOf, RedisUnavailable, UnansweredAdmission } from './redis-connection.js';
import { Ticker } from './ticker.js';

export interface FallbackReport {
  /** From now on every process counts for itself. `refusal` says why a Redis that answers does not write; `null` for one that does not answer. */
  fellBack(cause: unknown, refusal: string | null): void;
  /** Redis counts for all processes again. */
  recovered(): void;
}

export interface FallbackRateLimiterPorts {
  /** Rejects with `RedisUnavailable` (`admit` with `UnansweredAdmission`), within a bounded time, when Redis does not answer; any other failure is passed on. */
  readonly shared: RateLimiter;
  /** Makes the limiter of one outage, with empty windows, in this process's memory. */
  readonly makeLocal: () => RateLimiter;
  /** The share of a request's limits that this process may grant by itself. */
  readonly scaleLimits: (binding: BindingLimits) => BindingLimits;
  /** Resolves when Redis answers, rejects within a bounded time when it does not. */
  readonly probe: () => Promise<unknown>;
  readonly clock: Clock;
  readonly report: FallbackReport;
}

const PROBE_MILLISECONDS = 500;

/**
 * Limits by Redis while it answers, and by this process's memory while it does not.
 * The first command without an answer switches over, so only requests that were asking at that moment waited for it;
 * a probe switches back. Releases of a time without Redis are kept and sent when it is back, and with them what frees the slots of unanswered admissions.
 */
export class FallbackRateLimiter implements RateLimiter {
  readonly #probes: Ticker;
  readonly #pending = new PendingReleases();
  #local: RateLimiter;
  #outage = 0;
  #isLocal = false;
  #recoveredAt: Instant | null = null;

  constructor(private readonly ports: FallbackRateLimiterPorts) {
    this.#local = ports.makeLocal();
    this.#probes = new Ticker(ports.clock, PROBE_MILLISECONDS, () => this.#probe());
  }

  /** Whether this process counts for itself at the moment. */
  get isLocal(): boolean {
    return this.#isLocal;
  }

  get heldSlots(): number {
    return this.ports.shared.heldSlots + this.#local.heldSlots;
  }

  /** Ends the search for a Redis that is away. */
  stop(): void {
    this.#probes.stop();
  }

  async admit(demand: Demand): Promise<Admission> {
    if (!this.#isLocal) {
      const admission = await this.#unlessUnavailable(() => this.ports.shared.admit(demand));
      if (admission !== null) return marked(admission, 'shared');
    }
    const scaled = { ...demand, ...this.ports.scaleLimits(demand) };
    const origin = this.#outage;
    return marked(await this.#local.admit(scaled), origin);
  }

  /** Rejects for no fault of Redis: a release it cannot take now is kept. */
  async release(markedTicket: AdmissionTicket, end: AdmissionEnd): Promise<void> {
    const { origin, ticket } = unmarkTicket(markedTicket);
    if (origin === 'shared') await this.#releaseShared({ ticket, end, until: null });
    // A limiter of an earlier outage decides nothing any more, so what it held needs no release.
    else if (origin === this.#outage) await this.#local.release(ticket, end);
  }

  async quota(accountId: AccountId, binding: BindingLimits): Promise<QuotaSnapshot> {
    if (!this.#isLocal) {
      const quota = await this.#unlessUnavailable(() => this.ports.shared.quota(accountId, binding));
      if (quota !== null) return quota;
    }
    return this.#local.quota(accountId, this.ports.scaleLimits(binding));
  }

  /** Asks Redis; `null`, and the switch to memory, when it does not answer. */
  async #unlessUnavailable<Answer>(ask: () => Promise<Answer>): Promise<Answer | null> {
    try {
      return await ask();
    } catch (failure) {
      if (!(failure instanceof RedisUnavailable)) throw failure;
      if (failure instanceof UnansweredAdmission) this.#keepUndoing(failure);
      this.#fallBack(failure.cause);
      return null;
    }
  }

  #keepUndoing({ ticket }: UnansweredAdmission): void {
    this.#pending.keep({ ticket, end: { kind: 'undone' }, until: later(this.ports.clock.now(), LEASE_MILLISECONDS) });
  }

  async #releaseShared(release: PendingRelease): Promise<void> {
    const released = this.#isLocal ? null : await this.#unlessUnavailable(async () => {
      await this.ports.shared.release(release.ticket, release.end);
      return true;
    });
    if (released === null) this.#pending.keep(release);
  }

  /** Outages that follow each other closely count on, so that a Redis that comes and goes does not multiply the limits. */
  #fallBack(cause: unknown): void {
    if (this.#isLocal) return;
    this.#isLocal = true;
    const now = this.ports.clock.now();
    if (this.#recoveredAt !== null && Math.abs(now - this.#recoveredAt) >= MILLISECONDS_PER_MINUTE) {
      this.#local = this.ports.makeLocal();
      this.#outage += 1;
    }
    this.#probes.start();
    this.ports.report.fellBack(cause, redisRefusalOf(cause));
  }

  async #probe(): Promise<void> {
    const [answer] = await Promise.allSettled([this.ports.probe()]);
    if (answer.status === 'rejected' || !this.#probes.isStarted) return;
    this.#probes.stop();
    this.#isLocal = false;
    this.#recoveredAt = this.ports.clock.now();
    this.ports.report.recovered();
    await this.#pending.sendAll(this.#recoveredAt, (release) => this.#releaseShared(release));
  }
}

function marked(admission: Admission, origin: TicketOrigin): Admission {
  return admission.admitted ? { ...admission, ticket: markTicket({ origin, ticket: admission.ticket }) } : admission;
}

/**
 * One process's share of limits that `instances` processes would otherwise count together; at least 1 of each, so that every account is served.
 * Caps of days and months stay whole: each process reads them from the source of truth, where all the processes' use adds up.
 */
export function shareOfLimits({ limits, incident }: BindingLimits, instances: number): BindingLimits {
  invariant(instances >= 1, 'the process that asks is alive');
  return { limits: { ...limits, ...sharesOf(limits, instances) }, incident: incident === null ? null : shareOfIncident(incident, instances) };
}

type Shared = Pick<PlanLimits, 'requestsPerMinute' | 'tokensPerMinute' | 'concurrentRequests'>;

function sharesOf({ requestsPerMinute, tokensPerMinute, concurrentRequests }: Shared, instances: number): Shared {
  return {
    requestsPerMinute: shareOf(requestsPerMinute, instances),
    tokensPerMinute: shareOf(tokensPerMinute, instances) as TokenCount,
    concurrentRequests: shareOf(concurrentRequests, instances),
  };
}

function shareOfIncident(incident: IncidentLimit, instances: number): IncidentLimit {
  const { requestsPerMinute, tokensPerMinute, concurrentRequests } = incident;
  return {
    ...incident,
    requestsPerMinute: requestsPerMinute === null ? null : shareOf(requestsPerMinute, instances),
    tokensPerMinute: tokensPerMinute === null ? null : shareOf(tokensPerMinute, instances) as TokenCount,
    concurrentRequests: concurrentRequests === null ? null : shareOf(concurrentRequests, instances),
  };
}

/** A limit of 0 stays 0: it is an operator's way to close a model. */
function shareOf(limit: number, instances: number): number {
  return limit === 0 ? 0 : Math.max(1, Math.floor(limit / instances));
}
