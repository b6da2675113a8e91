import { afterEach, describe, expect, it } from './test-runner.js';
import {
  type ClaimOutcome, type EndReason, FINISHED_REASONS, type FinishCommand, type IdempotencyClaim, type IdempotencyStore, type Instant, later, type ProcessId, type ReleaseCommand, REPLY_SWEEP_BYTES, type StoredReply,
} from '@tollgate/core';
import { anEnding, anUnservedEnding } from '../builders/builders.js';
import { OWNER, requestId, STORE_ALICE, STORE_BOB, STORE_NOON, StoreDriver, type StoreSubject } from './store-subject.js';

/** The store of idempotency keys and the ledger of the same requests, on one empty store. */
interface IdempotencySubject extends StoreSubject {
  readonly idempotency: IdempotencyStore;
}

type MakeIdempotency = () => IdempotencySubject | Promise<IdempotencySubject>;

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
const KEPT_UNTIL = later(STORE_NOON, DAY);
const DEAD = 'process_dead' as ProcessId;
/** Time for which the claim of a running request is valid. */
const RUNNING_FOR = 30 * MINUTE;

function aClaim(number: number, differences: Partial<IdempotencyClaim> = {}): IdempotencyClaim {
  const at = differences.at ?? STORE_NOON;
  return {
    accountId: STORE_ALICE, key: 'key-1', requestId: requestId(number), ownerId: OWNER, fingerprint: 'same', at, expiresAt: later(at, RUNNING_FOR), ...differences,
  };
}

function releaseOf({ accountId, key, requestId: id, at }: IdempotencyClaim): ReleaseCommand {
  return { accountId, key, requestId: id, at, keptUntil: later(at, DAY) };
}

function finishOf({ accountId, key, requestId: id }: IdempotencyClaim, reply: StoredReply | null, expiresAt: Instant = KEPT_UNTIL): FinishCommand {
  return { accountId, key, requestId: id, reply, at: STORE_NOON, expiresAt };
}

const REPLY: StoredReply = {
  headers: { 'x-svc-model': 'small', 'x-svc-balance': '12.5' },
  body: '{"text":"\\"Grüße\\" 你好 👋 \\u0000 \\ud800\n"}',
};

const REPLY_BYTES = Buffer.byteLength(JSON.stringify(REPLY));

class IdempotencyDriver {
  private constructor(readonly store: IdempotencyStore, readonly ledger: StoreDriver) {}

  static async start(make: MakeIdempotency): Promise<IdempotencyDriver> {
    const subject = await make();
    return new IdempotencyDriver(subject.idempotency, await StoreDriver.start(() => subject));
  }

  claim(number: number, differences: Partial<IdempotencyClaim> = {}): Promise<ClaimOutcome> {
    return this.store.claim(aClaim(number, differences));
  }

  reply(number: number): Promise<StoredReply | null> {
    return this.store.reply(aClaim(number));
  }

  finish(number: number, reply: StoredReply | null): Promise<void> {
    return this.store.finish(finishOf(aClaim(number), reply));
  }

  /** Settles the reservations of dead processes, then sweeps the keys, as the sweeper does. */
  async sweep(now: Instant = later(STORE_NOON, MINUTE)): Promise<number> {
    await this.ledger.store.ledger.sweep(now);
    return this.store.sweep(now, later(now, DAY));
  }
}

export function idempotencyStoreContract(name: string, make: MakeIdempotency): void {
  describe(`IdempotencyStore contract: ${name}`, () => {
    let driver: IdempotencyDriver;
    const start = async (): Promise<IdempotencyDriver> => {
      driver = await IdempotencyDriver.start(make);
      return driver;
    };
    afterEach(() => driver.ledger.close());

    describe('a claim', () => {
      it('is granted once, and a repeated request learns that the first one is running', async () => {
        await start();
        expect(await driver.claim(1)).toEqual({ outcome: 'claimed', predecessor: null });
        expect(await driver.claim(2)).toEqual({ outcome: 'running', requestId: requestId(1) });
      });

      it('is granted to one of several concurrent requests', async () => {
        await start();
        const outcomes = await Promise.all(Array.from({ length: 20 }, (_, number) => driver.claim(number)));
        expect(outcomes.filter(({ outcome }) => outcome === 'claimed')).toHaveLength(1);
        expect(outcomes.filter(({ outcome }) => outcome === 'running')).toHaveLength(19);
      });

      it('is granted again to the same request, which may not have received the first answer', async () => {
        await start();
        await driver.claim(1);
        expect(await driver.claim(1)).toEqual({ outcome: 'claimed', predecessor: null });
      });

      it('is refused to a different request with the same key, while the first request runs and after it has ended', async () => {
        await start();
        await driver.claim(1);
        expect(await driver.claim(2, { fingerprint: 'other' })).toEqual({ outcome: 'other-request', requestId: requestId(1) });
        await driver.finish(1, REPLY);
        expect(await driver.claim(3, { fingerprint: 'other' })).toEqual({ outcome: 'other-request', requestId: requestId(1) });
      });

      it('does not affect other keys or accounts', async () => {
        await start();
        await driver.claim(1);
        expect(await driver.claim(2, { key: 'key-2' })).toEqual({ outcome: 'claimed', predecessor: null });
        expect(await driver.claim(3, { accountId: STORE_BOB })).toEqual({ outcome: 'claimed', predecessor: null });
      });

      it('ends at its expiry, not before', async () => {
        await start();
        await driver.claim(1);
        expect(await driver.claim(2, { at: later(STORE_NOON, RUNNING_FOR - 1) })).toMatchObject({ outcome: 'running' });
        expect(await driver.claim(3, { at: later(STORE_NOON, RUNNING_FOR) })).toEqual({ outcome: 'claimed', predecessor: requestId(1) });
        expect(await driver.claim(4, { at: later(STORE_NOON, RUNNING_FOR) })).toEqual({ outcome: 'running', requestId: requestId(3) });
      });
    });

    describe('a finished request', () => {
      it('is answered with its stored reply on every repetition', async () => {
        await start();
        await driver.claim(1);
        await driver.finish(1, REPLY);
        for (const number of [2, 3]) {
          expect(await driver.claim(number)).toEqual({ outcome: 'finished', requestId: requestId(1), replyBytes: REPLY_BYTES });
          expect(await driver.reply(1)).toEqual(REPLY);
        }
      });

      it('yields its reply only under its own account, key and request id', async () => {
        await start();
        await driver.claim(1);
        expect(await driver.reply(1)).toBeNull();
        await driver.finish(1, REPLY);
        expect(await driver.reply(2)).toBeNull();
        for (const other of [{ accountId: STORE_BOB }, { key: 'key-2' }]) expect(await driver.store.reply(aClaim(1, other))).toBeNull();
      });

      it('is reported as finished even if it stored no reply', async () => {
        await start();
        await driver.claim(1);
        await driver.finish(1, null);
        expect(await driver.claim(2)).toEqual({ outcome: 'finished', requestId: requestId(1), replyBytes: null });
      });

      it('keeps its first reply and its key, even if it is finished again and then releases the key', async () => {
        await start();
        await driver.claim(1);
        await driver.finish(1, REPLY);
        await driver.finish(1, null);
        await driver.store.release(releaseOf(aClaim(1)));
        expect(await driver.claim(2)).toMatchObject({ outcome: 'finished', replyBytes: REPLY_BYTES });
      });

      it('is forgotten at its expiry, not before', async () => {
        await start();
        await driver.claim(1);
        await driver.finish(1, REPLY);
        expect(await driver.claim(2, { at: later(KEPT_UNTIL, -1) })).toMatchObject({ outcome: 'finished' });
        expect(await driver.claim(3, { at: KEPT_UNTIL })).toEqual({ outcome: 'claimed', predecessor: null });
      });
    });

    describe('a request that was refused', () => {
      it('releases its key', async () => {
        await start();
        await driver.claim(1);
        await driver.store.release(releaseOf(aClaim(1)));
        expect(await driver.claim(2, { fingerprint: 'other' })).toEqual({ outcome: 'claimed', predecessor: null });
      });
    });

    it('a request whose claim another request has taken over can neither finish nor release it', async () => {
      await start();
      await driver.claim(1);
      const at = later(STORE_NOON, RUNNING_FOR);
      await driver.claim(2, { at });
      await driver.finish(1, REPLY);
      await driver.store.release(releaseOf(aClaim(1)));
      expect(await driver.claim(3, { at })).toEqual({ outcome: 'running', requestId: requestId(2) });
    });

    describe('a claim that its process prolongs', () => {
      const NEW_END = later(STORE_NOON, 2 * RUNNING_FOR);
      const prolong = (numbers: readonly number[], ownerId = OWNER): Promise<void> =>
        driver.store.prolong({ ownerId, requests: numbers.map(requestId), at: later(STORE_NOON, MINUTE), expiresAt: NEW_END });

      it('is kept beyond its expiry, also if 600 other claims are prolonged with it', async () => {
        await start();
        await driver.claim(1);
        await prolong(Array.from({ length: 601 }, (_, number) => 601 - number));
        await driver.ledger.renewLease(OWNER, later(NEW_END, MINUTE));
        await driver.sweep(later(NEW_END, -1));
        expect(await driver.claim(2, { at: later(NEW_END, -1) })).toEqual({ outcome: 'running', requestId: requestId(1) });
        expect(await driver.claim(3, { at: NEW_END })).toEqual({ outcome: 'claimed', predecessor: requestId(1) });
      });

      it.each<readonly [name: string, prepare: () => Promise<unknown>, outcome: Partial<ClaimOutcome>]>([
        ['another process prolongs it', () => prolong([1], DEAD), { outcome: 'claimed', predecessor: requestId(1) }],
        ['another request is prolonged', () => prolong([2]), { outcome: 'claimed', predecessor: requestId(1) }],
        ['a sweep has ended it before', async () => {
          await driver.sweep(later(STORE_NOON, RUNNING_FOR));
          await prolong([1]);
        }, { outcome: 'claimed' }],
      ])('is not kept if %s', async (_name, prepare, outcome) => {
        await start();
        await driver.claim(1);
        await prepare();
        expect(await driver.claim(3, { at: later(STORE_NOON, RUNNING_FOR) })).toMatchObject(outcome);
      });

      it('keeps an expiry that is later than the new one; a finished claim keeps the expiry of its reply', async () => {
        await start();
        await driver.claim(1, { expiresAt: later(NEW_END, 1) });
        await driver.claim(2, { key: 'key-2' });
        await driver.store.finish(finishOf(aClaim(2, { key: 'key-2' }), REPLY, later(STORE_NOON, 2 * MINUTE)));
        await prolong([1, 2]);
        expect(await driver.claim(3, { at: NEW_END })).toMatchObject({ outcome: 'running' });
        expect(await driver.claim(4, { key: 'key-2', at: later(STORE_NOON, 2 * MINUTE) })).toMatchObject({ outcome: 'claimed' });
      });
    });

    describe('a claim whose process was considered dead', () => {
      const taken = (number: number, differences: Partial<IdempotencyClaim> = {}): Promise<ClaimOutcome> => driver.claim(number, { at: later(STORE_NOON, MINUTE), ...differences });

      /** Lets request 1 claim the key, and then lets its process die. */
      async function voidClaim(): Promise<void> {
        await start();
        await driver.claim(1, { ownerId: DEAD });
        await driver.sweep();
      }

      it('is the predecessor of the next claim of the key, even if that claim is repeated or its process crashes too', async () => {
        await voidClaim();
        for (let times = 0; times < 2; times += 1) expect(await taken(2, { ownerId: DEAD })).toEqual({ outcome: 'claimed', predecessor: requestId(1) });
        await driver.sweep();
        expect(await taken(3)).toEqual({ outcome: 'claimed', predecessor: requestId(1) });
        expect(await taken(4)).toEqual({ outcome: 'running', requestId: requestId(3) });
      });

      it('is taken over by one of many concurrent requests', async () => {
        await voidClaim();
        const outcomes = await Promise.all(Array.from({ length: 20 }, (_, number) => taken(number + 2)));
        expect(outcomes.filter(({ outcome }) => outcome === 'claimed')).toEqual([{ outcome: 'claimed', predecessor: requestId(1) }]);
      });

      it('is still the predecessor after the next request has released the key', async () => {
        await voidClaim();
        await taken(2);
        await driver.store.release(releaseOf(aClaim(2)));
        expect(await taken(3)).toEqual({ outcome: 'claimed', predecessor: requestId(1) });
      });

      it('is kept for a day after the next request has released the key, even beyond its own expiry', async () => {
        for (const [after, predecessor] of [[DAY - 1, requestId(1)], [DAY, null]] as const) {
          await voidClaim();
          await taken(2);
          const released = later(STORE_NOON, 2 * MINUTE);
          await driver.store.release(releaseOf(aClaim(2, { at: released })));
          await driver.store.sweep(later(released, RUNNING_FOR), later(released, RUNNING_FOR + DAY));
          expect(await driver.claim(3, { at: later(released, after) })).toEqual({ outcome: 'claimed', predecessor });
        }
      });

      it('can be finished by its owner until another request claims the key', async () => {
        await voidClaim();
        await driver.finish(1, REPLY);
        expect(await taken(2)).toEqual({ outcome: 'finished', requestId: requestId(1), replyBytes: REPLY_BYTES });
      });

      it('is not the predecessor of a different request, nor of any request after the key has expired', async () => {
        await voidClaim();
        expect(await taken(2, { fingerprint: 'other' })).toEqual({ outcome: 'claimed', predecessor: null });
        await voidClaim();
        expect(await taken(2, { at: later(STORE_NOON, MINUTE + DAY) })).toEqual({ outcome: 'claimed', predecessor: null });
        await voidClaim();
        await driver.sweep(later(STORE_NOON, MINUTE + DAY));
        expect(await taken(2)).toEqual({ outcome: 'claimed', predecessor: null });
      });
    });

    describe('a sweep', () => {
      it('ends only the unfinished claims of a dead process', async () => {
        await start();
        await driver.ledger.renewLease(DEAD, later(STORE_NOON, 1));
        await driver.claim(1, { ownerId: DEAD });
        await driver.claim(2, { key: 'key-2' });
        await driver.claim(3, { key: 'key-3', ownerId: DEAD });
        await driver.store.finish(finishOf(aClaim(3, { key: 'key-3' }), REPLY));
        expect(await driver.sweep()).toBe(1);
        expect(await driver.claim(4)).toEqual({ outcome: 'claimed', predecessor: requestId(1) });
        expect(await driver.claim(5, { key: 'key-2' })).toMatchObject({ outcome: 'running' });
        expect(await driver.claim(6, { key: 'key-3' })).toMatchObject({ outcome: 'finished', replyBytes: REPLY_BYTES });
      });

      it.each<EndReason>([...FINISHED_REASONS, 'client_left', 'provider_failed', 'shutdown'])('counts a request of a dead process that was charged in full (%s) as finished, so that it is not charged twice', async (reason) => {
        await start();
        await driver.ledger.renewLease(DEAD, later(STORE_NOON, 1));
        await driver.ledger.credit('100');
        for (const number of [1, 2]) {
          await driver.claim(number, { key: `key-${number}`, ownerId: DEAD });
          await driver.ledger.reserve(number, '10', { owner: DEAD });
        }
        await driver.ledger.settle(1, { ...anEnding(10), reason });
        expect(await driver.sweep()).toBe(2);
        expect(await driver.claim(3, { key: 'key-1' })).toEqual({ outcome: 'finished', requestId: requestId(1), replyBytes: null });
        expect(await driver.claim(4, { key: 'key-2' })).toEqual({ outcome: 'claimed', predecessor: requestId(2) });
        expect(await driver.claim(5, { key: 'key-1', at: later(STORE_NOON, MINUTE + DAY) })).toEqual({ outcome: 'claimed', predecessor: null });
      });

      it.each<EndReason>(['client_left', 'provider_failed', 'provider_unavailable'])('frees the key of a dead process’s request that ended early (%s) and was charged nothing', async (reason) => {
        await start();
        await driver.ledger.renewLease(DEAD, later(STORE_NOON, 1));
        await driver.ledger.credit('100');
        await driver.claim(1, { ownerId: DEAD });
        await driver.ledger.reserve(1, '10', { owner: DEAD });
        await driver.ledger.settle(1, anUnservedEnding({ reason }));
        expect(await driver.sweep()).toBe(1);
        expect(await driver.claim(2)).toEqual({ outcome: 'claimed', predecessor: requestId(1) });
      });

      it('deletes a limited number of bytes of responses at a time', async () => {
        await start();
        const body = JSON.stringify('x'.repeat(REPLY_SWEEP_BYTES / 4));
        const expiresAt = later(STORE_NOON, 1);
        for (let number = 0; number < 10; number += 1) {
          await driver.claim(number, { key: `key-${number}` });
          await driver.store.finish(finishOf(aClaim(number, { key: `key-${number}` }), { headers: {}, body }, expiresAt));
        }
        const counts: number[] = [];
        for (let swept = -1; swept !== 0; counts.push(swept)) swept = await driver.sweep();
        expect(counts).toEqual([4, 4, 2, 0]);
      });

      it('deletes expired claims in batches', async () => {
        await start();
        const expiresAt = later(STORE_NOON, 1);
        for (let number = 0; number < 1100; number += 100) {
          await Promise.all(Array.from({ length: 100 }, (_, more) => driver.claim(number + more, { key: `key-${number + more}`, expiresAt })));
        }
        await driver.claim(5000, { key: 'lasting' });
        const counts: number[] = [];
        for (let swept = -1; swept !== 0; counts.push(swept)) swept = await driver.sweep();
        expect(counts.length).toBeGreaterThan(2);
        expect(counts.reduce((sum, count) => sum + count, 0)).toBe(1100);
        expect(await driver.claim(5001, { key: 'lasting' })).toMatchObject({ outcome: 'running' });
      });
    });
  });
}
