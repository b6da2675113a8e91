import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  type ApiKeyId, availableOf, chargeOf, chargeOfEnding, clipCharge, decideLateSettlement, decideReserve, type Ending, isSettledLate, type KeyBudget, leftOf,
  type Means, payableOf, type ReserveOutcome, ServiceTokens, type Settlement, type UsageRecord, type UtcMonth, withLateSettlement,
} from '@tollgate/core';
import { anEnding, OWNER, requestFacts, requestId, reservationId, STORE_ALICE, STORE_NOON, StoreDriver } from '@tollgate/testkit';
import * as fc from 'fast-check';
import { Client } from 'pg';
import { extendOperation, extendOutcome, type MoneyAnswer, type MoneyOperation, reserveOperation, reserveOutcome, settlementFrom, settleOperation } from './ledger/money-operation.js';
import { postgresFixture } from './test-support/postgres-stores.js';

const postgres = postgresFixture();

const SCRIPTS = new URL('../sql/', import.meta.url);

/**
 * SHA-256 of each released function; empty before the first release. To change a function, add a new version of it in a new file, and a migration.
 */
const RELEASED: Readonly<Record<string, string>> = {};

it('a released SQL function never changes', () => {
  const functions = readdirSync(SCRIPTS).filter((name) => name.endsWith('.sql'))
    .flatMap((name) => readFileSync(new URL(name, SCRIPTS), 'utf8').trimEnd().split(/;\n\n(?=(?:--.*\n)*create )/));
  const hashes = Object.fromEntries(functions.map((text) => [/(?<=function )\w+(?=\()/.exec(text)?.[0], createHash('sha256').update(`${text}\n`).digest('hex')]));
  expect(Object.keys(hashes).toSorted()).toEqual([
    'tollgate_append_event_1', 'tollgate_book_endings_1', 'tollgate_cross_1', 'tollgate_cross_key_limit_1', 'tollgate_decimal_1', 'tollgate_money_1', 'tollgate_position_events_1',
    'tollgate_position_usage_1', 'tollgate_settle_late_1',
  ]);
  expect(Object.fromEntries(Object.keys(RELEASED).map((name) => [name, hashes[name]]))).toEqual(RELEASED);
  const isReleased = /^## \[\d/m.test(readFileSync(new URL('../../../CHANGELOG.md', import.meta.url), 'utf8'));
  expect(Object.hasOwn(RELEASED, 'tollgate_money_1')).toBe(isReleased);
});

const BUDGET = { lineage: 'key_1' as ApiKeyId, period: '2026-11' as UtcMonth };
/** Number of a reservation that is held before the group. */
const HELD = 1;
/** Number of a reservation that was swept before the group. */
const SWEPT = 2;
const RECORDED: Ending = anEnding(0, { reason: 'crashed' });

/** State before a group of operations. Amounts are in whole service tokens. */
interface State {
  /** The balance without the reserved amount. */
  readonly available: number;
  readonly held: number;
  readonly reservedByOthers: number;
  /** `null` if the key has no limit. */
  readonly key: { readonly limit: number; readonly spent: number; readonly reservedByOthers: number } | null;
  /** Amounts that the sweeper recorded. */
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
/** Endings of requests, about half of them unserved or swept. */
const ending: fc.Arbitrary<Ending> = fc.oneof(
  fc.nat(60).map((output) => anEnding(output)), fc.nat(60).map((output) => anEnding(output)),
  fc.constant(anEnding(0, { reason: 'client_left', service: null })), fc.nat(60).map((output) => anEnding(output, { reason: 'crashed' })),
);
const reserve = (number: number): fc.Arbitrary<Operation> => fc.record({
  kind: fc.constant('reserve' as const), number: fc.constant(number), floor: amount, more: amount, isLimited: fc.boolean(),
});
const settle = (number: number): fc.Arbitrary<Operation> => fc.record({ kind: fc.constant('settle' as const), number: fc.constant(number), ending });
const extend: fc.Arbitrary<Operation> = fc.record({ kind: fc.constant('extend' as const), amount });
/** A group of operations in which each reservation occurs once. */
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
    case 'settle': {
      const { charge, writeOff, balance } = settlementFrom(answer, { reservationId: reservationId(operation.number), ending: operation.ending });
      return { charge, writeOff, balance };
    }
  }
}

/** Applies the decisions of the core one after another. */
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
    this.#recorded = { ...facts, ...RECORDED, charge: chargeOf(tokens(recorded.charge), facts.usdPerServiceToken), writeOff: tokens(recorded.writeOff), purchase: null, settledAt: RECORDED.endedAt };
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
    client = new Client({ connectionString: url }).on('error', () => undefined);
    await client.connect();
  });

  afterAll(() => client.end());

  /** Usage records are append-only, so triggers are disabled while the test writes them. */
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

  /** Runs the operations in a transaction, and rolls it back. */
  async function performed({ state: before, operations: sent }: Group): Promise<readonly [answers: readonly MoneyAnswer[], account: unknown, spending: unknown]> {
    await client.query(`begin; ${writing(before, new Decisions(before))}`);
    try {
      const answers = await client.query<Record<keyof MoneyAnswer, string | null>>('select * from tollgate_money_1($1::jsonb)', [JSON.stringify(sent.map((operation) => sentOf(operation, before)))]);
      const account = await client.query('select balance::text, reserved::text from accounts where id = $1', [STORE_ALICE]);
      const spending = await client.query('select spent::text, reserved::text from key_spending');
      return [answers.rows.map(answerFrom), account.rows[0], spending.rows[0]];
    } finally {
      await client.query('rollback');
    }
  }

  it('decide and book as the core does in all generated cases', async () => {
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

/** The client returns `bigint` columns as text. */
function answerFrom(row: Record<keyof MoneyAnswer, string | null>): MoneyAnswer {
  const units = (value: string | null): bigint => BigInt(value ?? 0);
  return {
    outcome: row.outcome ?? '', balance: units(row.balance), reserved: units(row.reserved), set_aside: units(row.set_aside), key_left: row.key_left === null ? null : units(row.key_left),
    charged: units(row.charged), written_off: units(row.written_off), usd_rate: row.usd_rate, booked: row.booked as MoneyAnswer['booked'], booked_charge: row.booked_charge === null ? null : units(row.booked_charge),
    booked_write_off: row.booked_write_off === null ? null : units(row.booked_write_off), account: row.account, request: row.request, key: row.key, format: row.format,
  };
}
