import { expect, it } from '@jest/globals';
import { nextTurn, TurnQueue } from './turn-queue.js';

/** Counts turns of the event loop until `stop` is called. */
function turnCounter(): { readonly turn: () => number; readonly stop: () => void } {
  let [turn, counting] = [0, true];
  const count = (): void => {
    turn += 1;
    if (counting) setImmediate(count);
  };
  setImmediate(count);
  const stop = (): void => {
    counting = false;
  };
  return { turn: () => turn, stop };
}

it('a queue runs each task in its own turn of the event loop, in order, and leaves every second turn to other work', async () => {
  const turns = new TurnQueue();
  const { turn, stop } = turnCounter();
  const taken = await Promise.all([1, 2, 3].map(() => turns.run('one', turn)));
  stop();
  expect(taken.map((at) => at - (taken[0] ?? 0))).toEqual([0, 2, 4]);
});

it('the microtasks of a task run before the next task', async () => {
  const turns = new TurnQueue();
  const events: string[] = [];
  const request = async (name: string): Promise<void> => {
    await turns.run('one', () => events.push(`parse ${name}`));
    await nextTurn();
    events.push(`serve ${name}`);
  };
  await Promise.all(['a', 'b'].map(request));
  expect(events).toEqual(['parse a', 'serve a', 'parse b', 'serve b']);
});

it('a queue continues after a task that throws', async () => {
  const turns = new TurnQueue();
  const failure = turns.run('one', () => {
    throw new Error('not JSON');
  });
  const next = turns.run('one', () => 'parsed');
  await expect(failure).rejects.toThrow('not JSON');
  expect(await next).toBe('parsed');
});

it('a queue alternates between accounts or networks, however many tasks one of them has', async () => {
  const turns = new TurnQueue();
  const order: string[] = [];
  const holders = [...Array.from({ length: 40 }, () => 'busy'), 'one', 'two', 'one'];
  await Promise.all(holders.map((holder) => turns.run(holder, () => order.push(holder))));
  expect(order.slice(0, 6)).toEqual(['busy', 'one', 'two', 'busy', 'one', 'busy']);
  expect(order).toHaveLength(holders.length);
});

it('a queue starts the next task even if the promise of the previous one never settles', async () => {
  const turns = new TurnQueue();
  const never = new Promise<string>(() => undefined);
  void turns.run('one', () => never);
  expect(await turns.run('one', () => 'parsed')).toBe('parsed');
});
