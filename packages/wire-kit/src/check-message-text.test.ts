import { describe, expect, it } from '@jest/globals';
import type { ContentBlock, TextBlock } from '@tollgate/core';
import { refusalOf } from '@tollgate/testkit';
import { checkMessageText } from './decode-shared-fields.js';
import { MAX_MESSAGE_CHARACTERS } from './decode-fields.js';

const PATH_OF_MESSAGE = { within: { within: null, key: 'messages' }, key: 3 };
const text = (length: number): TextBlock => ({ type: 'text', text: 'x'.repeat(length) });
const result = (...content: readonly TextBlock[]): ContentBlock => ({ type: 'tool-result', toolCallId: 'a', content, isError: false });

describe('the text of a message', () => {
  it.each<readonly [string, readonly ContentBlock[]]>([
    ['one part', [text(MAX_MESSAGE_CHARACTERS)]],
    ['two parts', [text(MAX_MESSAGE_CHARACTERS - 1), text(1)]],
    ['a tool result', [text(1), result(text(MAX_MESSAGE_CHARACTERS - 1))]],
    ['characters of two code units', [{ type: 'text', text: '\u{1F600}'.repeat(MAX_MESSAGE_CHARACTERS / 2 + 1) }]],
  ])('may fill its limit with %s', (_, blocks) => {
    expect(refusalOf(() => checkMessageText(blocks, PATH_OF_MESSAGE))).toBeNull();
  });

  it.each<readonly [string, readonly ContentBlock[]]>([
    ['one part', [text(MAX_MESSAGE_CHARACTERS + 1)]],
    ['two parts', [text(MAX_MESSAGE_CHARACTERS), text(1)]],
    ['a tool result', [text(1), result(text(MAX_MESSAGE_CHARACTERS))]],
    ['characters of two code units', [{ type: 'text', text: '\u{1F600}'.repeat(MAX_MESSAGE_CHARACTERS + 1) }]],
  ])('may not exceed it with %s', (_, blocks) => {
    expect(refusalOf(() => checkMessageText(blocks, PATH_OF_MESSAGE))?.param).toBe('messages[3].content');
  });
});
