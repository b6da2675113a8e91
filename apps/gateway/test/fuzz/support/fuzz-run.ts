import * as fc from 'fast-check';
import type { FuzzSettings } from './fuzz-settings.js';

const MILLISECONDS_PER_MINUTE = 60_000;
const PROGRESS_EVERY = 1_000;

export interface FuzzPart<Case> {
  readonly name: string;
  readonly cases: fc.Arbitrary<Case>;
  readonly count: number;
  /** Checks a case; resolves with its category. Rejects if the case fails. */
  readonly check: (one: Case) => Promise<string>;
  /** Stores the smallest failing case; returns the path of its file. */
  readonly keep: (one: Case) => string;
}

function say({ progress }: FuzzSettings, line: string): void {
  if (progress === 'shown') process.stderr.write(`${line}\n`);
}

/** Runs random cases until a failure, the time limit or the number of cases. Throws with the seed and the smallest failing case. */
export async function runFuzzPart<Case>(part: FuzzPart<Case>, settings: FuzzSettings): Promise<void> {
  const startedAt = performance.now();
  const seconds = (): number => Math.round((performance.now() - startedAt) / 100) / 10;
  let tried = 0;
  const outcomes = new Map<string, number>();
  const property = fc.asyncProperty(part.cases, async (one) => {
    tried += 1;
    if (tried % PROGRESS_EVERY === 0) say(settings, `${part.name}: ${tried} of ${part.count} in ${seconds()} s`);
    const outcome = await part.check(one);
    outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
  });
  const details = await fc.check(property, {
    seed: settings.seed, numRuns: part.count, interruptAfterTimeLimit: settings.minutes * MILLISECONDS_PER_MINUTE / 2, includeErrorInReport: true,
  });
  if (details.failed) {
    const smallest = details.counterexample?.[0];
    const kept = smallest === undefined ? 'nowhere' : part.keep(smallest);
    throw new Error(`${part.name}: seed ${settings.seed}, path ${details.counterexamplePath ?? '-'}, kept as ${kept}: ${String(details.errorInstance)}`, { cause: details.errorInstance });
  }
  const counts = [...outcomes].toSorted(([, a], [, b]) => b - a).map(([outcome, count]) => `${outcome} ${count}`).join(', ');
  say(settings, `${part.name}: seed ${settings.seed}, ${tried} tried in ${seconds()} s (${Math.round(tried / Math.max(0.1, seconds()))} a second), none failed; ${counts}`);
}
