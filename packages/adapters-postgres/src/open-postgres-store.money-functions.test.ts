import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  type ApiKeyId, availableOf, chargeOf, chargeOfEnding, clipCharge, decideLateSettlement, decideReserve, type Ending, isSettledLate, type KeyBudget, leftOf,
  type Means, payableOf, type ReserveOutcome, ServiceTokens, type Settlement, type UsageRecord, type UtcMonth, withLateSettlement,
} from '@tollgate/core';
import { anEnding, OTHER_OWNER, OWNER, progressOf, requestFacts, requestId, reservationId, STORE_ALICE, STORE_NOON, StoreDriver } from '@tollgate/testkit';
import * as fc from 'fast-check';
import { Client } from 'pg';
import { extendOperation, extendOutcome, type MoneyAnswer, type MoneyOperation, reserveOperation, reserveOutcome, settlementFrom, settleOperation } from './ledger/money-operation.js';
import { assertSoundBooks, onDatabase, postgresFixture } from './test-support/postgres-stores.js';

const postgres = postgresFixture();

const SCRIPTS = new URL('../sql/', import.meta.url);

/** SHA-256 of each released function, and of each that replaces an earlier one. A change is a new version in a new file, created by a new migration. */
const RELEASED: Readonly<Record<string, string>> = {
  'or replace tollgate_money_5': '6b850033791fb76fa4f3b71c65daa4f8e86572a66f6874fbf4ff84b0e2011868',
  tollgate_book_endings_1: '02a236a91562ff96a6a700507e2edd369e741cec6508c86e5c95f9fd1a31c2c4',
  tollgate_book_endings_2: 'f82c42a01bb067f8e197cc9cdbfe88dd8c28423ad3b288d5e1a2988515a756f2',
  tollgate_book_endings_3: '517f3d9efbe7817284a94e5079f5373943401e4cc0d5af63dea5053d6cee3e43',
  tollgate_book_endings_4: 'c120d523c333ba1630fde69bf84f20b44d6dea3f19f60bb0776ad373088f165c',
  tollgate_money_1: '0f1dd23457f1c6eb755e73032971c63c788ccf0c47ee35b61b46e392b3087f60',
  tollgate_money_2: '86c51892bf961741e73c63551bdadb2ede04959076475bccde66077e65775d0e',
  tollgate_money_3: '64b5583be49da2d53818c450333f8b5d19098d8ff31820038e914f263cebaacf',
  tollgate_money_4: '9181bb925e17d8ef24a757c39a5ca38aa4d40d46f765e37124ce36c95a0b7095',
  tollgate_money_5: 'fa2583b63f2bc655d3debf15110cfd33adb856da92d7b9afdc3b8be42863060f',
  tollgate_money_6: '776238ea129a9151293dfda13440b0ab8273cadba50e023270d09721b03cd713',
  tollgate_money_7: '748b42b6ec5d45443d106b173f8ee7c4aee4a1bd409a84dd480a9e722c1875ed',
  tollgate_settle_late_1: 'f23b08d17d1c2242f4b15b2a0e46bbc967158a8289bb9b46a26a61fb6617e389',
  tollgate_settle_late_2: '5e9e7773c8c72d17b41fec3775b4e20c979304794b87bf4832124fa6f9c70670',
  tollgate_settle_late_3: 'd5542527dbeef9c6894140623de7e946720487566010ad32d2f8147f5de9bbbe',
  tollgate_settle_late_4: '5d91e2d6053a8d636a2387708d73a53f3e72042a3cfcbbe31e92e1eae975b835',
  tollgate_settle_late_5: '289dfa74fa358644a52b150ec6015d6bfd15a8e7a85346d6950eb8548c13f6ab',
};

it('a released function never changes', () => {
  const functions = readdirSync(SCRIPTS).filter((name) => name.endsWith('.sql'))
    .flatMap((name) => readFileSync(new URL(name, SCRIPTS), 'utf8').trimEnd().split(/;\n\n(?=(?:--.*\n)*create )/));
  expect(Object.fromEntries(functions.map((text) => [/(?:or replace )?function \w+(?=\()/.exec(text)?.[0].replace('function ', ''), createHash('sha256').update(`${text}\n`).digest('hex')]))).toEqual(RELEASED);
});

const BUDGET = { lineage: 'key_1' as ApiKeyId, period: '2026-11' as UtcMonth };
/** Held when a group of operations comes. */
const HELD = 1;
/** Ended by the sweeper when a group of operations comes. */
const SWEPT = 2;
const RECORDED: Ending = anEnding(0, { reason: 'crashed' });

/** Amounts in whole service tokens. */
interface State {
  /** What is available besides what is reserved. */
  readonly available: number;
  readonly held: number;
  readonly reservedByOthers: number;
  /** `null`: the key has no limit. */
  readonly key: { readonly limit: number; readonly spent: number; readonly reservedByOthers: number } | null;
  /** What the sweeper charged and wrote off. */
  readonly recorded: { readonly charge: number; readonly writeOff: number };
}

type Operation =
  | { readonly kind: 'reserve'; readonly number: number; readonly floor: number; readonly more: number; readonly isLimited: boolean }
  | { readonly kind: 'extend'; readonly amount: number }
  | { readonly kind: 'settle'; readonly number: number; readonly ending: Ending };

interface Group {
  readonly state: State;
  readonly operations: readonly Operation[];
}

const amount = fc.oneof(fc.constantFrom(0, 1, 10), fc.nat(30));
const states: fc.Arbitrary<State> = fc.record({
  available: amount, held: amount, reservedByOthers: amount,
  key: fc.option(fc.record({ limit: fc.nat(90), spent: amount, reservedByOthers: amount })), recorded: fc.record({ charge: amount, writeOff: amount }),
});
/** Often unserved, or swept once more. */
const ending: fc.Arbitrary<Ending> = fc.oneof(
  fc.nat(60).map((output) => anEnding(output)), fc.nat(60).map((output) => anEnding(output)),
  fc.constant(anEnding(0, { reason: 'client_left', service: null })), fc.nat(60).map((output) => anEnding(output, { reason: 'crashed' })),
);
const reserve = (number: number): fc.Arbitrary<Operation> => fc.record({
  kind: fc.constant('reserve' as const), number: fc.constant(number), floor: amount, more: amount, isLimited: fc.boolean(),
});
const settle = (number: number): fc.Arbitrary<Operation> => fc.record({ kind: fc.constant('settle' as const), number: fc.constant(number), ending });
const extend: fc.Arbitrary<Operation> = fc.record({ kind: fc.constant('extend' as const), amount });
/** A group names each reservation once. */
const operations = fc.tuple(reserve(3), reserve(4), fc.oneof(reserve(HELD), extend, settle(HELD)), settle(SWEPT))
  .chain((all) => fc.shuffledSubarray([...all], { minLength: 1 }));
const group: fc.Arbitrary<Group> = fc.record({ state: states, operations });

function tokens(count: number): ServiceTokens {
  return ServiceTokens.parse(String(count));
}

function factsOf(number: number): ReturnType<typeof requestFacts> {
  return requestFacts({ requestId: requestId(number), accountId: STORE_ALICE });
}

function budgetOf({ key }: State): KeyBudget | null {
  return key === null ? null : { ...BUDGET, limit: tokens(key.limit) };
}

function budgetFor({ isLimited }: { readonly isLimited: boolean }, of: State): KeyBudget | null {
  return isLimited ? budgetOf(of) : null;
}

function sentOf(operation: Operation, of: State): MoneyOperation {
  switch (operation.kind) {
    case 'reserve': return reserveOperation({
      reservationId: reservationId(operation.number), ownerId: OWNER, facts: factsOf(operation.number), amount: tokens(operation.floor + operation.more), floor: tokens(operation.floor),
      budget: budgetFor(operation, of), expiresAt: STORE_NOON,
    }, 'caller');
    case 'extend': return extendOperation(reservationId(HELD), tokens(operation.amount), { extender: 'process_owner', extension: 1 });
    case 'settle': return settleOperation({ reservationId: reservationId(operation.number), ending: operation.ending });
  }
}

type Outcome = ReserveOutcome | Settlement;

function outcomeOf(operation: Operation, answer: MoneyAnswer): Outcome {
  switch (operation.kind) {
    case 'reserve': return reserveOutcome(answer);
    case 'extend': return extendOutcome(answer, tokens(operation.amount));
    case 'settle': return settlementFrom(answer);
  }
}

/** An account and a key, and what the core decides about one operation after the other. */
class Decisions {
  posted: ServiceTokens;
  reserved: ServiceTokens;
  spent: ServiceTokens;
  reservedOfKey: ServiceTokens;
  readonly #held: ServiceTokens;
  readonly #recorded: UsageRecord;

  constructor(private readonly state: State) {
    const { available, held, reservedByOthers, key, recorded } = state;
    this.#held = tokens(held);
    this.posted = tokens(available + held + reservedByOthers);
    this.reserved = tokens(held + reservedByOthers);
    this.spent = tokens(key?.spent ?? 0);
    this.reservedOfKey = key === null ? ServiceTokens.ZERO : tokens(key.reservedByOthers + held);
    const facts = factsOf(SWEPT);
    this.#recorded = { ...facts, ...RECORDED, charge: chargeOf(tokens(recorded.charge), facts.usdPerServiceToken), writeOff: tokens(recorded.writeOff), purchase: null, settledAt: null };
  }

  decide(operation: Operation): Outcome {
    switch (operation.kind) {
      case 'reserve': return operation.number === HELD ? { outcome: 'reserved', amount: this.#held } : this.#reserve(operation);
      case 'extend': return this.#setAside(budgetOf(this.state), tokens(operation.amount), tokens(operation.amount));
      case 'settle': return operation.number === HELD ? this.#settle(operation.ending) : this.#settleLate(operation.ending);
    }
  }

  #means(budget: KeyBudget | null): Means {
    const available = availableOf({ posted: this.posted, reserved: this.reserved });
    return { available, left: budget === null ? null : leftOf(budget, { spent: this.spent, reserved: this.reservedOfKey }) };
  }

  #reserve(operation: Operation & { readonly kind: 'reserve' }): ReserveOutcome {
    return this.#setAside(budgetFor(operation, this.state), tokens(operation.floor + operation.more), tokens(operation.floor));
  }

  #setAside(budget: KeyBudget | null, wanted: ServiceTokens, floor: ServiceTokens): ReserveOutcome {
    const outcome = decideReserve(this.#means(budget), { amount: wanted, floor });
    if (outcome.outcome === 'reserved') this.#reserveMore(budget, outcome.amount);
    return outcome;
  }

  #reserveMore(budget: KeyBudget | null, more: ServiceTokens): void {
    this.reserved = this.reserved.plus(more);
    if (budget !== null) this.reservedOfKey = this.reservedOfKey.plus(more);
  }

  #spend(charged: ServiceTokens): void {
    this.posted = this.posted.minus(charged);
    if (this.state.key !== null) this.spent = this.spent.plus(charged);
  }

  #settle(ended: Ending): Settlement {
    const facts = factsOf(HELD);
    const budget = budgetOf(this.state);
    const { covered: _none, ...figures } = clipCharge(chargeOfEnding(ended, facts), { payable: payableOf(this.#means(budget), this.#held) }, facts);
    this.#spend(figures.charge.amount);
    this.#reserveMore(budget, ServiceTokens.ZERO.minus(this.#held));
    return { ...figures, balance: { posted: this.posted, reserved: this.reserved } };
  }

  #settleLate(ended: Ending): Settlement {
    let record = this.#recorded;
    if (isSettledLate(record, ended)) {
      const late = decideLateSettlement(record, { ending: ended }, { means: this.#means(budgetOf(this.state)) });
      this.#spend(late.charged);
      record = withLateSettlement(record, late);
    }
    return { charge: record.charge, writeOff: record.writeOff, balance: { posted: this.posted, reserved: this.reserved } };
  }
}

describe('the money functions', () => {
  let client: Client;

  beforeAll(async () => {
    const url = await postgres.createStoreDatabase();
    const driver = await StoreDriver.start(() => postgres.open(url));
    await driver.reserve(SWEPT, '0');
    await driver.store.ledger.retire(OWNER);
    await driver.store.ledger.sweep(STORE_NOON);
    await driver.reserve(HELD, '0');
    await driver.close();
    client = new Client({ connectionString: url });
    await client.connect();
  });

  afterAll(() => client.end());

  /** The statements that bring the database into a state; usage records are append-only, so the rules are off for that one. */
  function writing({ held, key, recorded }: State, { posted, reserved, spent, reservedOfKey }: Decisions): string {
    const ofKey = key === null ? '' : `
      insert into key_spending (lineage, period, spent, reserved) values ('${BUDGET.lineage}', '${BUDGET.period}', ${spent.toUnits()}, ${reservedOfKey.toUnits()});
      update reservations set key_lineage = '${BUDGET.lineage}', key_period = '${BUDGET.period}', key_limit = ${tokens(key.limit).toUnits()};`;
    return `
      update accounts set balance = ${posted.toUnits()}, reserved = ${reserved.toUnits()} where id = '${STORE_ALICE}';
      update reservations set amount = ${tokens(held).toUnits()} where id = '${reservationId(HELD)}';${ofKey}
      set local session_replication_role = replica;
      update usage_records set charge = ${tokens(recorded.charge).toUnits()}, write_off = ${tokens(recorded.writeOff).toUnits()};
      set local session_replication_role = origin;`;
  }

  /** Performs a group on a state, and leaves no trace of both. */
  async function performed({ state: before, operations: sent }: Group): Promise<readonly [answers: readonly MoneyAnswer[], account: unknown, spending: unknown]> {
    await client.query(`begin; ${writing(before, new Decisions(before))}`);
    try {
      const answers = await client.query<Record<keyof MoneyAnswer, string | null>>('select * from tollgate_money_7($1::jsonb)', [JSON.stringify(sent.map((operation) => sentOf(operation, before)))]);
      const account = await client.query('select balance::text, reserved::text from accounts where id = $1', [STORE_ALICE]);
      const spending = await client.query('select spent::text, reserved::text from key_spending');
      return [answers.rows.map(answerFrom), account.rows[0], spending.rows[0]];
    } finally {
      await client.query('rollback');
    }
  }

  it('decide and book as the core does, whatever there is and whatever comes', async () => {
    const seen = new Set<string>();
    await fc.assert(fc.asyncProperty(group, async (asked) => {
      const decisions = new Decisions(asked.state);
      const expected = asked.operations.map((operation) => decisions.decide(operation));
      for (const [place, outcome] of expected.entries()) seen.add(`${asked.operations[place]?.kind}: ${'outcome' in outcome ? outcome.outcome : outcome.writeOff.isZero() ? 'charged' : 'written off'}`);
      const [answers, account, spending] = await performed(asked);
      expect(answers.flatMap((answer, place) => asked.operations.slice(place, place + 1).map((operation) => outcomeOf(operation, answer)))).toEqual(expected);
      expect(account).toEqual({ balance: String(decisions.posted.toUnits()), reserved: String(decisions.reserved.toUnits()) });
      expect(spending).toEqual(asked.state.key === null ? undefined : { spent: String(decisions.spent.toUnits()), reserved: String(decisions.reservedOfKey.toUnits()) });
    }), { numRuns: 400 });
    expect([...seen].toSorted()).toEqual([
      'extend: insufficient', 'extend: key-limit', 'extend: reserved', 'reserve: insufficient', 'reserve: key-limit', 'reserve: reserved', 'settle: charged', 'settle: written off',
    ]);
  }, 60_000);
});

describe('the money function of the release before', () => {
  const BEFORE = 'tollgate_money_5';

  /** Request 1 was swept at a checkpoint of 4, and request 2 continues its purchase; both may be settled by gateways of that release. */
  async function takenOver(): Promise<{ readonly driver: StoreDriver; readonly charged: (number: number, cost: number) => Promise<string> }> {
    const url = await postgres.createStoreDatabase();
    const driver = await StoreDriver.start(() => postgres.open(url));
    await driver.credit('100');
    await driver.reserve(1, '30', { owner: OTHER_OWNER });
    await driver.store.ledger.checkpoint({ ownerId: OTHER_OWNER, at: STORE_NOON, leaseExpiresAt: STORE_NOON, progress: new Map([[reservationId(1), progressOf(4)]]) });
    await driver.store.ledger.sweep(STORE_NOON);
    await driver.reserve(2, '30', { purchaseOf: requestId(1) });
    const charged = async (number: number, cost: number): Promise<string> => {
      const operation = JSON.stringify([settleOperation({ reservationId: reservationId(number), ending: anEnding(cost) })]);
      const [answer] = await onDatabase(url, `select charged::text from ${BEFORE}('${operation}'::jsonb)`);
      return ServiceTokens.fromUnits(BigInt(String(answer?.['charged']))).toString();
    };
    return { driver, charged };
  }

  it('charges the requests of a purchase together', async () => {
    const { driver, charged } = await takenOver();
    expect([await charged(2, 10), await charged(1, 12), await charged(2, 10)]).toEqual(['6', '6', '6']);
    expect(await driver.balance()).toBe('88/0/88');
    await assertSoundBooks(driver.store);
    await driver.close();
  });

  it('is that of the current release, with the same columns', async () => {
    const url = await postgres.createStoreDatabase();
    const columns = await Promise.all([BEFORE, 'tollgate_money_7'].map((name) => onDatabase(url, `select pg_get_function_result('${name}'::regproc) as columns`)));
    expect(columns[0]).toEqual(columns[1]);
  });
});

/** The plain client reads a bigint as text. */
function answerFrom(row: Record<keyof MoneyAnswer, string | null>): MoneyAnswer {
  const units = (value: string | null): bigint => BigInt(value ?? 0);
  return {
    outcome: row.outcome ?? '', balance: units(row.balance), reserved: units(row.reserved), set_aside: units(row.set_aside), key_left: row.key_left === null ? null : units(row.key_left),
    charged: units(row.charged), written_off: units(row.written_off), usd_rate: row.usd_rate,
  };
}
