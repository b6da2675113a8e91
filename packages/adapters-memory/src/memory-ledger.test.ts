import { beforeEach, describe, expect, it } from '@jest/globals';
import {
  NO_USAGE, perRate, type AccountId, availableOf, type Ending, instant, later, type ModelSlug, parseTokenRate, PAY_AS_YOU_GO, type ProcessId,
  type RequestFacts, type RequestId, type ReservationId, ServiceTokens, SYSTEM_ACTOR, tokenCount, type Usage,
} from '@tollgate/core';
import { MANUAL_CLOCK_START } from './manual-clock.js';
import { createMemoryStore, type MemoryStore } from './memory-store.js';
import { LedgerBook } from './ledger-book.js';
import { MemoryKeySpending } from './memory-key-spending.js';
import { MoneyActs } from './money-acts.js';
import { verifyLedger } from './verify-ledger.js';
import { UsageJournal } from './usage-journal.js';

const ALICE = 'acct_alice' as AccountId;
const PROCESS = 'process_1' as ProcessId;
const START = MANUAL_CLOCK_START;
const ONE = parseTokenRate('1');

function amount(text: string): ServiceTokens {
  return ServiceTokens.parse(text);
}

function facts(request: number): RequestFacts {
  return {
    requestId: `req_${request}` as RequestId, accountId: ALICE, keyId: null, format: 'chat', streamed: false, requestedModel: 'small',
    attribution: null, usdPerServiceToken: parseTokenRate('0.01'), startedAt: START,
  };
}

/** Service at a price of one service token per model token. */
const SERVICE = {
  servedBy: 'small' as ModelSlug,
  upstreamId: 'scripted',
  fallbackUsed: false,
  priceVersion: null,
  price: perRate(() => ONE),
};

function usageOf(tokens: number): Usage {
  return { ...NO_USAGE, visibleOutputTokens: tokenCount(tokens), source: 'reported' };
}

function endingOf(tokens: number): Ending {
  return { reason: 'completed', service: SERVICE, usage: usageOf(tokens), firstOutputAt: null, endedAt: later(START, 1_000) };
}

describe('MemoryLedger', () => {
  let store: MemoryStore;

  beforeEach(async () => {
    store = createMemoryStore();
    await store.accounts.create(
      { id: ALICE, email: 'a@example.test', name: 'A', planId: PAY_AS_YOU_GO, priceList: null, status: 'active', emailVerified: true, blocked: false, deletion: null, createdAt: START, externalId: null, metadata: {} },
      SYSTEM_ACTOR,
    );
    await store.ledger.credit({ accountId: ALICE, amount: amount('100'), reference: 'first', actor: SYSTEM_ACTOR, at: START });
    await store.ledger.checkpoint({ ownerId: PROCESS, progress: new Map(), at: START, leaseExpiresAt: later(START, 15_000) });
  });

  function reserve(request: number, reserved: string): ReturnType<MemoryStore['ledger']['reserve']> {
    return store.ledger.reserve({
      reservationId: `rsv_${request}` as ReservationId, ownerId: PROCESS, amount: amount(reserved), floor: amount(reserved), facts: facts(request), expiresAt: later(START, 900_000),
    });
  }

  async function available(): Promise<string> {
    const balance = await store.ledger.balanceOf(ALICE);
    return balance === null ? 'none' : availableOf(balance).toString();
  }

  it('grants exactly as many simultaneous reservations as the balance covers', async () => {
    const outcomes = await Promise.all(Array.from({ length: 50 }, (_, request) => reserve(request, '14')));
    expect(outcomes.filter(({ outcome }) => outcome === 'reserved')).toHaveLength(7);
    expect(await available()).toBe('2');
  });

  it('settles a reservation once, and answers repetitions with the first settlement', async () => {
    await reserve(1, '30');
    const command = { reservationId: 'rsv_1' as ReservationId, ending: endingOf(12) };
    const first = await store.ledger.settle(command);
    expect(first.charge.amount.toString()).toBe('12');
    expect(await store.ledger.settle({ ...command, ending: endingOf(25) })).toEqual({ ...first, booked: null });
    expect(await available()).toBe('88');
    expect((await store.usage.find(ALICE, 'req_1' as RequestId))?.charge.usd.toString()).toBe('0.12');
  });

  it('clips a charge to the reservation plus the available balance, and records the rest as a write-off', async () => {
    await reserve(1, '30');
    const settlement = await store.ledger.settle({ reservationId: 'rsv_1' as ReservationId, ending: endingOf(140) });
    expect([settlement.charge.amount.toString(), settlement.writeOff.toString()]).toEqual(['100', '40']);
    expect(await available()).toBe('0');
  });

  it('charges output beyond the checkpoint of a swept request once, up to the available balance', async () => {
    await reserve(1, '50');
    const id = 'rsv_1' as ReservationId;
    await store.ledger.checkpoint({
      ownerId: PROCESS, at: START, leaseExpiresAt: later(START, 15_000), progress: new Map([[id, { service: SERVICE, usage: usageOf(20) }]]),
    });
    expect(await store.ledger.sweep(later(START, 14_999))).toHaveLength(0);
    expect(await store.ledger.sweep(later(START, 15_000))).toHaveLength(1);
    expect(await available()).toBe('80');
    await reserve(2, '75');
    const late = await store.ledger.settle({ reservationId: id, ending: endingOf(40) });
    expect([late.charge.amount.toString(), late.writeOff.toString()]).toEqual(['25', '15']);
    expect(await store.ledger.settle({ reservationId: id, ending: endingOf(99) })).toEqual({ ...late, booked: null });
    expect((await store.usage.find(ALICE, 'req_1' as RequestId))?.charge.amount.toString()).toBe('25');
    expect((await store.ledger.verify()).differences).toEqual([]);
  });

  it('sweeps the reservations of owners without a lease, and expired reservations', async () => {
    await reserve(1, '10');
    await store.ledger.retire(PROCESS);
    expect(await store.ledger.sweep(START)).toHaveLength(1);
    await store.ledger.checkpoint({ ownerId: PROCESS, progress: new Map(), at: START, leaseExpiresAt: later(START, 10_000_000) });
    await reserve(2, '10');
    expect(await store.ledger.sweep(later(START, 899_999))).toHaveLength(0);
    expect(await store.ledger.sweep(later(START, 900_000))).toHaveLength(1);
    expect(await available()).toBe('100');
  });

  it('refuses to extend a reservation that is no longer held', async () => {
    await reserve(1, '10');
    expect(await store.ledger.extend('rsv_1' as ReservationId, amount('90'))).toEqual({ outcome: 'reserved', amount: amount('90') });
    expect(await store.ledger.extend('rsv_1' as ReservationId, amount('0.000001'))).toEqual({ outcome: 'insufficient', available: ServiceTokens.ZERO });
    await store.ledger.settle({ reservationId: 'rsv_1' as ReservationId, ending: endingOf(1) });
    await expect(store.ledger.extend('rsv_1' as ReservationId, amount('1'))).rejects.toThrow('only a held reservation is extended');
  });
});

describe('verifyLedger', () => {
  it('reports the violated invariants', () => {
    const book = new LedgerBook();
    book.enter({ accountId: ALICE, amount: amount('10'), reference: 'first', at: instant(0) });
    book.hold(ALICE, amount('4'));
    book.release(ALICE, ServiceTokens.ZERO, { kind: 'charge', amount: amount('1'), reference: 'rsv_1', at: instant(0) });
    const { differences } = verifyLedger({ book, held: [], ended: [], usage: new UsageJournal(), spending: new MemoryKeySpending(), acts: new MoneyActs() });
    expect(differences).toEqual([
      { invariant: 'I2', accountId: ALICE, expected: '0', found: '4' },
      { invariant: 'I7', accountId: ALICE, expected: '1', found: '0' },
    ]);
  });
});
