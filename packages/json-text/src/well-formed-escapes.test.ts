import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { mayEscapeSurrogates, withWellFormedEscapes } from './well-formed-escapes.js';

const repaired = (text: string): string => (mayEscapeSurrogates(text) ? withWellFormedEscapes(Buffer.from(text)).toString() : text);

describe('a JSON text', () => {
  it.each([
    [String.raw`"\ud83d\ude00"`, String.raw`"\ud83d\ude00"`],
    [String.raw`"\uD83D\uDE00"`, String.raw`"\uD83D\uDE00"`],
    [String.raw`"a\ud83d"`, String.raw`"a\ufffd"`],
    [String.raw`"\ude00\ud83d"`, String.raw`"\ufffd\ufffd"`],
    [String.raw`"\ud83d\ud83d\ude00"`, String.raw`"\ufffd\ud83d\ude00"`],
    [String.raw`"\\ud83d"`, String.raw`"\\ud83d"`],
    [String.raw`"\\\ud83d"`, String.raw`"\\\ufffd"`],
    [String.raw`"\ud7ff\ue000"`, String.raw`"\ud7ff\ue000"`],
    [String.raw`"\ud8`, String.raw`"\ufffd`.slice(0, 5)],
  ])('%s becomes %s', (text, read) => {
    expect(repaired(text)).toBe(read);
  });

  it('becomes well-formed as in JavaScript, whatever its escapes', () => {
    const unit = fc.oneof(fc.constantFrom('\ud83d', '\ude00', '\\', '"', 'u', 'd', '8'), fc.string({ unit: 'grapheme' }));
    fc.assert(fc.property(fc.array(unit), (units) => {
      const text = units.join('');
      const written = JSON.stringify(text).replace(/[\u{10000}-\u{10ffff}]/gu, (character) => `\\u${character.charCodeAt(0).toString(16)}\\u${character.charCodeAt(1).toString(16)}`);
      expect(JSON.parse(repaired(written))).toBe(text.replace(/\p{Surrogate}/gu, '\u{FFFD}'));
    }));
  });

  it('without an escaped lone surrogate is returned without a copy', () => {
    const bytes = Buffer.from(String.raw`{"a":"\ud83d\ude00 \\ud83d"}`);
    expect(withWellFormedEscapes(bytes)).toBe(bytes);
  });

  it.each([['no escapes', '"ud83d"', false], ['escapes of other characters', String.raw`"\n\ue000"`, false], ['a surrogate in capitals', String.raw`"\uDE00"`, true]])('with %s is searched for escaped surrogates only if it may have them', (_, text, expected) => {
    expect(mayEscapeSurrogates(text)).toBe(expected);
  });
});
