import {
  type AccountId, type ApiKeyId, assertNever, type Booked, type Instant, instant, later, MILLISECONDS_PER_DAY, MILLISECONDS_PER_HOUR, type ModelSlug, type MoneyAct, type ProcessId, ServiceTokens, type StatementKind, SYSTEM_ACTOR,
  utcMonthOf, verifyAllStatements,
} from '@tollgate/core';
import { expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { anEnding, aServedModel } from '../builders/builders.js';
import { STORE_ALICE, STORE_BOB, StoreDriver } from '../contracts/store-subject.js';
import { makeStatements, type StatementsSubject } from '../contracts/statements/statements-contract.js';

interface Step {
  readonly kind: 'top-up' | 'lower' | 'serve' | 'late' | 'refund' | 'make';
  readonly isAlice: boolean;
  readonly amount: number;
  readonly variant: number;
  /** By how many hours the clock advances before the step. */
  readonly hours: number;
  /** How many hours after its end a request is booked. */
  readonly delayHours: number;
}

const STEPS = 30;
const BEGIN = Date.UTC(2026, 0, 20);
const TWO_MONTHS = 62 * MILLISECONDS_PER_DAY;
const HOURS = { usual: 150, longest: 1_500 };
const LEASE = 900_000;

const step: fc.Arbitrary<Step> = fc.record({
  kind: fc.constantFrom('top-up', 'top-up', 'lower', 'serve', 'serve', 'serve', 'late', 'refund', 'make'),
  isAlice: fc.boolean(),
  amount: fc.integer({ min: 1, max: 60 }),
  variant: fc.integer({ min: 0, max: 3 }),
  hours: fc.integer({ min: 0, max: HOURS.usual }),
  delayHours: fc.oneof({ weight: 3, arbitrary: fc.constant(0) }, fc.integer({ min: 1, max: HOURS.longest })),
});

const FIRST: Step = { kind: 'top-up', isAlice: false, amount: 1, variant: 0, hours: 0, delayHours: 0 };

function kindOf({ kind }: Booked): StatementKind {
  if (kind === 'settlement' || kind === 'sweep') return 'charge';
  return kind === 'late-settlement' ? 'late-charge' : kind;
}

/** Sums by account, month and kind. */
class Sums {
  readonly #sums = new Map<string, ServiceTokens>();

  add(name: string, amount: ServiceTokens): void {
    this.#sums.set(name, amount.plus(this.#sums.get(name) ?? ServiceTokens.ZERO));
  }

  shown(): readonly string[] {
    return [...this.#sums].filter(([, sum]) => !sum.isZero()).map(([name, sum]) => `${name} ${sum.toString()}`).toSorted();
  }
}

/**
 * Plays steps. Adds each booking to the month whose statement must contain it: the month of the booking or, if that has its statements, the first
 * month without them.
 */
class StatementHistory {
  readonly expected = new Sums();
  #now = BEGIN;
  #number = 0;
  /** The first month without statements. At the start it is the month of the first entry. */
  #firstOpen: string = utcMonthOf(instant(BEGIN));

  constructor(private readonly driver: StoreDriver, private readonly store: StatementsSubject) {}

  async play(given: Step): Promise<void> {
    this.#now += given.hours * MILLISECONDS_PER_HOUR;
    this.#number += 1;
    const before = this.driver.heard.length;
    await this.take(given, instant(this.#now));
    for (const booked of this.driver.heard.slice(before)) this.note(booked, given);
  }

  /** Makes the statements of all months with bookings, as of two months later, when all are due. */
  end(): Promise<void> {
    return this.makeAll(later(instant(this.#now), TWO_MONTHS));
  }

  private async makeAll(at: Instant): Promise<void> {
    await makeStatements(this.store.statements, at);
    // Statements are made one hour after the end of a month.
    this.#firstOpen = utcMonthOf(later(at, -MILLISECONDS_PER_HOUR));
  }

  private note(booked: Booked, { kind, delayHours }: Step): void {
    const at = kind === 'serve' ? later(instant(this.#now), -delayHours * MILLISECONDS_PER_HOUR) : instant(this.#now);
    const own = utcMonthOf(at);
    this.expected.add(`${booked.accountId} ${own < this.#firstOpen ? this.#firstOpen : own} ${kindOf(booked)}`, booked.amount);
  }

  private async take({ kind, isAlice, amount, variant, delayHours }: Step, at: Instant): Promise<void> {
    const [accountId, number] = [isAlice ? STORE_ALICE : STORE_BOB, this.#number];
    const act = { accountId, amount: ServiceTokens.parse(String(amount)), reference: `act ${number}`, reason: null, actor: SYSTEM_ACTOR, at };
    const facts = { accountId, keyId: `key_${variant}` as ApiKeyId };
    const ending = (endedAt: Instant) => anEnding(amount, { endedAt, service: aServedModel({ servedBy: `model-${variant % 2}` as ModelSlug }) });
    switch (kind) {
      case 'top-up': await this.book({ ...act, kind }); break;
      case 'lower': await this.book({ ...act, kind: 'correction', direction: 'lower' }); break;
      case 'serve': await this.driver.serve(number, ending(later(at, -delayHours * MILLISECONDS_PER_HOUR)), facts); break;
      case 'late': await this.settleLate(number, { facts, at }); await this.driver.settle(number, ending(at)); break;
      case 'refund': await this.refund(act); break;
      case 'make': await this.makeAll(at); break;
      default: assertNever(kind);
    }
  }

  private async book(act: MoneyAct): Promise<void> {
    await this.store.ledger.book(act);
  }

  /** Refunds the account's first request with a charge, if there is one. */
  private async refund(act: Omit<Extract<MoneyAct, { readonly kind: 'refund' }>, 'kind' | 'requestId'>): Promise<void> {
    const charged = this.driver.heard.find(({ requestId, accountId, amount }) => requestId !== null && accountId === act.accountId && amount.isNegative());
    if (charged?.requestId === undefined || charged.requestId === null) return;
    await this.book({ ...act, kind: 'refund', requestId: charged.requestId });
  }

  /** Lets a sweep end a request without a charge, so that the request's real ending is charged late. */
  private async settleLate(number: number, { facts, at }: { readonly facts: { readonly accountId: AccountId; readonly keyId: ApiKeyId }; readonly at: Instant }): Promise<void> {
    const owner = `process_${number}` as ProcessId;
    await this.driver.renewLease(owner, later(at, LEASE));
    await this.driver.reserve(number, '0', { owner, facts, expiresAt: later(at, LEASE) });
    await this.store.ledger.retire(owner);
    await this.store.ledger.sweep(at);
  }
}

async function statedSums({ statements }: StatementsSubject): Promise<readonly string[]> {
  const sums = new Sums();
  const { statements: all } = await statements.list({ accountId: null, month: null, before: null, limit: 1_000 });
  for (const { number } of all) {
    const found = await statements.find(number);
    for (const { kind, svc_tokens: amount } of found?.totals ?? []) {
      const units = ServiceTokens.parse(amount.replace('-', ''));
      sums.add(`${found?.account_id} ${found?.month} ${kind}`, amount.startsWith('-') ? ServiceTokens.ZERO.minus(units) : units);
    }
  }
  return sums.shown();
}

/** Tests random histories of several months, with late charges and settlements, refunds and corrections. Statements are made in between. */
export function statementHistoryContract(name: string, make: () => Promise<StatementsSubject>, histories: number): void {
  it(`statements of random histories add up to the ledger: ${name}`, async () => {
    await fc.assert(fc.asyncProperty(fc.array(step, { minLength: STEPS, maxLength: STEPS }), async (steps) => {
      const store = await make();
      const driver = await StoreDriver.start(() => store);
      try {
        const history = new StatementHistory(driver, store);
        for (const each of [FIRST, ...steps]) await history.play(each);
        await history.end();
        expect(await statedSums(store)).toEqual(history.expected.shown());
        expect((await verifyAllStatements(store.statements)).differences).toEqual([]);
        expect((await store.ledgerAudit.verify()).differences).toEqual([]);
      } finally {
        await driver.close();
      }
    }), { numRuns: histories, seed: 20_261_128, endOnFailure: true });
  }, 120_000);
}
