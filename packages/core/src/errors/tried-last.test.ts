import { beforeEach, describe, expect, it } from '@jest/globals';
import { TriedLast } from './tried-last.js';

describe('TriedLast', () => {
  let order: TriedLast<string>;
  let tried: string;

  beforeEach(() => {
    order = new TriedLast();
  });

  /** Tries `limit` of the items that wait. Returns the ids of those it read and of those it tried. */
  async function turn(waiting: string, limit: number, isFinal?: () => boolean): Promise<string> {
    let read = '';
    tried = '';
    const reading = async (most: number): Promise<readonly { readonly id: string }[]> => {
      read = waiting.slice(0, most);
      return Array.from(read, (id) => ({ id }));
    };
    const count = await order.tryInTurn({ limit, read: reading, idOf: ({ id }) => id }, async ({ id }) => {
      tried += id;
      if (id === 'x') throw new Error('x fails');
    }, isFinal);
    expect(count).toBe(tried.length);
    return `${read} ${tried}`;
  }

  it('tries untried items first, then the others in the order of their last attempts', async () => {
    expect([await turn('ba', 2), await turn('abcd', 2), await turn('abcd', 4)]).toEqual(['ba ba', 'abcd cd', 'abcd bacd']);
  });

  it('forgets an item that is no longer waiting', async () => {
    expect([await turn('ab', 2), await turn('bc', 2), await turn('abc', 1), await turn('abc', 3)]).toEqual(['ab ab', 'bc cb', 'abc a', 'abc cba']);
  });

  it('tries the other items although one fails, and that one last in the next turn', async () => {
    await expect(turn('xab', 2)).rejects.toThrow('x fails');
    expect([tried, await turn('xbc', 2)]).toEqual(['xa', 'xbc bc']);
  });

  it('stops at a final failure, and tries the failed item last in the next turn', async () => {
    await expect(turn('xab', 2, () => true)).rejects.toThrow('x fails');
    expect([tried, await turn('xab', 2)]).toEqual(['x', 'xab ab']);
  });
});
