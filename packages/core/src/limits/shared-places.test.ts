import { describe, expect, it } from '@jest/globals';
import { SharedPlaces } from './shared-places.js';

/** Records the holders whose work started. */
class Work {
  readonly begun: string[] = [];

  constructor(readonly places: SharedPlaces<string>) {}

  /** Returns a function that cancels the work while it waits. */
  ask(holder: string): () => void {
    const begin = (): void => void this.begun.push(holder);
    if (!this.places.tryTake(holder)) return this.places.wait(holder, begin);
    begin();
    return () => undefined;
  }

  times(count: number, holder: string): void {
    for (let asked = 0; asked < count; asked += 1) this.ask(holder);
  }

  /** Ends work of these holders, in this order; returns the holders whose work started. */
  afterEndsOf(...holders: readonly string[]): readonly string[] {
    this.begun.length = 0;
    for (const holder of holders) this.places.giveBack(holder);
    return this.begun;
  }
}

describe('SharedPlaces', () => {
  it('limits concurrency to the number of places', () => {
    const work = new Work(new SharedPlaces(3));
    work.times(5, 'a');
    expect(work.begun).toEqual(['a', 'a', 'a']);
    expect(work.places.waitingOf('a')).toBe(2);
    expect(work.afterEndsOf('a', 'a', 'a', 'a', 'a')).toEqual(['a', 'a']);
  });

  it('reserves places for holders that have none yet, at most one for each', () => {
    const work = new Work(new SharedPlaces(8, 2));
    work.times(10, 'a');
    expect(work.begun).toHaveLength(6);
    for (const holder of ['b', 'b', 'c', 'd']) work.ask(holder);
    expect(work.begun.slice(6)).toEqual(['b', 'c']);
    expect(work.afterEndsOf('a')).toEqual(['d']);
  });

  it.each([[1, 1], [2, 1]])('gives all %d places to holders that have none yet (reserved: %d)', (most, kept) => {
    const work = new Work(new SharedPlaces(most, kept));
    for (const holder of ['a', 'a', 'b', 'b', 'c']) work.ask(holder);
    expect(work.begun).toEqual(['a', 'b', 'c'].slice(0, most));
    expect(work.afterEndsOf('a')).toEqual([['b', 'c'][most - 1]]);
  });

  it('serves holders that have no place first, then the others in turn', () => {
    const work = new Work(new SharedPlaces(4));
    for (const holder of ['a', 'a', 'b', 'b']) work.ask(holder);
    for (const holder of ['a', 'a', 'a', 'b', 'b', 'c']) work.ask(holder);
    expect(work.afterEndsOf('a', 'a', 'b', 'b', 'c')).toEqual(['c', 'a', 'b', 'a', 'b']);
  });

  it('moves a holder whose running work has ended behind the holders that already wait', () => {
    const work = new Work(new SharedPlaces(1));
    for (const holder of ['a', 'a', 'a', 'b', 'c']) work.ask(holder);
    expect(work.afterEndsOf('a', 'b', 'c', 'a')).toEqual(['b', 'c', 'a', 'a']);
  });

  it('does not start cancelled work', () => {
    const work = new Work(new SharedPlaces(1));
    work.ask('a');
    const [first, second] = [work.ask('b'), work.ask('c')];
    first();
    first();
    expect(work.afterEndsOf('a')).toEqual(['c']);
    second();
    expect([work.places.waitingOf('b'), work.places.waitingOf('c')]).toEqual([0, 0]);
    expect(work.afterEndsOf('c')).toEqual([]);
    work.ask('b');
    expect(work.begun).toEqual(['b']);
  });

  it('cancels waiting work of a holder whose running work has ended', () => {
    const work = new Work(new SharedPlaces(2, 1));
    work.ask('a');
    const withdraw = work.ask('a');
    work.ask('b');
    work.ask('c');
    expect(work.afterEndsOf('a')).toEqual(['c']);
    withdraw();
    expect(work.places.waitingOf('a')).toBe(0);
    expect(work.afterEndsOf('b', 'c')).toEqual([]);
  });

  it('is idle once no place is taken', async () => {
    const places = new SharedPlaces<string>(1);
    await places.idle();
    let isIdle = false;
    const work = new Work(places);
    work.times(2, 'a');
    const idle = places.idle().then(() => {
      isIdle = true;
    });
    places.giveBack('a');
    await new Promise(setImmediate);
    expect(isIdle).toBe(false);
    places.giveBack('a');
    await idle;
  });
});
