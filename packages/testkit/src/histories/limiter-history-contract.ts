import { describe, expect, it } from '@jest/globals';
import { type Admission, type AdmissionTicket, type BindingLimits, tokenCount } from '@tollgate/core';
import * as fc from 'fast-check';
import { ALICE, type MakeRateLimiter, RateLimiterDriver } from '../contracts/rate-limiter/rate-limiter-subject.js';
import type { HistoryExtent } from './history-extent.js';
import { keptHistories } from './kept-histories.js';
import { incidentLimits, LIMITS, type LimiterStep, limiterStep } from './limiter-step.js';
import { NaiveRateLimiter } from './naive-rate-limiter.js';
import { type History, runHistories } from './run-histories.js';

const LONGEST = 60;
const KIND = 'limits';
const histories: fc.Arbitrary<History<LimiterStep>> = fc.array(limiterStep.map((one) => [one]), { minLength: LONGEST / 2, maxLength: LONGEST });

interface Admitted { readonly ticket: AdmissionTicket; readonly counted: Exclude<ReturnType<NaiveRateLimiter['admit']>, string> }

interface Disagreement { readonly step: LimiterStep; readonly expected: readonly unknown[]; readonly found: readonly unknown[] }

/** What the limiter answered to one step, or said its quota was, and what the model did. */
interface Answers {
  readonly limiter: unknown;
  readonly model: unknown;
}

/** One limiter and its model, given the same history. */
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

/** Random histories of admissions, releases and waits get the same answers as from a model that keeps every request and recounts them all. */
export function limiterHistoryContract(name: string, make: MakeRateLimiter, extent: HistoryExtent): void {
  const kindOfHistory = { kind: KIND, name: `Limits on ${name}`, histories, play: (history: History<LimiterStep>) => firstDisagreement(make, history) };

  describe(`RateLimiter history: ${name}`, () => {
    it('agrees with the model on the histories that once did not', async () => {
      for (const history of keptHistories<LimiterStep>(KIND)) expect(await kindOfHistory.play(history)).toBeNull();
    }, extent.minutes * 60_000);

    it(`answers ${extent.histories} random histories like a limiter that recounts everything`, async () => {
      expect(await runHistories(kindOfHistory, extent)).toBeNull();
    }, 2 * extent.minutes * 60_000);
  });
}
