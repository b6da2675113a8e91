import {
  type Admission, type AdmissionTicket, type BindingLimits, type Demand, type IncidentLimit, type Instant, type LimitName,
  MILLISECONDS_PER_MINUTE, type ModelSlug, type PlanLimits, startOfUtcDay, tokenCount, utcMonthOf,
} from '@tollgate/core';
import * as fc from 'fast-check';
import { describe, expect, it } from '@jest/globals';
import { ALICE, AN_INCIDENT, type MakeRateLimiter, RateLimiterDriver, WIDE_LIMITS } from '../contracts/rate-limiter/rate-limiter-subject.js';
import { type History, type HistoryExtent, keptHistories, runHistories } from './run-histories.js';

interface Counted {
  readonly kind: Demand['kind'];
  readonly window: Instant;
  /** The incident limit that applied to the request, and the start of its window. */
  readonly incident: string | null;
  readonly incidentWindow: Instant;
  readonly estimate: number;
  state: 'running' | 'undone' | 'unserved' | 'served';
  usedTokens: number;
  endedAt: Instant;
}

/** `model:` is the prefix of limits of the model. */
type Refusal = LimitName | `model:${LimitName}`;

interface Figures { readonly requests: number; readonly tokens: number; readonly resetSeconds: number }

/** A limiter of one account. Keeps every request, and counts all of them again for each answer. */
class NaiveRateLimiter {
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

  /**
   * The figures of the plan or of the incident limit, whichever leaves fewer requests; if these are equal, those with the later reset, then those
   * with fewer tokens.
   */
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

  /** The figures that the usage source returns. */
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

/** `none`: no incident limit. `tight`: one with every limit. `tokens`: one for another model, with a limit of tokens only. */
type IncidentName = 'none' | 'tight' | 'tokens';

type EndKind = 'undone' | 'unserved' | 'served';

type LimiterStep =
  | { readonly do: 'admit'; readonly kind: Demand['kind']; readonly tokens: number; readonly limits: 'narrow' | 'wide'; readonly incident: IncidentName }
  /** An operator sets the incident limits again. */
  | { readonly do: 'set incidents' }
  | { readonly do: 'release'; readonly which: number; readonly how: EndKind; readonly tokens: number }
  /** Releases a ticket a second time, with a different result. */
  | { readonly do: 'release again'; readonly which: number; readonly how: Exclude<EndKind, 'served'> }
  | { readonly do: 'wait'; readonly milliseconds: number };

/** `narrow`: requests soon reach every limit. `wide`: they sometimes reach a limit. */
const LIMITS: Readonly<Record<'narrow' | 'wide', PlanLimits>> = {
  narrow: {
    ...WIDE_LIMITS, requestsPerMinute: 4, tokensPerMinute: tokenCount(60), concurrentRequests: 3,
    tokensPerDay: tokenCount(150), tokensPerMonth: tokenCount(260),
  },
  wide: { ...WIDE_LIMITS, requestsPerMinute: 9, tokensPerMinute: tokenCount(150), concurrentRequests: 5 },
};

/** The incident limits after operators have set them this many times. */
function incidentLimits(setting: number): Readonly<Record<IncidentName, IncidentLimit | null>> {
  const setAt = setting as Instant;
  return {
    none: null,
    tight: { ...AN_INCIDENT, setAt, requestsPerMinute: 3, tokensPerMinute: tokenCount(50), concurrentRequests: 2 },
    tokens: { ...AN_INCIDENT, setAt, model: 'large' as ModelSlug, tokensPerMinute: tokenCount(40) },
  };
}

/** Waiting times. Many end with a window, a day or a month, or one millisecond earlier or later. */
const WAITS = fc.oneof(
  fc.integer({ min: 0, max: 61_000 }),
  fc.constantFrom(59_999, 60_000, 60_001, 120_000, 3_600_000, 43_200_000, 86_400_000, 86_400_000 * 12),
);

const tokensUpTo = (most: number): fc.Arbitrary<number> => fc.integer({ min: 0, max: most });
const anyKind = fc.constantFrom<Demand['kind'][]>('generation', 'generation', 'generation', 'count');
const anyIncident = fc.constantFrom<IncidentName[]>('none', 'tight', 'tight', 'tokens');
const anyHow = fc.constantFrom<EndKind[]>('undone', 'unserved', 'served');

/** Any step. Admissions are the most frequent. */
const limiterStep: fc.Arbitrary<LimiterStep> = fc.oneof(
  { weight: 10, arbitrary: fc.record({ do: fc.constant('admit' as const), kind: anyKind, tokens: tokensUpTo(40), limits: fc.constantFrom('narrow' as const, 'wide' as const), incident: anyIncident }) },
  { weight: 1, arbitrary: fc.constant({ do: 'set incidents' as const }) },
  { weight: 8, arbitrary: fc.record({ do: fc.constant('release' as const), which: fc.nat(10), how: anyHow, tokens: tokensUpTo(60) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('release again' as const), which: fc.nat(10), how: fc.constantFrom('undone' as const, 'unserved' as const) }) },
  { weight: 4, arbitrary: fc.record({ do: fc.constant('wait' as const), milliseconds: WAITS }) },
);

const LONGEST = 60;
const KIND = 'limits';
const histories: fc.Arbitrary<History<LimiterStep>> = fc.array(limiterStep.map((one) => [one]), { minLength: LONGEST / 2, maxLength: LONGEST });

interface Admitted { readonly ticket: AdmissionTicket; readonly counted: Exclude<ReturnType<NaiveRateLimiter['admit']>, string> }

interface Disagreement { readonly step: LimiterStep; readonly expected: readonly unknown[]; readonly found: readonly unknown[] }

interface Answers {
  readonly limiter: unknown;
  readonly model: unknown;
}

/** Plays one history on a limiter and on its model. */
class Comparison {
  readonly #model = new NaiveRateLimiter();
  readonly #running: Admitted[] = [];
  readonly #released: Admitted[] = [];

  #setting = 1;

  constructor(private readonly driver: RateLimiterDriver) {}

  async play(step: LimiterStep): Promise<Disagreement | null> {
    const answers = [...await this.#take(step), ...await this.#quotas()];
    const [expected, found] = [answers.map(({ model }) => model), answers.map(({ limiter }) => limiter)];
    return JSON.stringify(expected) === JSON.stringify(found) ? null : { step, expected, found };
  }

  async #take(step: LimiterStep): Promise<readonly Answers[]> {
    switch (step.do) {
      case 'admit': return [await this.#admit(step)];
      case 'release': await this.#release(step); break;
      case 'release again': await this.#releaseAgain(step); break;
      case 'set incidents': this.#setting += 1; break;
      case 'wait': await this.driver.advance(step.milliseconds); break;
    }
    return [];
  }

  async #admit({ kind, tokens, limits, incident }: Extract<LimiterStep, { do: 'admit' }>): Promise<Answers> {
    const binding = { limits: LIMITS[limits], incident: incidentLimits(this.#setting)[incident] };
    const admission = await this.driver.limiter.admit({ ...this.driver.demand({}, tokens, kind), ...binding });
    const counted = this.#model.admit(binding, { kind, tokens: tokenCount(tokens) }, this.driver.now);
    if (admission.admitted && typeof counted !== 'string') this.#running.push({ ticket: admission.ticket, counted });
    return { limiter: answerOf(admission), model: typeof counted === 'string' ? counted : 'admitted' };
  }

  async #release({ which, how, tokens }: Extract<LimiterStep, { do: 'release' }>): Promise<void> {
    const [running] = this.#running.splice(which % Math.max(1, this.#running.length), 1);
    if (running === undefined) return;
    this.#released.push(running);
    const isServed = how === 'served' && running.counted.kind === 'generation';
    Object.assign(running.counted, { state: how, usedTokens: isServed ? tokens : 0, endedAt: this.driver.now });
    if (isServed) await this.driver.serve(running.ticket, tokens);
    else await this.driver.release(running.ticket, how === 'served' ? 'unserved' : how);
  }

  async #releaseAgain({ which, how }: Extract<LimiterStep, { do: 'release again' }>): Promise<void> {
    const released = this.#released[which % Math.max(1, this.#released.length)];
    if (released !== undefined) await this.driver.release(released.ticket, how);
  }

  async #quotas(): Promise<readonly Answers[]> {
    const incidents = Object.values(incidentLimits(this.#setting));
    const bindings: readonly BindingLimits[] = Object.values(LIMITS).flatMap((limits) => incidents.map((incident) => ({ limits, incident })));
    return Promise.all(bindings.map(async (binding) => {
      const quota = await this.driver.limiter.quota(ALICE, binding);
      return {
        limiter: { requests: quota.requestsRemaining, tokens: quota.tokensRemaining, resetSeconds: quota.requestsResetSeconds },
        model: this.#model.remaining(binding, this.driver.now),
      };
    }));
  }
}

function answerOf(admission: Admission): string {
  if (admission.admitted) return 'admitted';
  return admission.incidentModel === null ? admission.limit : `model:${admission.limit}`;
}

async function firstDisagreement(make: MakeRateLimiter, history: History<LimiterStep>): Promise<Disagreement | null> {
  const driver = await RateLimiterDriver.start(make);
  try {
    const comparison = new Comparison(driver);
    let disagreement: Disagreement | null = null;
    for (const one of history.flat()) disagreement ??= await comparison.play(one);
    return disagreement;
  } finally {
    await driver.close();
  }
}

/** Tests that random histories get the answers of a model that keeps and counts every request. */
export function limiterHistoryContract(name: string, make: MakeRateLimiter, extent: HistoryExtent): void {
  const kindOfHistory = { kind: KIND, name: `Limits on ${name}`, histories, play: (history: History<LimiterStep>) => firstDisagreement(make, history) };

  describe(`RateLimiter history: ${name}`, () => {
    it('agrees with the reference model on every recorded regression', async () => {
      for (const history of keptHistories<LimiterStep>(KIND)) expect(await kindOfHistory.play(history)).toBeNull();
    }, extent.minutes * 60_000);

    it(`agrees with a reference model that recounts every request, on ${extent.histories} random histories`, async () => {
      expect(await runHistories(kindOfHistory, extent)).toBeNull();
    }, 2 * extent.minutes * 60_000);
  });
}
