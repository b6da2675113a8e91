import { type AccountEvent, availableOf, type BalanceAlerts, type EventLog, type KnownHold, later, type ProcessId, ServiceTokens, SYSTEM_ACTOR } from '@tollgate/core';
import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { anAccount } from '../builders/builders.js';
import { readPage } from '../contracts/events/events-subject.js';
import { STORE_NOON, type StoreSubject } from '../contracts/store-subject.js';
import { FAILED, HISTORY_THRESHOLDS, LedgerModel, type ModelAnswer } from './ledger-model.js';
import { HISTORY_ACCOUNTS, historyAccount, holdBy, type LedgerStep, ledgerStep, type MoneyStep, performStep, type StepContext } from './ledger-step.js';
import { type HistoryExtent, keptHistories, runHistories } from './run-histories.js';

/** A store whose process a history can end. */
export interface MortalStore extends StoreSubject {
  /** The events of the store. Absent if it stores none. */
  readonly events?: EventLog;
  readonly alerts?: BalanceAlerts;
  /**
   * Opens the store as a new process would after the crash of this one. Absent if the store ends with its process, or if several processes share it.
   */
  crash?(): Promise<MortalStore>;
}

/** The answers to the concurrent steps: those of each model, and those of the store. */
interface Told {
  readonly expected: readonly (readonly ModelAnswer[])[];
  readonly found: readonly ModelAnswer[];
}

interface Disagreement {
  readonly steps: readonly LedgerStep[];
  readonly expected: readonly string[];
  readonly found: readonly string[];
}

const ACCOUNTS = Array.from({ length: HISTORY_ACCOUNTS }, (_, number) => number);

/** Each unanswered step may have taken effect or not. Returns a model for each combination. */
function possibilities(model: LedgerModel, unanswered: readonly MoneyStep[]): readonly LedgerModel[] {
  const [first, ...others] = unanswered;
  if (first === undefined) return [model];
  const done = model.copy();
  done.answer(first);
  return [...possibilities(model, others), ...possibilities(done, others)];
}

/** Counts the crossings in the event feed. Each call of `read` continues where the previous one ended. */
class CrossingCounts {
  private readonly counts = ACCOUNTS.map(() => HISTORY_THRESHOLDS.map(() => 0));
  private cursor: string | null = null;

  async read(events: EventLog): Promise<readonly string[]> {
    for (let hasMore = true; hasMore;) {
      const page = await readPage(events, { after: this.cursor });
      for (const event of page.events) this.count(event);
      this.cursor = page.nextCursor;
      hasMore = page.hasMore;
    }
    return this.counts.map((counts) => `crossed ${counts.join('/')}`);
  }

  private count({ type, accountId, data }: AccountEvent): void {
    if (type !== 'balance.low' && type !== 'balance.exhausted') return;
    const counts = this.counts[ACCOUNTS.findIndex((number) => historyAccount(number) === accountId)];
    const place = HISTORY_THRESHOLDS.findIndex((threshold) => String(threshold) === data['threshold']);
    if (counts === undefined || place === -1) throw new Error(`nothing crosses ${JSON.stringify(data)}`);
    counts[place] = (counts[place] ?? 0) + 1;
  }
}

/**
 * Plays a history on a ledger and on a model. When unanswered steps permit several states, plays on with a model of each state until answers show
 * which is right.
 */
class LedgerHistory {
  private models: readonly LedgerModel[] = [LedgerModel.begin(HISTORY_ACCOUNTS)];

  private readonly crossings = new CrossingCounts();
  /** Reservations of which all models agree that this history made them. */
  private readonly holds = new Map<number, KnownHold>();

  private constructor(private store: MortalStore) {}

  static async begin(store: MortalStore): Promise<LedgerHistory> {
    for (const number of ACCOUNTS) await store.accounts.create(anAccount({ id: historyAccount(number), email: `${number}@example.test` }), SYSTEM_ACTOR);
    const low = HISTORY_THRESHOLDS.slice(0, -1).map((threshold) => ServiceTokens.parse(String(threshold)));
    for (const number of ACCOUNTS) await store.alerts?.choose(historyAccount(number), low, { actor: SYSTEM_ACTOR, at: STORE_NOON });
    return new LedgerHistory(store);
  }

  async close(): Promise<void> {
    await this.store.close?.();
  }

  /** Plays concurrent steps, which the models execute in the given order. Returns `null` if a model agrees with the store. */
  async play(given: readonly LedgerStep[]): Promise<Disagreement | null> {
    const steps = given.map((step) => this.storable(step));
    const [first] = steps;
    const told = first?.kind === 'crash' ? await this.crash(first) : await this.ask(steps);
    const found = [...told.found, ...await this.state()];
    const agreeing = this.models.filter((model, index) => [...told.expected[index] ?? [], ...model.balances(), ...this.expectedCrossings(model)].join('\n') === found.join('\n'));
    if (agreeing.length === 0) return { steps, expected: [...told.expected[0] ?? [], ...this.models[0]?.balances() ?? [], ...this.expectedCrossings(this.models[0])], found };
    this.models = agreeing;
    return null;
  }

  private async ask(steps: readonly LedgerStep[]): Promise<Told> {
    const expected: ModelAnswer[][] = this.models.map(() => []);
    const answers: Promise<ModelAnswer>[] = [];
    for (const step of steps) {
      const context = this.context();
      const isNew = step.kind === 'reserve' && !this.models.some((model) => model.has(step.reservation));
      this.models.forEach((model, index) => expected[index]?.push(model.answer(step)));
      if (isNew) this.learn(step, context);
      answers.push(performStep(this.store, step, context).catch(() => FAILED));
    }
    return { expected, found: await Promise.all(answers) };
  }

  /** Adds the reservation to `holds` if all models reserved the same amount for it. */
  private learn(step: Extract<LedgerStep, { readonly kind: 'reserve' }>, { now }: StepContext): void {
    const amounts = new Set(this.models.map((model) => model.amountOf(step.reservation)));
    const [amount] = amounts;
    if (amount !== undefined && amounts.size === 1 && this.models.every((model) => model.has(step.reservation))) this.holds.set(step.reservation, holdBy(step, amount, now));
  }

  private async crash(step: Extract<LedgerStep, { readonly kind: 'crash' }>): Promise<Told> {
    const context = this.context();
    const asked = Promise.allSettled(step.unanswered.map((unanswered) => performStep(this.store, unanswered, context)));
    const { store } = this;
    if (store.crash === undefined || step.late) await asked;
    if (store.crash !== undefined) this.store = await store.crash();
    await asked;
    this.models = this.models.flatMap((model) => possibilities(model, step.unanswered));
    for (const model of this.models) model.answer(step);
    return { expected: this.models.map(() => []), found: [] };
  }

  /** The balances, the crossings so far, and the differences that the ledger's own audit finds. */
  private async state(): Promise<readonly string[]> {
    const balances = await Promise.all(ACCOUNTS.map(async (number) => {
      const balance = await this.store.ledger.balanceOf(historyAccount(number));
      return balance === null ? 'none' : [balance.posted, balance.reserved, availableOf(balance)].map((amount) => amount.toString()).join('/');
    }));
    const { differences } = await this.store.ledgerAudit.verify();
    const crossings = this.store.events === undefined ? [] : await this.crossings.read(this.store.events);
    return [...balances, ...crossings, ...differences.map((difference) => JSON.stringify(difference))];
  }

  private expectedCrossings(model: LedgerModel | undefined): readonly string[] {
    return this.store.events === undefined ? [] : model?.crossings() ?? [];
  }

  /** The time and the processes. All models agree on them. */
  private context(): StepContext {
    const [model] = this.models;
    if (model === undefined) throw new Error('no model agrees with all observed answers');
    return { now: later(STORE_NOON, model.now * 1000), processOf: (owner) => `process_${model.processOf(owner)}` as ProcessId, holdOf: (reservation) => this.holds.get(reservation) ?? null };
  }

  private joined(step: MoneyStep): MoneyStep {
    if (step.kind !== 'reserve') return step;
    const { takesOver = null, account } = step;
    const [purchase = null, ...others] = takesOver === null ? [] : new Set(this.models.map((model) => model.purchaseOf(takesOver, account)));
    return { ...step, takesOver: others.length > 0 || purchase === step.reservation ? null : purchase };
  }

  /**
   * The step as every model can follow it. A checkpoint states at most the reserved amounts, and omits reservations whose purchase has several
   * running requests, because the result would depend on the order of a sweep. A takeover names the purchase's first reservation.
   */
  private storable(step: LedgerStep): LedgerStep {
    if (step.kind === 'reserve') return this.joined(step);
    if (step.kind === 'crash') return { ...step, unanswered: step.unanswered.map((unanswered) => this.joined(unanswered)) };
    if (step.kind !== 'checkpoint') return step;
    const setAside = (number: number): number => Math.min(...this.models.map((model) => model.amountOf(number)));
    return { ...step, progress: step.progress.filter(([number]) => this.models.every((model) => model.runsAlone(number))).map(([number, count]) => [number, Math.min(count, setAside(number))]) };
  }
}

const STEPS = 50;
const KIND = 'ledger';
/** Maximum time for replaying the failing history while it is reduced. */
const TIME_TO_SHRINK_MILLISECONDS = 120_000;

/** The kinds of steps that are one transaction each. Concurrent ones have the same result as if they ran one after another in some order. */
const AT_ONCE: ReadonlySet<LedgerStep['kind']> = new Set(['credit', 'reserve', 'extend', 'settle', 'retire']);

type Burst = readonly LedgerStep[];

/** Puts consecutive steps into bursts of at most `size` concurrent steps. */
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

/** Tests that random histories get the answers and balances of a simple model, and that the books balance after every step. */
export function ledgerHistoryContract(name: string, make: () => MortalStore | Promise<MortalStore>, extent: HistoryExtent): void {
  const onThisStore = { kind: KIND, name: `Ledger on ${name}`, histories, play: (bursts: readonly Burst[]) => firstDisagreement(make, bursts) };

  describe(`Ledger history: ${name}`, () => {
    it('agrees with the reference model on every recorded regression', async () => {
      for (const bursts of keptHistories<LedgerStep>(KIND)) expect(await onThisStore.play(bursts)).toBeNull();
    }, extent.minutes * 60_000);

    it(`agrees with the reference model after every step of ${extent.histories} random histories, sequential and concurrent`, async () => {
      expect(await runHistories(onThisStore, extent)).toBeNull();
    }, extent.minutes * 60_000 + TIME_TO_SHRINK_MILLISECONDS);
  });
}
