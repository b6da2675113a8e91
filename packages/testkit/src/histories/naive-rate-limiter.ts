import { type Demand, type Instant, type LimitName, MILLISECONDS_PER_MINUTE, type PlanLimits, startOfUtcDay, utcMonthOf } from '@tollgate/core';

interface Counted {
  readonly kind: Demand['kind'];
  readonly window: Instant;
  readonly estimate: number;
  state: 'running' | 'undone' | 'unserved' | 'served';
  usedTokens: number;
  endedAt: Instant;
}

/** The limits by the book: keeps every request for ever and counts them all anew each time. One account. */
export class NaiveRateLimiter {
  readonly #requests: Counted[] = [];

  admit(limits: PlanLimits, { kind, tokens }: Pick<Demand, 'kind' | 'tokens'>, now: Instant): LimitName | Counted {
    const estimate = kind === 'count' ? 0 : tokens;
    const exceeded = this.#exceeded(limits, { kind, estimate }, now);
    if (exceeded !== null) return exceeded;
    const counted: Counted = { kind, window: this.#windowAt(now) ?? now, estimate, state: 'running', usedTokens: 0, endedAt: now };
    this.#requests.push(counted);
    return counted;
  }

  remaining(limits: PlanLimits, now: Instant): { readonly requests: number; readonly tokens: number; readonly resetSeconds: number } {
    const window = this.#windowAt(now);
    return {
      requests: Math.max(0, limits.requestsPerMinute - this.#inWindow(now).length),
      tokens: Math.max(0, limits.tokensPerMinute - this.#tokensInWindow(now)),
      resetSeconds: window === null ? 0 : Math.ceil((window + MILLISECONDS_PER_MINUTE - now) / 1000),
    };
  }

  /** What the source of truth would say. */
  usedOn(now: Instant): { readonly day: number; readonly month: number } {
    const served = this.#requests.filter(({ state }) => state === 'served');
    return {
      day: sum(served.filter(({ endedAt }) => startOfUtcDay(endedAt) === startOfUtcDay(now)).map(({ usedTokens }) => usedTokens)),
      month: sum(served.filter(({ endedAt }) => utcMonthOf(endedAt) === utcMonthOf(now)).map(({ usedTokens }) => usedTokens)),
    };
  }

  #exceeded(limits: PlanLimits, { kind, estimate }: Pick<Counted, 'kind' | 'estimate'>, now: Instant): LimitName | null {
    const running = this.#requests.filter((request) => request.kind === 'generation' && request.state === 'running');
    const inFlight = sum(running.map((request) => request.estimate));
    const used = this.usedOn(now);
    if (this.#inWindow(now).length >= limits.requestsPerMinute) return 'requests-per-minute';
    if (kind === 'count') return null;
    if (this.#tokensInWindow(now) + estimate > limits.tokensPerMinute) return 'tokens-per-minute';
    if (running.length >= limits.concurrentRequests) return 'concurrent-requests';
    if (limits.tokensPerDay !== null && used.day + inFlight + estimate > limits.tokensPerDay) return 'tokens-per-day';
    if (limits.tokensPerMonth !== null && used.month + inFlight + estimate > limits.tokensPerMonth) return 'tokens-per-month';
    return null;
  }

  #windowAt(now: Instant): Instant | null {
    return this.#inWindow(now)[0]?.window ?? null;
  }

  #inWindow(now: Instant): readonly Counted[] {
    return this.#requests.filter(({ window, state }) => state !== 'undone' && now - window < MILLISECONDS_PER_MINUTE);
  }

  #tokensInWindow(now: Instant): number {
    return sum(this.#inWindow(now).filter(({ state }) => state !== 'unserved').map(({ estimate }) => estimate));
  }
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
