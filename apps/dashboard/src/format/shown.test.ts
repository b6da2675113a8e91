import { expect, it } from '@jest/globals';
import { shown } from './shown';

it.each([
  ['safe\u202egpj.exe', 'safe\\u202egpj.exe'], ['ad\u200bmin', 'ad\\u200bmin'], ['a\u2066b\u2069', 'a\\u2066b\\u2069'], ['a\u00adb', 'a\\u00adb'], ['a\u0000b', 'a\\u0000b'], ['a\ufeffb', 'a\\ufeffb'],
  ['ad\u200dmin', 'ad\\u200dmin'], ['a\u{e0041}b', 'a\\ue0041b'], ['\u3164', '\\u3164'], ['a\u200fb', 'a\\u200fb'],
  ['bob\u{1d173}', 'bob\\u1d173'], ['bob\u{1bca0}', 'bob\\u1bca0'], ['bob\u{13430}', 'bob\\u13430'], ['bob\u2800', 'bob\\u2800'], ['bob\ufffa', 'bob\\ufffa'],
])('%j is shown with its hidden characters', (text, expected) => {
  expect(shown(text)).toBe(expected);
});

it.each(['Grüße 你好 👋', '👩\u200d💻', '❤\ufe0f', 'two\nlines\tand a tab', 'e\u0301', ''])('%j is shown unchanged', (text) => {
  expect(shown(text)).toBe(text);
});

it.each(['\u05e9\u05dc\u05d5\u05dd', '\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645 1'])('the right-to-left text %j is enclosed in Unicode isolates', (text) => {
  expect(shown(text)).toBe(`\u2068${text}\u2069`);
  expect(shown(shown(text))).toBe(shown(text));
  expect(shown(`Rename ${shown(text)}`)).toBe(`Rename ${shown(text)}`);
});
