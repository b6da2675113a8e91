import { describe, expect, it } from '@jest/globals';
import { ListCache, oncePer } from './list-cache.js';

const listOf = (name: string, characters = 2_000): string => JSON.stringify([{ name, description: 'd'.repeat(characters) }]);

function noteTwice(lists: ListCache, text: string): void {
  for (let times = 0; times < 2; times += 1) lists.note(text, JSON.parse(text));
}

describe('a list that several requests contain', () => {
  it('is recognised at any position after its second occurrence', () => {
    const lists = new ListCache();
    const text = listOf('search');
    lists.note(text, JSON.parse(text));
    expect(lists.recall(text, 0)).toBeNull();
    lists.note(text, JSON.parse(text));
    expect(lists.recall(`{"tools":${text}}`, 9)?.value).toEqual(JSON.parse(text));
  });

  it('is not confused with a list of the same length, beginning and end', () => {
    const lists = new ListCache();
    const text = JSON.stringify([{ name: 'n'.repeat(1_000), middle: 'a', end: 'e'.repeat(1_000) }]);
    const other = text.replace('"a"', '"b"');
    lists.note(text, JSON.parse(text));
    lists.note(other, JSON.parse(other));
    expect(lists.recall(text, 0)).toBeNull();
    expect(lists.recall(other, 0)?.value).toEqual(JSON.parse(other));
  });

  it('cannot be changed by a request', () => {
    const lists = new ListCache();
    const text = listOf('search');
    noteTwice(lists, text);
    const value = lists.recall(text, 0)?.value as readonly [{ name: string }] | undefined;
    expect(() => Object.assign(value?.[0] ?? {}, { name: 'other' })).toThrow(TypeError);
  });

  it('is evicted first if it is the least recently used one', () => {
    const lists = new ListCache();
    noteTwice(lists, listOf('first'));
    noteTwice(lists, listOf('second'));
    for (let index = 0; index < 31; index += 1) {
      lists.recall(listOf('first'), 0);
      noteTwice(lists, listOf(`other-${index}`));
    }
    expect(lists.recall(listOf('first'), 0)).not.toBeNull();
    expect(lists.recall(listOf('second'), 0)).toBeNull();
  });

  it('is kept only while all lists together are within the maximum number of characters', () => {
    const lists = new ListCache();
    const names = ['first', 'second', 'third', 'fourth', 'fifth'];
    for (const name of names) noteTwice(lists, listOf(name, 250_000));
    expect(names.map((name) => lists.recall(listOf(name, 250_000), 0) !== null)).toEqual([false, true, true, true, true]);
  });

  it.each([
    ['is longer than any list of tools', listOf('long', 262_200)],
    ['has more members than a request may have tools', JSON.stringify(Array.from({ length: 129 }, () => ({ name: 'search' })))],
    ['is no list', JSON.stringify({ name: 'n'.repeat(2_000) })],
  ])('is not kept when it %s', (_what, text) => {
    const lists = new ListCache();
    noteTwice(lists, text);
    expect(lists.recall(text, 0)).toBeNull();
  });

  it.each([23, 24, 25, 26])('is recognised even if a surrogate pair is %i places before its end', (places) => {
    const lists = new ListCache();
    const text = `${listOf('search').slice(0, -3)}\u{1f600}${'e'.repeat(places - 5)}"}]`;
    noteTwice(lists, text);
    expect(lists.recall(text, 0)).not.toBeNull();
  });

  it('is not kept when it is short', () => {
    const lists = new ListCache();
    noteTwice(lists, '["short"]');
    expect(lists.recall('["short"]', 0)).toBeNull();
  });
});

describe('a value that is computed once for each object', () => {
  it('is the same for the same object, and a new one for an equal object', () => {
    const doubled = oncePer(({ value }: { readonly value: number }) => ({ value: 2 * value }));
    const subject = { value: 2 };
    expect(doubled(subject)).toEqual({ value: 4 });
    expect(doubled(subject)).toBe(doubled(subject));
    expect(doubled({ value: 2 })).not.toBe(doubled(subject));
  });
});
