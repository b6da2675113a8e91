import { describe, expect, it } from '@jest/globals';
import { isWithinDepth } from './json-depth.js';
import { parseJsonBody } from './parse-json-body.js';

function nested(levels: number): string {
  return `${'['.repeat(levels)}${']'.repeat(levels)}`;
}

describe('the depth of JSON', () => {
  it.each([
    ['flat text', '"a"', 0],
    ['brackets side by side', `[${'[],'.repeat(500)}[]]`, 2],
    ['brackets inside a string', `["${'['.repeat(500)}"]`, 1],
    ['an escaped quote before brackets', `["\\"${'['.repeat(500)}"]`, 1],
    ['an escaped backslash at the end of a string', '["\\\\", [[]]]', 3],
    ['objects and arrays', '{"a":[{"b":[]}]}', 4],
    ['an unterminated string', `["${'['.repeat(500)}`, 1],
    ['a backslash as the last byte', '["\\', 1],
  ])('is counted right for %s', (_, json, depth) => {
    expect(isWithinDepth(Buffer.from(json), depth)).toBe(true);
    expect(isWithinDepth(Buffer.from(json), depth - 1)).toBe(false);
  });
});

describe('a body', () => {
  it.each([
    ['JSON', '{"a":[1]}', { a: [1] }],
    ['JSON after a byte order mark', '\uFEFF{"a":1}', { a: 1 }],
    ['64 levels', `{"a":${nested(63)}}`, expect.anything()],
  ])('is parsed when it is %s', (_, text, value) => {
    expect(parseJsonBody(Buffer.from(text))).toEqual(value);
  });

  it.each([
    ['is empty', Buffer.alloc(0), /empty/],
    ['is cut short', Buffer.from('{"a":'), /not valid JSON/],
    ['is only white space', Buffer.from('  '), /not valid JSON/],
    ['has an invalid byte', Buffer.from([0x22, 0xff, 0x22]), /UTF-8/],
    ['has a surrogate in UTF-8', Buffer.from([0x22, 0xed, 0xa0, 0x80, 0x22]), /UTF-8/],
    ['has an overlong character', Buffer.from([0x22, 0xc0, 0xaf, 0x22]), /UTF-8/],
    ['nests 65 levels', Buffer.from(`{"a":${nested(64)}}`), /64 levels/],
    ['nests 100,000 levels', Buffer.from(nested(100_000)), /64 levels/],
    ['opens 2,000,000 levels', Buffer.from('['.repeat(2_000_000)), /64 levels/],
  ])('that %s is refused', (_, bytes, message) => {
    expect(() => parseJsonBody(bytes)).toThrow(expect.objectContaining({ code: 'invalid_request', message: expect.stringMatching(message) }));
  });

  it('never repeats what the client sent in the message', () => {
    expect(() => parseJsonBody(Buffer.from('{"secret'))).toThrow(expect.objectContaining({ message: expect.not.stringContaining('secret') }));
  });
});
