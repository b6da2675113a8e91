import { describe, expect, it } from '@jest/globals';
import { type ContentBlock, DEFAULT_REQUEST_LIMITS, type TextBlock } from '@tollgate/core';
import { refusalOf } from '@tollgate/testkit';
import { checkMessageText } from './check-message-text.js';

const { messageCharacters: MOST } = DEFAULT_REQUEST_LIMITS;
const PLACE = { limits: DEFAULT_REQUEST_LIMITS, message: { within: { within: null, key: 'messages' }, key: 3 } };
const text = (length: number): TextBlock => ({ type: 'text', text: 'x'.repeat(length) });
const result = (...content: readonly TextBlock[]): ContentBlock => ({ type: 'tool-result', toolCallId: 'a', content, isError: false });

describe('the text of a message', () => {
  it.each<readonly [string, readonly ContentBlock[]]>([
    ['one part', [text(MOST)]],
    ['two parts', [text(MOST - 1), text(1)]],
    ['a tool result', [text(1), result(text(MOST - 1))]],
    ['characters of two code units', [{ type: 'text', text: '\u{1F600}'.repeat(MOST / 2 + 1) }]],
  ])('of %s is accepted at the limit', (_, blocks) => {
    expect(refusalOf(() => checkMessageText(blocks, PLACE))).toBeNull();
  });

  it.each<readonly [string, readonly ContentBlock[]]>([
    ['one part', [text(MOST + 1)]],
    ['two parts', [text(MOST), text(1)]],
    ['a tool result', [text(1), result(text(MOST))]],
    ['characters of two code units', [{ type: 'text', text: '\u{1F600}'.repeat(MOST + 1) }]],
  ])('of %s is rejected above the limit', (_, blocks) => {
    expect(refusalOf(() => checkMessageText(blocks, PLACE))?.param).toBe('messages[3].content');
  });

  it('has a maximum that the operator sets, and that the error states', () => {
    const place = { ...PLACE, limits: { ...DEFAULT_REQUEST_LIMITS, messageCharacters: 3 } };
    expect(refusalOf(() => checkMessageText([text(3)], place))).toBeNull();
    expect(refusalOf(() => checkMessageText([text(3), text(1)], place))?.message)
      .toBe("'messages[3].content' must have at most 3 characters of text, but has 4. The operator of this gateway can raise this limit.");
  });
});
