import { expect, it } from '@jest/globals';
import { type AdmissionTicket, type PlanLimits, tokenCount } from '@tollgate/core';
import * as fc from 'fast-check';
import { NaiveRateLimiter } from './naive-rate-limiter.js';
import { ALICE, type MakeRateLimiter, RateLimiterDriver, WIDE_LIMITS } from './rate-limiter-subject.js';

type Step =
  | { readonly do: 'admit'; readonly tokens: number; readonly limits: 'narrow' | 'wide' }
  | { readonly do: 'release'; readonly which: number; readonly how: 'undone' | 'unserved' | 'served'; readonly tokens: number }
  | { readonly do: 'wait'; readonly milliseconds: number };

const LIMITS: Readonly<Record<'narrow' | 'wide', PlanLimits>> = {
  narrow: {
    ...WIDE_LIMITS, requestsPerMinute: 4, tokensPerMinute: tokenCount(60), concurrentRequests: 3,
    tokensPerDay: tokenCount(150), tokensPerMonth: tokenCount(260),
  },
  wide: { ...WIDE_LIMITS, requestsPerMinute: 9, tokensPerMinute: tokenCount(150), concurrentRequests: 5 },
};

/** Waits that often end exactly on, or next to, the end of a window, a day or a month. */
const WAITS = fc.oneof(
  fc.integer({ min: 0, max: 61_000 }),
  fc.constantFrom(59_999, 60_000, 60_001, 120_000, 3_600_000, 43_200_000, 86_400_000, 86_400_000 * 12),
);

const STEPS: fc.Arbitrary<readonly Step[]> = fc.array(
  fc.oneof(
    {
      weight: 5,
      arbitrary: fc.record({
        do: fc.constant('admit' as const), tokens: fc.integer({ min: 0, max: 40 }), limits: fc.constantFrom('narrow' as const, 'wide' as const),
      }),
    },
    {
      weight: 4,
      arbitrary: fc.record({
        do: fc.constant('release' as const), which: fc.nat(10), how: fc.constantFrom('undone' as const, 'unserved' as const, 'served' as const),
        tokens: fc.integer({ min: 0, max: 60 }),
      }),
    },
    { weight: 2, arbitrary: fc.record({ do: fc.constant('wait' as const), milliseconds: WAITS }) },
  ),
  { maxLength: 60 },
);

interface Running { readonly ticket: AdmissionTicket; readonly counted: Exclude<ReturnType<NaiveRateLimiter['admit']>, string> }

/** What the limiter answered to one step, or said its quota was, and what the model did. */
interface Answers {
  readonly limiter: unknown;
  readonly model: unknown;
}

/** One limiter and its model, given the same history. */
class Comparison {
  readonly #model = new NaiveRateLimiter();
  readonly #running: Running[] = [];

  constructor(private readonly driver: RateLimiterDriver) {}

  async play(step: Step): Promise<readonly Answers[]> {
    if (step.do === 'admit') return [await this.#admit(LIMITS[step.limits], step.tokens), ...await this.#quotas()];
    if (step.do === 'wait') await this.driver.advance(step.milliseconds);
    else await this.#release(step);
    return this.#quotas();
  }

  async #admit(limits: PlanLimits, tokens: number): Promise<Answers> {
    const admission = await this.driver.admit(limits, tokens);
    const counted = this.#model.admit(limits, tokens, this.driver.now);
    if (admission.admitted && typeof counted !== 'string') this.#running.push({ ticket: admission.ticket, counted });
    return { limiter: admission.admitted ? 'admitted' : admission.limit, model: typeof counted === 'string' ? counted : 'admitted' };
  }

  async #release({ which, how, tokens }: Extract<Step, { do: 'release' }>): Promise<void> {
    const [running] = this.#running.splice(which % Math.max(1, this.#running.length), 1);
    if (running === undefined) return;
    Object.assign(running.counted, { state: how, usedTokens: tokens, endedAt: this.driver.now });
    if (how === 'served') await this.driver.serve(running.ticket, tokens);
    else await this.driver.release(running.ticket, how);
  }

  async #quotas(): Promise<readonly Answers[]> {
    return Promise.all(Object.values(LIMITS).map(async (limits) => {
      const quota = await this.driver.limiter.quota(ALICE, limits);
      return {
        limiter: { requests: quota.requestsRemaining, tokens: quota.tokensRemaining, resetSeconds: quota.requestsResetSeconds },
        model: this.#model.remaining(limits, this.driver.now),
      };
    }));
  }
}

/** Random histories get the same answers as from a model that keeps everything and counts anew. */
export function rateLimiterPropertyContract(make: MakeRateLimiter): void {
  it('answers every history of admissions, releases and waits like a limiter that recounts everything', async () => {
    await fc.assert(
      fc.asyncProperty(STEPS, async (steps) => {
        const driver = await RateLimiterDriver.start(make);
        const comparison = new Comparison(driver);
        for (const step of steps) for (const { limiter, model } of await comparison.play(step)) expect(limiter).toEqual(model);
        await driver.close();
      }),
      { numRuns: 300 },
    );
  });
}
