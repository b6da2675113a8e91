import { expect, it } from '@jest/globals';
import type { PersonId } from '@tollgate/core';
import { FairTurns, MAX_WAITING, strangerAt, type TurnHolder } from '@tollgate/identity';

const ANN: TurnHolder = { kind: 'known', person: 'person_ann' as PersonId };

/** Runs one task at a time; the test ends each task. */
class Bench {
  readonly began: string[] = [];
  readonly refused: string[] = [];
  readonly turns = new FairTurns(1);
  #end: () => void = () => undefined;

  ask(holder: TurnHolder, name: string): void {
    this.turns.run(holder, () => new Promise<void>((resolve) => {
      this.began.push(name);
      this.#end = resolve;
    })).catch((thrown: { readonly code: string; readonly retryAfterSeconds: number }) => this.refused.push(`${name} ${thrown.code} ${thrown.retryAfterSeconds}`));
  }

  async endOne(): Promise<void> {
    this.#end();
    await this.settle();
  }

  async settle(): Promise<void> {
    for (let tick = 0; tick < 5; tick += 1) await Promise.resolve();
  }

  async endAll(): Promise<readonly string[]> {
    for (let before = -1; before !== this.began.length;) {
      before = this.began.length;
      await this.endOne();
    }
    return this.began;
  }
}

it('a known person is served before strangers who came earlier; strangers get every fourth turn', async () => {
  const bench = new Bench();
  bench.ask(strangerAt('203.0.113.1'), 'running');
  for (let number = 0; number < 4; number += 1) bench.ask(strangerAt(`203.0.113.${number}`), `stranger ${number}`);
  for (let number = 0; number < 5; number += 1) bench.ask(ANN, `ann ${number}`);
  expect(await bench.endAll()).toEqual(['running', 'ann 0', 'ann 1', 'ann 2', 'stranger 0', 'ann 3', 'ann 4', 'stranger 1', 'stranger 2', 'stranger 3']);
});

it('networks of strangers take turns, however many requests one of them sent earlier', async () => {
  const bench = new Bench();
  bench.ask(ANN, 'running');
  // Networks of one /48, which form one party.
  for (let number = 0; number < 6; number += 1) bench.ask(strangerAt(`2001:db8:0:${number}00::1`), `flood ${number}`);
  bench.ask(strangerAt('203.0.113.1'), 'first');
  bench.ask(strangerAt('203.0.113.2'), 'second');
  expect(await bench.endAll()).toEqual(['running', 'flood 0', 'first', 'second', 'flood 1', 'flood 2', 'flood 3', 'flood 4', 'flood 5']);
});

it('a network of /64, /56 or /48 with too many waiting tasks is refused immediately', () => {
  const refusedOf = async (addresses: readonly string[]): Promise<number> => {
    const bench = new Bench();
    bench.ask(ANN, 'running');
    for (const address of addresses) bench.ask(strangerAt(address), address);
    await bench.settle();
    return bench.refused.length;
  };
  const many = (address: (number: number) => string) => refusedOf(Array.from({ length: 40 }, (_, number) => address(number)));
  return expect(Promise.all([
    many(() => '203.0.113.1'), many((number) => `2001:db8::${number}`), many((number) => `2001:db8:0:${number.toString(16)}::1`), many((number) => `2001:db8:0:${number}00::1`),
  ])).resolves.toEqual([32, 32, 24, 8]);
});

it('in a full queue, a new task displaces a task of the network with the most, or is refused if no network has more', async () => {
  const bench = new Bench();
  bench.ask(ANN, 'running');
  for (let number = 0; number < 8; number += 1) bench.ask(strangerAt('203.0.113.1'), `flood ${number}`);
  for (let number = 8; number < MAX_WAITING; number += 1) bench.ask(strangerAt(`198.51.100.${number}`), `other ${number}`);
  expect(bench.refused).toEqual([]);
  for (let number = 0; number < 8; number += 1) bench.ask(strangerAt(`192.0.2.${number}`), `new ${number}`);
  await bench.endOne();
  expect(bench.refused.toSorted()).toEqual([...[1, 2, 3, 4, 5, 6, 7].map((number) => `flood ${number} too_many_attempts 2`), 'new 7 too_many_attempts 2']);
  expect(() => bench.turns.check(strangerAt('203.0.113.1'))).not.toThrow();
});

it('a task that fails does not keep the next task from being served', async () => {
  const turns = new FairTurns(1);
  await expect(turns.run(ANN, () => Promise.reject(new Error('no memory')))).rejects.toThrow('no memory');
  expect(await turns.run(ANN, () => Promise.resolve('done'))).toBe('done');
});

it('a known person can have a few waiting tasks only, and a queue full of strangers leaves room for known people', () => {
  const bench = new Bench();
  bench.ask(ANN, 'running');
  for (let number = 0; number < MAX_WAITING; number += 1) bench.ask(strangerAt(`198.51.100.${number}`), `stranger ${number}`);
  expect(() => bench.turns.check(strangerAt('192.0.2.1'))).toThrow(expect.objectContaining({ code: 'too_many_attempts' }));
  for (let number = 0; number < 8; number += 1) bench.ask(ANN, `ann ${number}`);
  expect(() => bench.turns.check(ANN)).toThrow(expect.objectContaining({ code: 'too_many_attempts' }));
  expect(() => bench.turns.check({ kind: 'known', person: 'person_bob' as PersonId })).not.toThrow();
});
