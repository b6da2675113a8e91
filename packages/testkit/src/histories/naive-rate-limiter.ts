import {
  type BindingLimits, type Demand, type Instant, type LimitName, MILLISECONDS_PER_MINUTE, startOfUtcDay, utcMonthOf,
} from '@tollgate/core';

interface Counted {
  readonly kind: Demand['kind'];
  readonly window: Instant;
  /** The incident limit it counts for, and the window it counts in there. */
  readonly incident: string | null;
  readonly incidentWindow: Instant;
  readonly estimate: number;
  state: 'running' | 'undone' | 'unserved' | 'served';
  usedTokens: number;
  endedAt: Instant;
}

/** `model:` before the name of a limit that is the model's. */
type Refusal = LimitName | `model:${LimitName}`;

interface Figures { readonly requests: number; readonly tokens: number; readonly resetSeconds: number }

/** The limits by the book: keeps every request and recounts them all each time. One account. */
export class NaiveRateLimiter {
  readonly #requests: Counted[] = [];

  admit(binding: BindingLimits, { kind, tokens }: Pick<Demand, 'kind' | 'tokens'>, now: Instant): Refusal | Counted {
    const estimate = kind === 'count' ? 0 : tokens;
    const exceeded = this.#exceeded(binding, { kind, estimate }, now);
    if (exceeded !== null) return exceeded;
    const incident = kind === 'count' ? null : nameOf(binding);
    const counted: Counted = {
      kind, window: this.#windowAt(now) ?? now, estimate, state: 'running', usedTokens: 0, endedAt: now,
      incident, incidentWindow: this.#inIncident(incident, now)[0]?.incidentWindow ?? now,
    };
    this.#requests.push(counted);
    return counted;
  }

  /** The figures of the plan, or of the incident limit where that leaves fewer requests. */
  remaining(binding: BindingLimits, now: Instant): Figures {
    const { limits, incident } = binding;
    const window = this.#windowAt(now);
    const plan = {
      requests: Math.max(0, limits.requestsPerMinute - this.#inWindow(now).length),
      tokens: Math.max(0, limits.tokensPerMinute - tokensOf(this.#inWindow(now))),
      resetSeconds: secondsLeft(window, now),
    };
    if (incident === null) return plan;
    const counted = this.#inIncident(nameOf(binding), now);
    const model = {
      requests: incident.requestsPerMinute === null ? plan.requests : Math.max(0, incident.requestsPerMinute - counted.length),
      tokens: incident.tokensPerMinute === null ? plan.tokens : Math.max(0, incident.tokensPerMinute - tokensOf(counted)),
      resetSeconds: incident.requestsPerMinute === null ? plan.resetSeconds : secondsLeft(counted[0]?.incidentWindow ?? null, now),
    };
    const [shown] = [plan, model].toSorted((a, b) => a.requests - b.requests || b.resetSeconds - a.resetSeconds || a.tokens - b.tokens);
    return shown ?? plan;
  }

  /** What the source of truth would say. */
  usedOn(now: Instant): { readonly day: number; readonly month: number } {
    const served = this.#requests.filter(({ state }) => state === 'served');
    return {
      day: sum(served.filter(({ endedAt }) => startOfUtcDay(endedAt) === startOfUtcDay(now)).map(({ usedTokens }) => usedTokens)),
      month: sum(served.filter(({ endedAt }) => utcMonthOf(endedAt) === utcMonthOf(now)).map(({ usedTokens }) => usedTokens)),
    };
  }

  #exceeded(binding: BindingLimits, { kind, estimate }: Pick<Counted, 'kind' | 'estimate'>, now: Instant): Refusal | null {
    const { limits, incident } = binding;
    const running = this.#requests.filter((request) => request.kind === 'generation' && request.state === 'running');
    const inFlight = sum(running.map((request) => request.estimate));
    const counted = this.#inIncident(nameOf(binding), now);
    const used = this.usedOn(now);
    if (this.#inWindow(now).length >= limits.requestsPerMinute) return 'requests-per-minute';
    if (kind === 'count') return null;
    if (counted.length >= (incident?.requestsPerMinute ?? Infinity)) return 'model:requests-per-minute';
    if (tokensOf(this.#inWindow(now)) + estimate > limits.tokensPerMinute) return 'tokens-per-minute';
    if (tokensOf(counted) + estimate > (incident?.tokensPerMinute ?? Infinity)) return 'model:tokens-per-minute';
    if (running.length >= limits.concurrentRequests) return 'concurrent-requests';
    const ofModel = running.filter((request) => request.incident === nameOf(binding));
    if (ofModel.length >= (incident?.concurrentRequests ?? Infinity)) return 'model:concurrent-requests';
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

  #inIncident(name: string | null, now: Instant): readonly Counted[] {
    return this.#requests.filter(({ incident, incidentWindow, state }) =>
      name !== null && incident === name && state !== 'undone' && now - incidentWindow < MILLISECONDS_PER_MINUTE);
  }
}

/** Names one setting of an incident limit. */
function nameOf({ incident }: BindingLimits): string | null {
  return incident === null ? null : `${incident.model} since ${incident.setAt}`;
}

function tokensOf(requests: readonly Counted[]): number {
  return sum(requests.filter(({ state }) => state !== 'unserved').map(({ estimate }) => estimate));
}

function secondsLeft(window: Instant | null, now: Instant): number {
  return window === null ? 0 : Math.ceil((window + MILLISECONDS_PER_MINUTE - now) / 1000);
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
