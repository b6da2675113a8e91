import { describe, expect, it } from '@jest/globals';
import { blocksOf, safeLink } from './markdown-blocks.js';

describe('a growing Markdown text', () => {
  it.each([
    ['paragraphs', 'one\n\ntwo', ['one\n\n', 'two']],
    ['fenced code with empty lines', 'a\n\n```js\nx\n\ny\n```\n\nb', ['a\n\n', '```js\nx\n\ny\n```\n\n', 'b']],
    ['fenced code that has not ended', '```\nx\n\ny', ['```\nx\n\ny']],
    ['a shorter fence inside a longer one', '````\n```\n\n```\n````\n\nb', ['````\n```\n\n```\n````\n\n', 'b']],
    ['nothing', '', []],
  ])('is split with %s', (_, text, blocks) => {
    expect(blocksOf(text)).toEqual(blocks);
    expect(blocksOf(text).join('')).toBe(text);
  });

  it('is split in linear time', () => {
    expect(blocksOf('`'.repeat(200_000)).length + blocksOf('a\n\n'.repeat(100_000)).length).toBe(100_001);
  });
});

it('links lead only to web and mail addresses', () => {
  for (const address of ['https://example.com', 'http://example.com/a?b', 'mailto:a@example.com']) expect(safeLink(address)).toBe(address);
  for (const address of ['javascript:alert(1)', ' javascript:alert(1)', 'data:text/html,x', '/dashboard/keys', '//example.com', 'file:///etc', '']) expect(safeLink(address)).toBeNull();
});
