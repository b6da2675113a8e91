import { expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { LONGEST_KEPT_STRING, shortenStrings } from './shorten-strings.js';

const KEPT = 'k'.repeat(LONGEST_KEPT_STRING);
const LONG = `${KEPT}l`;

it.each<readonly [string, unknown, unknown]>([
  ['a long string', { a: LONG, b: 'c' }, { a: '', b: 'c' }],
  ['a long string in a list', { a: [1, LONG, [LONG, 'b']] }, { a: [1, '', ['', 'b']] }],
  ['no string of the longest kept length', { a: KEPT }, { a: KEPT }],
  ['a string of quotes and backslashes', { a: '"\\'.repeat(LONGEST_KEPT_STRING), b: '\\"' }, { a: '', b: '\\"' }],
  ['a string that is long by its escapes', { a: '\u0001'.repeat(LONGEST_KEPT_STRING / 4), b: '' }, { a: '', b: '' }],
])('shortening empties %s', (_case, value, expected) => {
  expect(JSON.parse(shortenStrings(JSON.stringify(value)))).toEqual(expected);
});

it('shortening a text after each of its pieces gives the same as shortening it once', () => {
  const string = fc.constantFrom('a', '\\', '"', LONG, `${LONG}"\\`, '\\"'.repeat(LONGEST_KEPT_STRING));
  fc.assert(fc.property(fc.dictionary(fc.string(), string), fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { maxLength: 6 }), (value, shares) => {
    const json = JSON.stringify(value);
    const cuts = shares.map((share) => Math.floor(share * json.length)).toSorted((first, second) => first - second);
    const inPieces = [...cuts, json.length].reduce((text, end, index) => shortenStrings(text + json.slice(cuts[index - 1] ?? 0, end)), '');
    expect(inPieces).toBe(shortenStrings(json));
    expect(Object.keys(JSON.parse(inPieces) as object).length).toBe(Object.keys(value).length);
  }), { numRuns: 200 });
});
