import { expect, it } from '@jest/globals';
import { type AccountId, ALL_ACCOUNTS, type UsageScope } from '@tollgate/core';
import { MAX_WAITING_READS, ReadingTurns } from './reading-turns.js';

const BUSY = 'acc_busy' as AccountId;
const OTHER = 'acc_other' as AccountId;

/** Records the order in which reads begin. Tests end them. */
class Reads {
  readonly begun: UsageScope[] = [];
  readonly #ends: (() => void)[] = [];

  constructor(private readonly turns: ReadingTurns) {}

  ask(holder: UsageScope): Promise<void> {
    return this.turns.run(holder, () => {
      this.begun.push(holder);
      return new Promise((resolve) => this.#ends.push(resolve));
    });
  }

  /** Ends the oldest running read, so that the next one begins. */
  async endOne(): Promise<void> {
    this.#ends.shift()?.();
    await new Promise((resolve) => {
      setImmediate(resolve);
    });
  }
}

it('reads of other accounts are served before the second read of an account that has many waiting', async () => {
  const reads = new Reads(new ReadingTurns(1));
  const all = [...Array.from({ length: 40 }, () => reads.ask(BUSY)), reads.ask(OTHER), reads.ask(ALL_ACCOUNTS)];
  for (let ended = 0; ended < 3; ended += 1) await reads.endOne();
  expect(reads.begun).toEqual([BUSY, OTHER, ALL_ACCOUNTS, BUSY]);
  while (reads.begun.length < all.length) await reads.endOne();
  await reads.endOne();
  await Promise.all(all);
});

it('at most the permitted number of reads run at a time', async () => {
  const turns = new ReadingTurns(2);
  const reads = new Reads(turns);
  const all = [BUSY, BUSY, BUSY].map((holder) => reads.ask(holder));
  expect(reads.begun).toHaveLength(2);
  await reads.endOne();
  expect(reads.begun).toHaveLength(3);
  await reads.endOne();
  await reads.endOne();
  await Promise.all([...all, turns.idle()]);
});

it('reads of an account beyond its share of the queue are refused, but not those of other accounts', async () => {
  const reads = new Reads(new ReadingTurns(1));
  const all = Array.from({ length: 1 + MAX_WAITING_READS }, () => reads.ask(BUSY));
  await expect(reads.ask(BUSY)).rejects.toMatchObject({ code: 'rate_limit_exceeded', retryAfterSeconds: 1 });
  all.push(reads.ask(OTHER));
  for (let ended = 0; ended < all.length; ended += 1) await reads.endOne();
  await Promise.all(all);
});

it('a read that fails does not keep the next read from running', async () => {
  const turns = new ReadingTurns(1);
  const [failed, read] = [turns.run(BUSY, () => Promise.reject(new Error('no'))), turns.run(OTHER, () => Promise.resolve(1))];
  await expect(failed).rejects.toThrow('no');
  expect(await read).toBe(1);
});
