import { describe, expect, it } from '@jest/globals';
import { TriedLast } from './tried-last.js';

function ordered(order: TriedLast<string>, text: string): string {
  return order.order(Array.from(text, (id) => ({ id })), ({ id }) => id).map(({ id }) => id).join('');
}

describe('TriedLast', () => {
  it('puts items that were tried before last, the one tried longest ago first', () => {
    const order = new TriedLast<string>();
    for (const id of 'bab') order.trying(id);
    expect([ordered(order, 'abcd'), order.toRead(2)]).toEqual(['cdab', 4]);
  });

  it('forgets items that are no longer among the items', () => {
    const order = new TriedLast<string>();
    for (const id of 'ab') order.trying(id);
    expect([ordered(order, 'bc'), order.toRead(2), ordered(order, 'abc')]).toEqual(['cb', 3, 'acb']);
  });
});
