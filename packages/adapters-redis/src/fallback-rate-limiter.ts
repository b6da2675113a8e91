import {
  type AccountId, type Admission, type AdmissionEnd, type AdmissionTicket, type BindingLimits, type Clock, type Demand, type IncidentLimit, type Instant,
  invariant, later, MILLISECONDS_PER_MINUTE, type PlanLimits, type QuotaSnapshot, type RateLimiter, type TokenCount,
} from '@tollgate/core';
import { markTicket, type TicketOrigin, unmarkTicket } from './originated-ticket.js';
import { type PendingRelease, PendingReleases } from './pending-releases.js';
import { LEASE_MILLISECONDS } from './lua-script.js';
import { redisRefusalOf, RedisUnavailable, UnansweredAdmission } from './redis-failures.js';
import { Ticker } from './ticker.js';

export interface FallbackReport {
  /**
   * Called when this process switches to its own limiter. `refusal` states why Redis refuses connections or writes; it is `null` for other failures,
   * such as a missing reply.
   */
  fellBack(cause: unknown, refusal: string | null): void;
  /** Called when a probe finds another reason why Redis refuses connections or writes, at most once for each reason of an outage. */
  refused(refusal: string): void;
  /** Called when this process uses Redis again. */
  recovered(): void;
}

export interface FallbackRateLimiterPorts {
  /**
   * If Redis does not respond within a bounded time or refuses a command, this limiter rejects with `RedisUnavailable`, and `admit` with
   * `UnansweredAdmission`. Other failures are passed on.
   */
  readonly shared: RateLimiter;
  /** Creates a limiter in memory, with empty windows. It serves one outage, or several in quick succession. */
  readonly makeLocal: () => RateLimiter;
  /** Returns the part of the limits that this process may grant on its own. */
  readonly scaleLimits: (binding: BindingLimits) => BindingLimits;
  /** Rejects if Redis does not respond within a bounded time, or refuses the connection or a write. */
  readonly probe: () => Promise<unknown>;
  readonly clock: Clock;
  readonly report: FallbackReport;
}

const PROBE_MILLISECONDS = 500;

/**
 * Uses Redis while it responds, and memory otherwise. The first command without a reply, or refused by Redis, switches to memory, so that only
 * concurrent requests wait for Redis. A probe switches back. Afterwards, the releases of the outage are sent, and releases of unanswered admissions
 * whose leases have not ended.
 */
export class FallbackRateLimiter implements RateLimiter {
  readonly #probes: Ticker;
  readonly #pending = new PendingReleases();
  #local: RateLimiter;
  #outage = 0;
  #isLocal = false;
  #recoveredAt: Instant | null = null;
  /** Reasons that `report` received during this outage. */
  readonly #refusals = new Set<string>();

  constructor(private readonly ports: FallbackRateLimiterPorts) {
    this.#local = ports.makeLocal();
    this.#probes = new Ticker(ports.clock, PROBE_MILLISECONDS, () => this.#probe());
  }

  /** True while this process uses its own limiter. */
  get isLocal(): boolean {
    return this.#isLocal;
  }

  get heldSlots(): number {
    return this.ports.shared.heldSlots + this.#local.heldSlots;
  }

  /** Switches to memory at once if Redis does not accept writes, before a request waits for it. */
  async start(): Promise<void> {
    const [answer] = await Promise.allSettled([this.ports.probe()]);
    if (answer.status === 'rejected') this.#fallBack(answer.reason);
  }

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

  /** Stores the release while Redis does not accept it, and sends it after the outage. */
  async release(markedTicket: AdmissionTicket, end: AdmissionEnd): Promise<void> {
    const { origin, ticket } = unmarkTicket(markedTicket);
    if (origin === 'shared') await this.#releaseShared({ ticket, end, until: null });
    // The limiter of an earlier outage was discarded, so its tickets need no release.
    else if (origin === this.#outage) await this.#local.release(ticket, end);
  }

  async quota(accountId: AccountId, binding: BindingLimits): Promise<QuotaSnapshot> {
    if (!this.#isLocal) {
      const quota = await this.#unlessUnavailable(() => this.ports.shared.quota(accountId, binding));
      if (quota !== null) return quota;
    }
    return this.#local.quota(accountId, this.ports.scaleLimits(binding));
  }

  /** Returns the answer. If Redis does not respond, switches to memory and returns `null`. */
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

  /** Reuses the limiter of an outage that ended less than a minute ago, so that the limits are not granted again each time Redis fails briefly. */
  #fallBack(cause: unknown): void {
    if (this.#isLocal) return;
    this.#isLocal = true;
    const now = this.ports.clock.now();
    if (this.#recoveredAt !== null && Math.abs(now - this.#recoveredAt) >= MILLISECONDS_PER_MINUTE) {
      this.#local = this.ports.makeLocal();
      this.#outage += 1;
    }
    this.#probes.start();
    const refusal = redisRefusalOf(cause);
    this.#refusals.clear();
    if (refusal !== null) this.#refusals.add(refusal);
    this.ports.report.fellBack(cause, refusal);
  }

  #noteRefusal(refusal: string | null): void {
    if (refusal === null || this.#refusals.has(refusal)) return;
    this.#refusals.add(refusal);
    this.ports.report.refused(refusal);
  }

  async #probe(): Promise<void> {
    const [answer] = await Promise.allSettled([this.ports.probe()]);
    if (!this.#probes.isStarted) return;
    if (answer.status === 'rejected') return this.#noteRefusal(redisRefusalOf(answer.reason));
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
 * Divides the limits by the number of processes. Each limit other than 0 is at least 1, so that every account is served. Daily and monthly caps are
 * not divided, because every process reads an account's whole usage from the database.
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

/** A limit of 0 stays 0, because operators set it to close a model. */
function shareOf(limit: number, instances: number): number {
  return limit === 0 ? 0 : Math.max(1, Math.floor(limit / instances));
}
