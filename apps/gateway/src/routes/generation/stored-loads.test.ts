import { beforeEach, describe, expect, it } from '@jest/globals';
import { ManualClock } from '@tollgate/adapters-memory';
import type { AccountId } from '@tollgate/core';
import { Gate } from '@tollgate/testkit';
import { BodyBudget } from '../../http/body-budget.js';
import { MAX_WAITING_LOADS, type Sender, type StoredLoad, StoredLoads } from './stored-loads.js';

const MIB = 1_048_576;

let budget: BodyBudget;
let loads: StoredLoads;

beforeEach(() => {
  budget = budgetOf(64 * MIB);
  loads = new StoredLoads(budget);
});

function budgetOf(bytes: number): BodyBudget {
  return new BodyBudget(bytes, {
    clock: new ManualClock(), funds: { known: () => true, ask: () => undefined }, report: { refusedBody: () => undefined, cutUpload: () => undefined },
  });
}

function from(account: string): Sender {
  return { accountId: account as AccountId, unbilled: null, signal: new AbortController().signal, body: null };
}

/** Bytes held in all pools together. */
function heldBytes(): number {
  return Object.values(budget.used).reduce((sum, bytes) => sum + bytes, 0);
}

describe('loads of stored texts', () => {
  it('run one at a time per account, in order, and keep their room until they end', async () => {
    const order: number[] = [];
    let most = 0;
    let running = 0;
    const load = async (number: number, taken: StoredLoad): Promise<void> => {
      running += 1;
      await taken.take(4 * MIB);
      most = Math.max(most, heldBytes());
      expect(running).toBe(1);
      order.push(number);
      running -= 1;
    };
    const all = Array.from({ length: 50 }, (_, number) => number);
    await Promise.all(all.map((number) => loads.run(from('alice'), (taken) => load(number, taken))));
    expect([order, most, heldBytes(), loads.accounts]).toEqual([all, 4 * MIB, 0, 0]);
  });

  it('of one account do not wait for another account', async () => {
    const gate = new Gate();
    const slow = loads.run(from('alice'), () => gate.opened);
    expect(await loads.run(from('bob'), async () => 'loaded')).toBe('loaded');
    gate.open();
    await slow;
  });

  it('are refused at once while the maximum number of loads of their account is waiting', async () => {
    const gate = new Gate();
    const waiting = Array.from({ length: MAX_WAITING_LOADS + 1 }, () => loads.run(from('alice'), () => gate.opened));
    await expect(loads.run(from('alice'), async () => 'loaded')).rejects.toMatchObject({ code: 'rate_limit_exceeded', retryAfterSeconds: 1 });
    gate.open();
    await Promise.all(waiting);
    expect(await loads.run(from('alice'), async () => 'loaded')).toBe('loaded');
  });

  it('may exceed the account’s room if only the body of their own request takes the rest of it', async () => {
    const small = budgetOf(4 * MIB);
    const sender = from('alice');
    const upload = await small.begin({ holder: sender, declaredBytes: 2 * MIB, signal: sender.signal });
    await upload.arrived(2 * MIB);
    upload.finish();
    const loading = new StoredLoads(small).run({ ...sender, body: upload }, async (load) => {
      for (const bytes of [3 * MIB, MIB]) await load.take(bytes);
      return small.used.large;
    });
    expect(await loading).toBe(6 * MIB);
    upload.giveBack();
    expect(small.used).toEqual({ small: 0, large: 0, arriving: 0 });
  });

  it('that fail return their room, and the next load starts', async () => {
    const failing = loads.run(from('alice'), async (load) => {
      await load.take(MIB);
      throw new Error('gone');
    });
    const next = loads.run(from('alice'), async () => heldBytes());
    await expect(failing).rejects.toThrow('gone');
    expect(await next).toBe(0);
  });
});
