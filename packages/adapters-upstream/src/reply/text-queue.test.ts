import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { TextQueue } from './text-queue.js';

describe('a text queue', () => {
  it('returns what was pushed, in order, whatever lengths are taken', () => {
    fc.assert(fc.property(fc.array(fc.tuple(fc.string({ maxLength: 5 }), fc.nat())), (steps) => {
      const queue = new TextQueue();
      let pushed = '';
      let taken = '';
      for (const [piece, length] of steps) {
        queue.push(piece);
        pushed += piece;
        const text = queue.take(length % (queue.length + 1));
        taken += text;
        expect(queue.length).toBe(pushed.length - taken.length);
      }
      expect(taken + queue.take(queue.length)).toBe(pushed);
    }));
  });
});
