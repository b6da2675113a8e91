import { existsSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { createMemoryStore, ManualClock } from '@tollgate/adapters-memory';
import { type FinishCommand, type IdempotencyClaimName, type IdempotencyStore, later, MILLISECONDS_PER_DAY, MILLISECONDS_PER_MINUTE, type ProcessId, type RequestId } from '@tollgate/core';
import { STORE_ALICE, STORE_NOON } from '@tollgate/testkit';
import { MAX_CHARACTERS, OutboxIdempotency } from './outbox-idempotency.js';
import { OUTBOX_RETRY_MILLISECONDS } from './outbox-ledger.js';

const name = (number: number): IdempotencyClaimName => ({ accountId: STORE_ALICE, key: `key ${number}`, requestId: `req_${number}` as RequestId });
const finishing = (number: number, body: string): FinishCommand => ({ ...name(number), reply: { headers: {}, body }, at: STORE_NOON, expiresAt: later(STORE_NOON, MILLISECONDS_PER_DAY) });

describe('the outbox of idempotency results', () => {
  let folder: string;
  let clock: ManualClock;
  let store: IdempotencyStore;
  let outbox: OutboxIdempotency;
  let refuses: (key: string) => boolean;
  let attempts: string[];
  let stuck: string[];

  function open(): Promise<OutboxIdempotency> {
    const failing = (call: 'finish' | 'release') => (command: FinishCommand & { readonly keptUntil: FinishCommand['at'] }): Promise<void> => {
      attempts.push(command.key);
      return refuses(command.key) ? Promise.reject(new Error('not taken')) : store[call](command);
    };
    const calls: Partial<Record<string, unknown>> = { finish: failing('finish'), release: failing('release') };
    const idempotency = new Proxy(store, {
      get: (target, property) => {
        const value: unknown = calls[String(property)] ?? Reflect.get(target, property, target);
        return typeof value === 'function' ? value.bind(target) as unknown : value;
      },
    });
    const onStuck = ({ key }: IdempotencyClaimName): void => void stuck.push(key);
    return OutboxIdempotency.open({ idempotency, file: join(folder, 'replies'), clock, onFileProblem: () => undefined, onStuck });
  }

  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'tollgate-outbox-'));
    clock = new ManualClock(STORE_NOON);
    store = createMemoryStore().idempotency;
    [refuses, attempts, stuck] = [() => false, [], []];
    outbox = await open();
  });

  afterEach(() => rmSync(folder, { recursive: true }));

  async function claim(...numbers: readonly number[]): Promise<void> {
    for (const number of numbers) {
      const expiresAt = later(STORE_NOON, 10 * MILLISECONDS_PER_MINUTE);
      await outbox.claim({ ...name(number), fingerprint: 'same', ownerId: 'process_a' as ProcessId, at: STORE_NOON, expiresAt });
    }
  }

  async function turns(count: number): Promise<void> {
    for (let turn = 0; turn < count; turn += 1) {
      clock.advance(OUTBOX_RETRY_MILLISECONDS);
      await outbox.deliver();
    }
  }

  const bodyOf = async (number: number): Promise<string | null> => (await outbox.reply(name(number)))?.body ?? null;

  it('keeps the first result of a request, which the client has received, even for the next process', async () => {
    await claim(1);
    refuses = () => true;
    await outbox.finish(finishing(1, 'first'));
    await outbox.finish({ ...finishing(1, 'second'), reply: null });
    refuses = () => false;
    await outbox.release({ ...name(1), at: STORE_NOON, keptUntil: later(STORE_NOON, MILLISECONDS_PER_DAY) });
    expect(readFileSync(join(folder, 'replies'), 'utf8')).not.toContain('second');
    clock = new ManualClock(STORE_NOON);
    outbox = await open();
    expect(await bodyOf(1)).toBe('first');
  });

  it('counts the characters of a result once towards the limit of the outbox, however often the result is reported', async () => {
    const half = 'x'.repeat(MAX_CHARACTERS / 2);
    await claim(1, 2);
    refuses = () => true;
    await outbox.finish(finishing(1, half));
    await outbox.finish(finishing(1, half));
    await outbox.finish(finishing(2, half));
    refuses = () => false;
    await turns(1);
    expect([(await bodyOf(1))?.length, (await bodyOf(2))?.length]).toEqual([half.length, half.length]);
  });

  it('delivers all results except one that always fails, which it reports and retries', async () => {
    await claim(1, 2, 3);
    refuses = () => true;
    for (const number of [1, 2, 3]) await outbox.finish(finishing(number, `reply ${number}`));
    refuses = (key) => key === 'key 1';
    await turns(1);
    expect([await bodyOf(1), await bodyOf(2), await bodyOf(3)]).toEqual([null, 'reply 2', 'reply 3']);
    attempts = [];
    for (let turn = 0; turn < 120; turn += 1) {
      await turns(1);
      await bodyOf(2);
    }
    expect([attempts.length, stuck]).toEqual([expect.any(Number), ['key 1']]);
    expect(attempts.length).toBeLessThan(10);
    refuses = () => false;
    await turns(200);
    expect([await bodyOf(1), statSync(join(folder, 'replies')).size, clock.pendingTasks]).toEqual(['reply 1', 0, 0]);
  });

  it('pauses after three failures of an unavailable store, and delivers all results soon after it is available again', async () => {
    await claim(1, 2, 3, 4, 5);
    refuses = () => true;
    for (const number of [1, 2, 3, 4, 5]) await outbox.finish(finishing(number, `reply ${number}`));
    attempts = [];
    await turns(10);
    expect([attempts.length, stuck]).toEqual([30, []]);
    refuses = () => false;
    await turns(1);
    expect(await Promise.all([1, 2, 3, 4, 5].map(bodyOf))).toEqual([1, 2, 3, 4, 5].map((number) => `reply ${number}`));
  });

  it('creates no file while the store accepts everything', async () => {
    await claim(1);
    await outbox.finish(finishing(1, 'reply'));
    expect([existsSync(join(folder, 'replies')), clock.pendingTasks]).toEqual([false, 0]);
  });
});
