import { expect, it } from '@jest/globals';
import { pino } from 'pino';
import { GatewayError, type PersonId } from '@tollgate/core';
import type { HttpExchange } from '../../http/http-exchange.js';
import { BackgroundWork } from './background-work.js';

const exchangeFrom = (clientAddress: string) => ({ requestId: 'req_1', clientAddress }) as HttpExchange;
const ANN = 'person_ann' as PersonId;

/** Runs background work until the test ends it. */
class Bench {
  readonly background = new BackgroundWork(pino({ level: 'silent' }));
  readonly #ends: (() => void)[] = [];
  readonly #running: Promise<void>[] = [];

  /** False if refused. */
  start(address: string, knownAs: PersonId | null = null): boolean {
    const endless = () => new Promise<void>((resolve) => {
      this.#ends.push(resolve);
    });
    try {
      this.#running.push(this.background.start({ exchange: exchangeFrom(address), knownAs }, endless));
      return true;
    } catch (thrown) {
      if (thrown instanceof GatewayError && thrown.code === 'too_many_attempts' && thrown.retryAfterSeconds === 2) return false;
      throw thrown;
    }
  }

  /** Returns how many tasks were started. */
  startMany(count: number, addressOf: (number: number) => string): number {
    return Array.from({ length: count }, (_, number) => this.start(addressOf(number))).filter(Boolean).length;
  }

  async endAll(): Promise<void> {
    for (const end of this.#ends) end();
    await Promise.all(this.#running);
  }
}

it('background work of strangers is limited per network and in total, which leaves room for known browsers', async () => {
  const bench = new Bench();
  expect(bench.startMany(20, () => '203.0.113.1')).toBe(16);
  expect(bench.startMany(40, (number) => `2001:db8:0:${number.toString(16)}::1`)).toBe(32);
  expect(bench.startMany(240, (number) => `198.51.100.${number}`)).toBe(224 - 16 - 32);
  expect(bench.start('198.51.100.250', ANN)).toBe(true);
  await bench.endAll();
  expect(bench.startMany(20, () => '203.0.113.1')).toBe(16);
  await bench.endAll();
});

it('a flood of background work from a few networks leaves room for other networks', async () => {
  const bench = new Bench();
  expect(bench.startMany(12 * 20, (number) => `203.0.113.${number % 12}`)).toBe(192);
  expect(bench.startMany(20, () => '203.0.113.99')).toBe(1);
  expect(bench.startMany(8, (number) => `2001:db8:0:${number}00::1`)).toBe(4);
  expect(bench.startMany(100, (number) => `198.51.100.${number}`)).toBe(224 - 192 - 1 - 4);
  expect(bench.start('198.51.100.250', ANN)).toBe(true);
  await bench.endAll();
});

it('background work that follows a completed action is never refused', async () => {
  const bench = new Bench();
  bench.startMany(224, (number) => `198.51.100.${number}`);
  let isTold = false;
  await bench.background.follow(exchangeFrom('198.51.100.250'), async () => {
    isTold = true;
  });
  expect(isTold).toBe(true);
  await bench.endAll();
});
