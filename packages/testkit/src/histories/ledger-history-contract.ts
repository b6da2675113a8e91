import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import type { HistoryExtent } from './history-extent.js';
import { keptHistories } from './kept-histories.js';
import { type Disagreement, LedgerHistory, type MortalStore } from './ledger-history.js';
import { ledgerStep, type LedgerStep } from './ledger-step.js';
import { runHistories } from './run-histories.js';

const STEPS = 50;
const KIND = 'ledger';
/** For playing the failing history again and again until it is small. */
const TIME_TO_SHRINK_MILLISECONDS = 120_000;

/** What takes one transaction, and so can be asked for together with a known result. */
const AT_ONCE: ReadonlySet<LedgerStep['kind']> = new Set(['credit', 'reserve', 'extend', 'settle', 'retire']);

/** Steps that are asked for together. */
type Burst = readonly LedgerStep[];

/** Of the steps that can be asked for together, as many as `size` are. */
function burstsOf(steps: readonly LedgerStep[], size: number): readonly Burst[] {
  const bursts: LedgerStep[][] = [];
  for (const step of steps) {
    const last = bursts.at(-1);
    const joins = last !== undefined && last.length < size && AT_ONCE.has(step.kind) && last.every(({ kind }) => AT_ONCE.has(kind));
    if (joins) last.push(step);
    else bursts.push([step]);
  }
  return bursts;
}

const histories: fc.Arbitrary<readonly Burst[]> = fc.tuple(fc.array(ledgerStep, { minLength: STEPS, maxLength: STEPS }), fc.constantFrom(1, 1, 3, STEPS))
  .map(([steps, size]) => burstsOf(steps, size));

async function firstDisagreement(make: () => MortalStore | Promise<MortalStore>, bursts: readonly Burst[]): Promise<Disagreement | null> {
  const history = await LedgerHistory.begin(await make());
  try {
    let disagreement: Disagreement | null = null;
    for (const burst of bursts) disagreement ??= await history.play(burst);
    return disagreement;
  } finally {
    await history.close();
  }
}

/** Random histories give the answers and balances of a model that is too simple to be wrong, and the books balance after every step. */
export function ledgerHistoryContract(name: string, make: () => MortalStore | Promise<MortalStore>, extent: HistoryExtent): void {
  const onThisStore = { kind: KIND, name: `Ledger on ${name}`, histories, play: (bursts: readonly Burst[]) => firstDisagreement(make, bursts) };

  describe(`Ledger history: ${name}`, () => {
    it('agrees with the model on the histories that once did not', async () => {
      for (const bursts of keptHistories<LedgerStep>(KIND)) expect(await onThisStore.play(bursts)).toBeNull();
    }, extent.minutes * 60_000);

    it(`agrees with the model after every step of ${extent.histories} random histories, asked for one by one and together`, async () => {
      expect(await runHistories(onThisStore, extent)).toBeNull();
    }, extent.minutes * 60_000 + TIME_TO_SHRINK_MILLISECONDS);
  });
}
