import { appendFileSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { createMemoryStore, ManualClock, type MemoryStore } from '@tollgate/adapters-memory';
import {
  BrokenInvariant, later, type Ledger, type ReservationId, ReversalRefused, ServiceTokens, type SettleCommand, type Settlement, SettlementRefused,
} from '@tollgate/core';
import { anEnding, anUnservedEnding, deleteAccount, OWNER, progressOf, receiptOf, requestFacts, requestId, reservationId, STORE_ALICE, STORE_NOON, StoreDriver } from '@tollgate/testkit';
import { LATE_RESERVATION_MILLISECONDS } from './missed-reservations.js';
import { OUTBOX_RETRY_MILLISECONDS, OutboxLedger } from './outbox-ledger.js';
import { MAX_RELEASES } from './release-queue.js';

type Presence = 'there' | 'away' | 'loses-answers';

class Away extends Error {}

/** A ledger behind a connection that can be cut. */
function cuttable(ledger: Ledger, presence: () => Presence): Ledger {
  const settle = async (command: SettleCommand): Promise<Settlement> => {
    if (presence() === 'away') throw new Away('the ledger is away');
    const settlement = await ledger.settle(command);
    if (presence() === 'loses-answers') throw new Away('the answer was lost');
    return settlement;
  };
  return new Proxy(ledger, {
    get: (target, property) => {
      if (property === 'settle') return settle;
      const value: unknown = Reflect.get(target, property, target);
      return typeof value === 'function' ? value.bind(target) as unknown : value;
    },
  });
}

describe('the outbox of settlements', () => {
  let folder: string;
  let file: string;
  let presence: Presence;
  let store: MemoryStore;
  let clock: ManualClock;
  let outbox: OutboxLedger;
  let driver: StoreDriver;
  let told: string[];

  let watched: string[];

  const note = (what: string) => (id: ReservationId) => void told.push(`${what} ${id}`);

  function open(maximumWaiting?: number): Promise<OutboxLedger> {
    return OutboxLedger.open({
      ...(maximumWaiting === undefined ? {} : { maximumWaiting }),
      ledger: cuttable(store.ledger, () => presence),
      file,
      clock,
      report: {
        kept: note('kept'), notStored: note('not stored'), dropped: note('dropped'), delivered: note('delivered'),
        fileProblem: (problem) => void told.push(String(problem)),
        fileFailing: () => void told.push('file fails'), fileWorks: () => void told.push('file works'),
        releaseDropped: note('release dropped'),
      },
      watch: { succeeded: (account) => void watched.push(`succeeded ${account}`), failed: (account) => void watched.push(`failed ${account}`) },
    });
  }

  /** Replaces the process by a new one, which knows only the file. */
  async function reopen(): Promise<void> {
    clock = new ManualClock(clock.now());
    outbox = await open();
  }

  /** Advances to the next retry and waits for it, including its writes to the file. */
  async function nextTurn(): Promise<void> {
    clock.advance(OUTBOX_RETRY_MILLISECONDS);
    await outbox.deliver();
  }

  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'tollgate-outbox-'));
    file = join(folder, 'deeper', 'tollgate.db-outbox');
    presence = 'there';
    told = [];
    watched = [];
    clock = new ManualClock(STORE_NOON);
    store = createMemoryStore();
    outbox = await open();
    driver = await StoreDriver.start(() => ({ ...store, ledger: outbox }));
    await driver.credit('100');
  });

  afterEach(() => rmSync(folder, { recursive: true }));

  async function failToSettle(...numbers: readonly number[]): Promise<void> {
    presence = 'away';
    for (const number of numbers) await expect(driver.settle(number, anEnding(3))).rejects.toThrow(Away);
  }

  it('creates no file and no timer while the ledger accepts everything', async () => {
    await driver.reserve(1, '10');
    expect(receiptOf(await driver.settle(1, anEnding(3)))[0]).toBe('3');
    expect([existsSync(file), outbox.waiting, clock.pendingTasks, told]).toEqual([false, 0, 0, []]);
  });

  it('reports for the account of each valid command whether the ledger answered, and counts `insufficient` as an answer', async () => {
    const hold = { facts: requestFacts({ requestId: requestId(1), accountId: STORE_ALICE }), amount: ServiceTokens.parse('10') };
    await driver.reserve(1, '10');
    await driver.reserve(2, '1000');
    presence = 'away';
    await expect(outbox.settle({ reservationId: reservationId(1), ending: anUnservedEnding(), hold })).rejects.toThrow(Away);
    presence = 'there';
    await nextTurn();
    await expect(driver.settle(9, anEnding(3))).rejects.toThrow(BrokenInvariant);
    await expect(driver.reserve(3, '10', { floor: '20' })).rejects.toThrow(BrokenInvariant);
    await driver.reserve(3, '10');
    await outbox.settle({ reservationId: reservationId(3), ending: anEnding(3), hold });
    expect(watched).toEqual(['succeeded', 'succeeded', 'failed', 'succeeded', 'succeeded', 'succeeded'].map((outcome) => `${outcome} ${STORE_ALICE}`));
  });

  it('reports a failure of the ledger, and settles with the same figures once the ledger is available again', async () => {
    await driver.reserve(1, '10');
    await failToSettle(1);
    expect([await driver.balance(), outbox.waiting, clock.pendingTasks]).toEqual(['100/10/90', 1, 1]);
    await nextTurn();
    expect([await driver.balance(), clock.pendingTasks]).toEqual(['100/10/90', 1]);
    presence = 'there';
    await nextTurn();
    expect([await driver.balance(), outbox.waiting, clock.pendingTasks]).toEqual(['97/0/97', 0, 0]);
    expect(told).toEqual(['kept rsv_1', 'delivered rsv_1']);
    expect(statSync(file).size).toBe(0);
  });

  it('keeps a settlement that is being written to disk while a delivery finds the queue empty', async () => {
    for (const number of [1, 2]) await driver.reserve(number, '10');
    presence = 'away';
    await expect(driver.settle(2, anUnservedEnding())).rejects.toThrow(Away);
    const failing = Promise.allSettled([driver.settle(1, anEnding(3))]);
    for (let turn = 0; turn < 5; turn += 1) await Promise.resolve();
    presence = 'there';
    await outbox.deliver();
    expect(await failing).toEqual([expect.objectContaining({ status: 'rejected' })]);
    await reopen();
    expect(await driver.balance()).toBe('97/0/97');
  });

  it('books a settlement with the time at which it is delivered', async () => {
    await driver.reserve(1, '10');
    await failToSettle(1);
    await nextTurn();
    presence = 'there';
    await nextTurn();
    expect((await store.usage.find(STORE_ALICE, requestId(1)))?.settledAt).toBe(clock.now());
  });

  it('stores settlements before it reports the failure of the ledger, so that the next process settles them in order', async () => {
    for (const number of [1, 2, 3]) await driver.reserve(number, '10');
    await failToSettle(2, 1, 3);
    told = [];
    presence = 'there';
    await reopen();
    expect(told).toEqual(['delivered rsv_2', 'delivered rsv_1', 'delivered rsv_3']);
    expect(await driver.balance()).toBe('91/0/91');
    expect((await store.ledgerAudit.verify()).differences).toEqual([]);
  });

  it('charges a request once, however often its settlement is delivered, and even if the first answer was lost', async () => {
    await driver.reserve(1, '10');
    presence = 'loses-answers';
    await expect(driver.settle(1, anEnding(3))).rejects.toThrow(Away);
    const left = readFileSync(file);
    presence = 'there';
    await nextTurn();
    writeFileSync(file, Buffer.concat([left, left]));
    await reopen();
    expect(await driver.balance()).toBe('97/0/97');
    expect((await store.ledgerAudit.verify()).differences).toEqual([]);
  });

  it('charges a request in full even if a sweeper ended the reservation first', async () => {
    await driver.reserve(1, '10', { expiresAt: later(STORE_NOON, 1) });
    await failToSettle(1);
    await store.ledger.sweep(later(STORE_NOON, 2));
    expect(await driver.balance()).toBe('100/0/100');
    presence = 'there';
    await nextTurn();
    expect(await driver.balance()).toBe('97/0/97');
    expect((await store.ledgerAudit.verify()).differences).toEqual([]);
  });

  it('drops the settlement of an unknown reservation, and delivers the others', async () => {
    await driver.reserve(2, '10');
    await failToSettle(1, 2);
    presence = 'there';
    await nextTurn();
    expect(told).toEqual(['kept rsv_1', 'kept rsv_2', 'dropped rsv_1', 'delivered rsv_2']);
    await expect(driver.settle(9, anEnding(1))).rejects.toThrow('invariant broken');
    expect(outbox.waiting).toBe(0);
  });

  it('pauses after a few failures, and begins the next delivery with the settlements that were not tried', async () => {
    for (const number of [1, 2, 3, 4, 5]) await driver.reserve(number, '10');
    await failToSettle(1, 2, 3, 4, 5);
    await nextTurn();
    presence = 'there';
    told = [];
    await nextTurn();
    expect(told).toEqual([4, 5, 1, 2, 3].map((number) => `delivered ${reservationId(number)}`));
  });

  it.each([
    ['cut off', () => truncateSync(file, statSync(file).size - 5)],
    ['damaged', () => appendFileSync(file, '\n0123456789abcdef {"reservationId":"rsv_1"}')],
  ])('skips a line of its file that is %s, and reports it', async (_, damage) => {
    for (const number of [1, 2]) await driver.reserve(number, '10');
    await failToSettle(1, 2);
    damage();
    await reopen();
    expect(told.filter((line) => line.includes('damaged'))).toHaveLength(1);
    await driver.reserve(3, '10');
    driver = new StoreDriver({ ...store, ledger: outbox });
    await failToSettle(3);
    presence = 'there';
    told = [];
    await reopen();
    expect(told).toContain('delivered rsv_1');
    expect(told).toContain('delivered rsv_3');
  });

  it('keeps a settlement in memory if it cannot be written to disk, and delivers it later', async () => {
    mkdirSync(file, { recursive: true });
    await driver.reserve(1, '10');
    await failToSettle(1);
    expect(told).toEqual(['kept rsv_1', 'file fails', 'not stored rsv_1']);
    presence = 'there';
    await nextTurn();
    expect(await driver.balance()).toBe('97/0/97');
  });

  describe('a settlement with a receipt', () => {
    /** Settles with a hold, as the gateway does. */
    function settle(number: number, tokens: number, held: string): Promise<Settlement> {
      const hold = { facts: requestFacts({ requestId: requestId(number), accountId: STORE_ALICE }), amount: ServiceTokens.parse(held) };
      return outbox.settle({ reservationId: reservationId(number), ending: anEnding(tokens), hold });
    }

    async function refunded(number: number): Promise<readonly string[]> {
      return (await store.usage.transfersOf(STORE_ALICE, requestId(number))).map(({ kind, amount }) => `${kind} ${amount.toString()}`);
    }

    it('has a receipt for at most the reservation while the ledger is unavailable, and is later booked as the receipt states', async () => {
      await driver.reserve(1, '10');
      await driver.reserve(2, '10');
      presence = 'away';
      const [whole, part] = [await settle(1, 3, '10'), await settle(2, 25, '10')];
      expect([...receiptOf(whole), whole.balance]).toEqual(['3', '0.03', '0', null]);
      expect([...receiptOf(part), part.balance]).toEqual(['10', '0.1', '15', null]);
      presence = 'there';
      await reopen();
      expect(await driver.balance()).toBe('87/0/87');
      expect((await store.ledgerAudit.verify()).differences).toEqual([]);
    });

    it('is recorded with the time at which it was booked', async () => {
      await driver.reserve(1, '10');
      presence = 'away';
      await settle(1, 3, '10');
      await nextTurn();
      presence = 'there';
      await nextTurn();
      expect((await store.usage.find(STORE_ALICE, requestId(1)))?.settledAt).toBe(clock.now());
    });

    it('is never booked with more than the receipt states, even if the reservation was swept meanwhile', async () => {
      await driver.reserve(1, '10', { expiresAt: later(STORE_NOON, 1) });
      presence = 'away';
      await settle(1, 25, '10');
      await store.ledger.sweep(later(STORE_NOON, 2));
      presence = 'there';
      await nextTurn();
      expect(await driver.balance()).toBe('90/0/90');
      expect(await store.usage.find(STORE_ALICE, requestId(1))).toMatchObject({ charge: { amount: ServiceTokens.parse('10') }, writeOff: ServiceTokens.parse('15') });
    });

    it('is corrected by one refund if an attempt of unknown outcome charged more than the receipt states', async () => {
      await driver.reserve(1, '10');
      presence = 'loses-answers';
      expect(receiptOf(await settle(1, 25, '10'))[0]).toBe('10');
      expect(await driver.balance()).toBe('75/0/75');
      const left = readFileSync(file);
      presence = 'there';
      await nextTurn();
      writeFileSync(file, Buffer.concat([left, left]));
      await reopen();
      expect([await driver.balance(), await refunded(1)]).toEqual(['90/0/90', ['charge 25', 'refund 15']]);
      expect((await store.ledgerAudit.verify()).differences).toEqual([]);
    });

    it('is refused, and its request is free, if it cannot be stored, even if the ledger has booked it', async () => {
      mkdirSync(file, { recursive: true });
      for (const number of [1, 2]) await driver.reserve(number, '10');
      for (const [number, how] of [[1, 'away'], [2, 'loses-answers']] as const) {
        presence = how;
        await expect(settle(number, 3, '10')).rejects.toBeInstanceOf(SettlementRefused);
      }
      presence = 'there';
      await nextTurn();
      expect([await driver.balance(), outbox.waiting]).toEqual(['100/0/100', 0]);
      expect([await refunded(1), await refunded(2)]).toEqual([['write-off 3'], ['charge 3', 'refund 3']]);
      expect((await store.ledgerAudit.verify()).differences).toEqual([]);
    });

    it.each<[string, Presence, string]>([['stored', 'away', '3'], ['refused', 'away', 'SettlementRefused'], ['refused', 'there', 'SettlementRefused']])(
      'that was %s has the same answer when it is repeated (the ledger is then %s)',
      async (how, at, expected) => {
        await driver.reserve(1, '10');
        presence = 'away';
        if (how === 'refused') mkdirSync(file, { recursive: true });
        const answer = (tokens: number): Promise<string> => settle(1, tokens, '10').then((settlement) => settlement.charge.amount.toString(), (failure: Error) => failure.name);
        const both = await Promise.all([answer(3), answer(4)]);
        if (how === 'refused') rmSync(file, { recursive: true });
        presence = at;
        expect([...both, await answer(5)]).toEqual([expected, expected, expected]);
        presence = 'there';
        await nextTurn();
        expect(await driver.balance()).toBe(how === 'stored' ? '97/0/97' : '100/0/100');
      },
    );

    it('is refused when too many settlements are waiting, and its request is then free', async () => {
      outbox = await open(2);
      driver = new StoreDriver({ ...store, ledger: outbox });
      for (const number of [1, 2, 3, 4]) await driver.reserve(number, '10');
      presence = 'loses-answers';
      const outcomes = await Promise.allSettled([1, 2, 3, 4].map((number) => settle(number, 3, '10')));
      expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'rejected', 'rejected']);
      expect([outbox.waiting, outbox.isRefusing]).toEqual([4, true]);
      await expect(driver.reserve(5, '10')).rejects.toMatchObject({ code: 'service_unavailable' });
      presence = 'there';
      await nextTurn();
      expect([await driver.balance(), outbox.waiting, outbox.isRefusing]).toEqual(['94/0/94', 0, false]);
    });

    it('is not stored for a free request, whose reservation is only released', async () => {
      await driver.reserve(1, '10');
      presence = 'away';
      await expect(driver.settle(1, anUnservedEnding())).rejects.toThrow(Away);
      expect([existsSync(file), outbox.waiting, outbox.releasesWaiting, told]).toEqual([false, 0, 1, []]);
      presence = 'there';
      await nextTurn();
      expect([await driver.balance(), outbox.releasesWaiting, clock.pendingTasks]).toEqual(['100/0/100', 0, 0]);
    });
  });

  describe('a request that an upstream accepted but did not serve', () => {
    const facts = requestFacts({ requestId: requestId(1), accountId: STORE_ALICE });

    /** Ends request 1 as the gateway does. */
    function end(isCheckpointed = true): Promise<Settlement> {
      return outbox.settle({ reservationId: reservationId(1), ending: anUnservedEnding(), hold: { facts, amount: ServiceTokens.parse('10'), isCheckpointed } });
    }

    /** Checkpoints a prompt of 4 tokens, fails to release the reservation, and sweeps it after its lease has expired. */
    async function startSwept(): Promise<void> {
      await driver.reserve(1, '10');
      await outbox.checkpoint({ ownerId: OWNER, at: STORE_NOON, leaseExpiresAt: later(STORE_NOON, 1), progress: new Map([[reservationId(1), progressOf(4)]]) });
      presence = 'away';
      await expect(end()).rejects.toThrow(Away);
      await store.ledger.sweep(later(STORE_NOON, 2));
      expect(await driver.balance()).toBe('96/0/96');
    }

    it('is refunded if a sweep charges its prompt before the ledger accepts its ending', async () => {
      await startSwept();
      presence = 'there';
      await nextTurn();
      expect([await driver.balance(), outbox.waiting, outbox.releasesWaiting]).toEqual(['100/0/100', 0, 0]);
      expect((await store.ledgerAudit.verify()).differences).toEqual([]);
    });

    it('is refunded by the next process if its own process exits before the ledger accepts its ending', async () => {
      await startSwept();
      presence = 'there';
      await reopen();
      expect([await driver.balance(), outbox.waiting]).toEqual(['100/0/100', 0]);
    });

    it('is refunded by its process even if its ending cannot be written to disk', async () => {
      mkdirSync(file, { recursive: true });
      await startSwept();
      presence = 'there';
      await nextTurn();
      expect([await driver.balance(), outbox.waiting]).toEqual(['100/0/100', 0]);
    });

    it('is refunded if its process ends it after a sweep has charged its prompt', async () => {
      await startSwept();
      presence = 'there';
      await outbox.settle({ reservationId: reservationId(1), ending: anUnservedEnding(), hold: { facts, amount: ServiceTokens.parse('10') } });
      expect(await driver.balance()).toBe('100/0/100');
    });

    it('is not written to disk if it has no checkpoint', async () => {
      await driver.reserve(1, '10');
      presence = 'away';
      await expect(end(false)).rejects.toThrow(Away);
      expect([existsSync(file), outbox.waiting, outbox.releasesWaiting, told]).toEqual([false, 0, 1, []]);
      presence = 'there';
      await nextTurn();
      expect(await driver.balance()).toBe('100/0/100');
    });

    it('is reported if it was charged and cannot be refunded', async () => {
      await startSwept();
      await deleteAccount(store, STORE_ALICE);
      told = [];
      presence = 'there';
      await nextTurn();
      expect([told, outbox.waiting, outbox.releasesWaiting]).toEqual([['dropped rsv_1'], 0, 0]);
      await expect(end(false)).rejects.toBeInstanceOf(ReversalRefused);
      await nextTurn();
      expect([told, outbox.waiting, outbox.releasesWaiting]).toEqual([['dropped rsv_1', 'dropped rsv_1'], 0, 0]);
    });
  });

  describe('the release of a reservation of unknown outcome', () => {
    const release = async (): Promise<void> => {
      await expect(outbox.settle({ reservationId: reservationId(1), ending: anUnservedEnding() })).rejects.toBeInstanceOf(Error);
    };

    it.each<[string, Presence]>([['while the ledger is away', 'away'], ['once the ledger is back', 'there']])('that is requested %s takes effect even if the reservation takes effect later', async (_when, at) => {
      presence = at;
      await release();
      presence = 'there';
      await nextTurn();
      await driver.reserve(1, '10');
      expect(await driver.balance()).toBe('100/10/90');
      await nextTurn();
      expect([await driver.balance(), outbox.releasesWaiting, clock.pendingTasks]).toEqual(['100/0/100', 0, 0]);
    });

    it('is left to the sweeper, and counted, if too many releases are waiting, which is reported once', async () => {
      presence = 'away';
      const ids = Array.from({ length: MAX_RELEASES + 3 }, (_, number) => reservationId(number));
      await Promise.allSettled(ids.map((id) => outbox.settle({ reservationId: id, ending: anUnservedEnding() })));
      expect([outbox.releasesWaiting, outbox.releasesDropped, told]).toEqual([MAX_RELEASES, 3, [`release dropped rsv_${MAX_RELEASES}`]]);
    });

    it('is abandoned after a time if the reservation never took effect', async () => {
      await release();
      for (let turn = 0; turn * OUTBOX_RETRY_MILLISECONDS <= LATE_RESERVATION_MILLISECONDS; turn += 1) {
        expect(outbox.releasesWaiting).toBe(1);
        await nextTurn();
      }
      expect([outbox.releasesWaiting, clock.pendingTasks, told]).toEqual([0, 0, []]);
    });
  });

  it('tries to deliver when it closes, and leaves undelivered settlements to the next process', async () => {
    for (const number of [1, 2]) await driver.reserve(number, '10');
    await failToSettle(1);
    presence = 'there';
    await outbox.close();
    expect([await driver.balance(), clock.pendingTasks]).toEqual(['97/10/87', 0]);
    await failToSettle(2);
    await outbox.close();
    expect(clock.pendingTasks).toBe(0);
    presence = 'there';
    await reopen();
    expect(await driver.balance()).toBe('94/0/94');
  });

  it('keeps the sweeper from ending reservations whose settlement or release is waiting', async () => {
    for (const number of [1, 2, 3]) await driver.reserve(number, '10', { at: STORE_NOON });
    presence = 'away';
    await expect(driver.settle(1, anEnding(3))).rejects.toThrow(Away);
    await expect(driver.settle(2, anUnservedEnding())).rejects.toThrow(Away);
    const at = later(STORE_NOON, 1);
    expect(await outbox.sweepForgotten({ ownerId: OWNER, reservedBefore: at, isKnown: () => false, at })).toHaveLength(1);
    expect(await driver.balance()).toBe('100/20/80');
  });

  it('forwards reservations and sweeps to the ledger', async () => {
    await driver.reserve(1, '10');
    expect(await driver.balance()).toBe('100/10/90');
    await outbox.retire(OWNER);
    expect(await outbox.sweep(STORE_NOON)).toHaveLength(1);
    expect(await driver.balance()).toBe('100/0/100');
  });
});
