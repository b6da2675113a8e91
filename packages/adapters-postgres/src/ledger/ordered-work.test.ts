import { beforeEach, describe, expect, it } from '@jest/globals';
import { OrderedWork, type Work } from './ordered-work.js';

type Piece = Work & { readonly name: string };

function piece(name: string, accounts: readonly string[], differences: Partial<Work> = {}): Piece {
  return { name, accounts, reservation: `rsv_${name}`, isAlone: false, ...differences };
}

describe('OrderedWork', () => {
  let work: OrderedWork<Piece>;

  beforeEach(() => {
    work = new OrderedWork<Piece>();
  });

  function names(pieces: readonly Piece[]): string {
    return pieces.map(({ name }) => name).join(' ');
  }

  it('takes all waiting work on an account as one group, in order of arrival', () => {
    for (const name of ['1', '2', '3']) work.add(piece(name, ['a']));
    expect(names(work.take(10))).toBe('1 2 3');
    expect(work.isEmpty).toBe(true);
  });

  it('limits the size of a group, and leaves further work for later groups', () => {
    for (const name of ['1', '2', '3']) work.add(piece(name, [name]));
    expect([names(work.take(2)), names(work.take(2)), names(work.take(2))]).toEqual(['1 2', '3', '']);
  });

  it('holds back work on a busy account, and takes work on other accounts', () => {
    work.add(piece('1', ['a']));
    const first = work.take(10);
    work.add(piece('2', ['a']));
    work.add(piece('3', ['b']));
    expect(names(work.take(10))).toBe('3');
    expect(names(work.take(10))).toBe('');
    work.release(first);
    expect(names(work.take(10))).toBe('2');
  });

  it('takes at most one operation of a reservation per group, and preserves the order within an account', () => {
    work.add(piece('reserve', ['a'], { reservation: 'r' }));
    work.add(piece('settle', ['a'], { reservation: 'r' }));
    work.add(piece('after', ['a']));
    work.add(piece('beside', ['b']));
    const group = work.take(10);
    expect(names(group)).toBe('reserve beside');
    work.release(group);
    expect(names(work.take(10))).toBe('settle after');
  });

  it('takes exclusive work as a group of its own, before later work on its account', () => {
    work.add(piece('1', ['a']));
    work.add(piece('2', ['b'], { isAlone: true }));
    work.add(piece('3', ['b']));
    work.add(piece('4', ['c']));
    expect([names(work.take(10)), names(work.take(10)), names(work.take(10))]).toEqual(['1 4', '2', '']);
  });

  it('takes returned work before work that was added later', () => {
    for (const name of ['1', '2']) work.add(piece(name, ['a']));
    const group = work.take(10);
    work.add(piece('3', ['a']));
    work.putBack(group.map((each) => ({ ...each, isAlone: true })));
    work.release(group);
    const order: string[] = [];
    for (let next = work.take(10); next.length > 0; next = work.take(10)) {
      order.push(names(next));
      work.release(next);
    }
    expect(order).toEqual(['1', '2', '3']);
  });
});
