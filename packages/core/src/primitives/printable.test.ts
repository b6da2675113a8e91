import { describe, expect, it } from '@jest/globals';
import { printable, printableLines } from './printable.js';

describe('printable', () => {
  it.each([
    ['an escape sequence', '\u001b[31mred', '\\u001b[31mred'],
    ['the one-character form of an escape sequence', '\u009b2J', '\\u009b2J'],
    ['a bell, a backspace and DEL', '\u0007\b\u007f', '\\u0007\\u0008\\u007f'],
    ['a line break, with which a text would forge a line', 'alice\r\nerror: all is lost', 'alice\\u000d\\u000aerror: all is lost'],
    ['characters that reverse the direction of a text', 'user\u202etxt\u2066', 'user\\u202etxt\\u2066'],
    ['invisible characters', 'ad\u200bmin a\u00adb\ufeff\u3164', 'ad\\u200bmin a\\u00adb\\ufeff\\u3164'],
    ['the Arabic letter mark', 'a\u061cb', 'a\\u061cb'],
    ['tags, and format characters of music and shorthand, by both UTF-16 units', 'a\u{e0041}\u{1d173}\u{1bca0}', 'a\\udb40\\udc41\\ud834\\udd73\\ud82f\\udca0'],
    ['a joiner between letters that need none', 'ad\u200dmin', 'ad\\u200dmin'],
    ['line separators', 'a\u2028b\u2029c', 'a\\u2028b\\u2029c'],
  ])('writes %s as an escape', (_name, text, expected) => {
    expect(printable(text)).toBe(expected);
  });

  it('leaves printable text of any script unchanged', () => {
    const text = 'Zoë 日本語 👩‍💻 ❤\ufe0f \u0645\u06cc\u200c\u062e \u0601\u0661 \\ "quoted" a\u0301';
    expect(printable(text)).toBe(text);
  });

  it('keeps line breaks, and no other control characters, in text of several lines', () => {
    expect(printableLines('one\n\ttwo\u001b[2J\r\n')).toBe('one\n\\u0009two\\u001b[2J\\u000d\n');
  });

  it('writes JSON so that it still has the same value', () => {
    const value = { text: 'a\u009b\u202e\u{e0041}\u007fb' };
    const written = printableLines(JSON.stringify(value, null, 2));
    expect(written).toMatch(/^[\n\x20-\x7e]*$/);
    expect(JSON.parse(written)).toEqual(value);
  });
});
