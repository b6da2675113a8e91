import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { LedgerHistory } from './ledger-history.js';
import { ledgerStep, type LedgerStep } from './ledger-step.js';
import type { MakeStore } from './store-subject.js';

export interface HistoryExtent {
  readonly runs: number;
  readonly steps: number;
}

const LONGEST_MILLISECONDS = 120_000;

/** What takes one transaction, and so can be asked for together with a known result. */
const AT_ONCE: ReadonlySet<LedgerStep['kind']> = new Set(['credit', 'reserve', 'extend', 'settle', 'retire']);

interface Disagreement {
  readonly steps: readonly LedgerStep[];
  readonly expected: readonly string[];
  readonly found: readonly string[];
}

/** What the first steps that went otherwise came to, or what was wrong in the books after them. */
async function disagreementOn(history: LedgerHistory, bursts: readonly (readonly LedgerStep[])[]): Promise<Disagreement | null> {
  for (const steps of bursts) {
    const answers = await history.playTogether(steps);
    const balances = await history.compare();
    const expected = [...answers.expected, ...balances.expected];
    const found = [...answers.found, ...balances.found];
    if (JSON.stringify(expected) !== JSON.stringify(found)) return { steps, expected, found };
  }
  return null;
}

async function firstDisagreement(make: MakeStore, bursts: readonly (readonly LedgerStep[])[]): Promise<Disagreement | null> {
  const store = await make();
  try {
    return await disagreementOn(await LedgerHistory.begin(store), bursts);
  } finally {
    await store.close?.();
  }
}

/** Consecutive steps that may be asked for together, and each other step alone. */
function burstsOf(steps: readonly LedgerStep[]): readonly (readonly LedgerStep[])[] {
  const bursts: LedgerStep[][] = [];
  let isOpen = false;
  for (const step of steps) {
    const joins = AT_ONCE.has(step.kind);
    if (joins && isOpen) bursts.at(-1)?.push(step);
    else bursts.push([step]);
    isOpen = joins;
  }
  return bursts;
}

/** Random histories give the answers and balances of a model that is too simple to be wrong, step by step, and the books balance after each. */
export function ledgerHistoryContract(name: string, make: MakeStore, { runs, steps }: HistoryExtent): void {
  const histories = fc.array(ledgerStep, { minLength: steps / 2, maxLength: steps });

  describe(`Ledger history: ${name}`, () => {
    it(`agrees with the model after every step of ${runs} random histories`, async () => {
      await fc.assert(fc.asyncProperty(histories, async (history) => {
        expect(await firstDisagreement(make, history.map((step) => [step]))).toBeNull();
      }), { numRuns: runs });
    }, LONGEST_MILLISECONDS);

    it(`agrees with the model when steps are asked for together, in ${runs} random histories`, async () => {
      await fc.assert(fc.asyncProperty(histories, async (history) => {
        expect(await firstDisagreement(make, burstsOf(history))).toBeNull();
      }), { numRuns: runs });
    }, LONGEST_MILLISECONDS);
  });
}
