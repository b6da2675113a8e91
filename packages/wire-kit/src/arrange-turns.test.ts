import { describe, expect, it } from '@jest/globals';
import type { TextBlock, Turn } from '@tollgate/core';
import { arrangeTurns } from './check-request.js';

const text = (words: string): TextBlock => ({ type: 'text', text: words });
const system = (words: string): Turn => ({ role: 'system', content: [text(words)] });
const user = (words: string): Turn => ({ role: 'user', content: [text(words)] });

describe('the turns of a conversation', () => {
  it('begin after the instructions that come before the first other turn', () => {
    expect(arrangeTurns([text('top')], [system('a'), system('b'), user('hi'), system('later'), user('more')])).toEqual({
      system: [text('top'), text('a'), text('b')],
      turns: [user('hi'), system('later'), user('more')],
    });
  });

  it('are the instructions when there is nothing else', () => {
    expect(arrangeTurns([text('top')], [system('a'), system('b')])).toEqual({ system: [text('top')], turns: [system('a'), system('b')] });
  });
});
