import { beforeEach, describe, expect, it } from '@jest/globals';
import type { AccountId } from '@tollgate/core';
import { ManualClock } from '@tollgate/adapters-memory';
import { BodyBudget, type BodyRoom, MOST_WAITING, MOST_WAITING_OF_ACCOUNT } from './body-budget.js';

const MEBIBYTE = 1_048_576;
const LARGEST = 2 * MEBIBYTE;

let clock: ManualClock;
let budget: BodyBudget;

beforeEach(() => {
  clock = new ManualClock();
  budget = new BodyBudget(8 * MEBIBYTE, clock);
});

function take(account: string, bytes = LARGEST, signal = new AbortController().signal): BodyRoom | Promise<BodyRoom> {
  return budget.take({ holder: { accountId: account as AccountId }, bytes, signal });
}

/** What has become of a demand by now. */
async function stateOf(demand: BodyRoom | Promise<BodyRoom>): Promise<string> {
  const waits = new Promise<string>((resolve) => {
    setImmediate(() => resolve('waits'));
  });
  return Promise.race([Promise.resolve(demand).then(() => 'has room', (error: { code: string }) => error.code), waits]);
}

async function fill(account: string, times: number): Promise<readonly BodyRoom[]> {
  return Promise.all(Array.from({ length: times }, async () => take(account)));
}

describe('the room of one account', () => {
  it.each([[64, 8], [8, 4], [32, 4], [40, 5], [4, 4]])('is of %i MiB %i', (process, account) => {
    expect(new BodyBudget(process * MEBIBYTE, clock).accountBytes).toBe(account * MEBIBYTE);
  });

  it('is refused to one more after a second, while others are served at once', async () => {
    await fill('alice', 2);
    const more = take('alice', 1);
    expect(await stateOf(take('bob'))).toBe('has room');
    clock.advance(999);
    expect(await stateOf(more)).toBe('waits');
    clock.advance(1);
    await expect(more).rejects.toMatchObject({ code: 'rate_limit_exceeded', retryAfterSeconds: 1, message: expect.stringContaining('No limit of your plan') });
  });

  it('is given to the next as soon as it is given back', async () => {
    const [first] = await fill('alice', 2);
    const more = take('alice');
    first?.giveBack();
    expect(await stateOf(more)).toBe('has room');
    expect(budget.used).toBe(2 * LARGEST);
  });

  it('is bounded for those who wait as well', async () => {
    await fill('alice', 2);
    const waiting = Array.from({ length: MOST_WAITING_OF_ACCOUNT }, async () => take('alice', 1));
    expect(() => take('alice', 1)).toThrow(expect.objectContaining({ code: 'rate_limit_exceeded' }));
    expect(await stateOf(take('bob'))).toBe('has room');
    clock.advance(1000);
    await Promise.allSettled(waiting);
    expect(budget.waiting).toBe(0);
  });
});

describe('the room of the process', () => {
  beforeEach(async () => {
    await fill('alice', 2);
    await fill('bob', 2);
  });

  it('is refused to one more after a second', async () => {
    const more = take('carol', 1);
    clock.advance(1000);
    await expect(more).rejects.toMatchObject({ code: 'server_busy', retryAfterSeconds: 1 });
    expect(budget.waiting).toBe(0);
  });

  it('is bounded for those who wait as well', async () => {
    const waiting = Array.from({ length: MOST_WAITING }, async (_, index) => take(`account ${index}`, 1));
    expect(() => take('carol', 1)).toThrow(expect.objectContaining({ code: 'server_busy' }));
    clock.advance(1000);
    await Promise.allSettled(waiting);
  });
});

it('more than a whole share is granted alone', async () => {
  expect(await stateOf(take('alice', 9 * MEBIBYTE))).toBe('has room');
  expect(await stateOf(take('alice', 1))).toBe('waits');
  clock.advance(1000);
});

describe('those who wait', () => {
  it('are served in the order in which they came, large ones before later small ones', async () => {
    const [first] = await fill('alice', 2);
    const [second] = await fill('bob', 2);
    const [large, small] = [take('carol'), take('dave', 1)];
    first?.giveBack();
    expect([await stateOf(large), await stateOf(small)]).toEqual(['has room', 'waits']);
    second?.giveBack();
    expect(await stateOf(small)).toBe('has room');
  });

  it('are passed by others when their own account is full', async () => {
    await fill('alice', 2);
    const waiting = take('alice');
    const flood = Array.from({ length: 19 }, async () => take('alice'));
    const [first] = await fill('bob', 2);
    const [carol, dave] = [take('carol'), take('dave')];
    first?.giveBack();
    expect([await stateOf(carol), await stateOf(dave), await stateOf(waiting)]).toEqual(['has room', 'waits', 'waits']);
    clock.advance(1000);
    await Promise.allSettled([...flood, Promise.resolve(waiting), Promise.resolve(dave)]);
  });

  it('make room for those behind them when they give up', async () => {
    await fill('alice', 2);
    await fill('bob', 1);
    await take('bob', LARGEST - 1);
    const large = take('carol');
    clock.advance(500);
    const small = take('dave', 1);
    expect(await stateOf(small)).toBe('waits');
    clock.advance(500);
    await expect(large).rejects.toMatchObject({ code: 'server_busy' });
    expect(await stateOf(small)).toBe('has room');
  });

  it('leave their place with their client', async () => {
    await fill('alice', 2);
    const client = new AbortController();
    const left = take('alice', 1, client.signal);
    client.abort('left');
    await expect(left).rejects.toThrow('too many large requests');
    expect([budget.waiting, clock.pendingTasks]).toEqual([0, 0]);
  });
});

it('room that is given back twice is given back once', async () => {
  const [room] = await fill('alice', 1);
  room?.giveBack();
  room?.giveBack();
  expect(budget.used).toBe(0);
});
