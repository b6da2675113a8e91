import { describe, expect, it } from '@jest/globals';
import { refusalOf } from '@tollgate/testkit';
import { decodeArray, decodeBody, decodeListOf, decodeListUpTo, decodeObject, isPresent, optional, required } from './decode-fields.js';
import {
  decodeBoolean, decodeIntegerFrom, decodeNonEmptyString, decodeNumber, decodeNumberAbove, decodeNumberWithin, decodeOneOf, decodeString,
  decodeStringUpTo,
} from './decode-values.js';
import type { Decoder } from './decoder.js';

const MEANINGS = new Map([['one', 1], ['two', 2]]);

const CASES: readonly (readonly [string, Decoder<unknown>, accepted: readonly unknown[], refused: readonly unknown[]])[] = [
  ['a string', decodeString, ['', 'a'], [0, true, null, {}, []]],
  ['a non-empty string', decodeNonEmptyString, ['a', ' '], ['', 0, null]],
  ['a boolean', decodeBoolean, [true, false], ['true', 1, null]],
  ['a string up to 2', decodeStringUpTo(2), ['', 'ab', '\u{1F600}\u{1F600}', '\uD83D\uD83D'], ['abc', '\u{1F600}\u{1F600}\u{1F600}', 2]],
  ['a number', decodeNumber, [-1, 0.5, 1e300], ['1', null]],
  ['a number from 0 to 2', decodeNumberWithin(0, 2), [0, 2, 1.5], [-0.001, 2.001, '1', NaN, null]],
  ['a number above 0 up to 1', decodeNumberAbove(0, 1), [0.001, 1], [0, -1, 1.001, NaN, '1']],
  ['an integer from 1', decodeIntegerFrom(1), [1, Number.MAX_SAFE_INTEGER], [0, 1.5, -1, 2 ** 53, Infinity, '1']],
  ['an array', decodeArray, [[], [1]], [{}, 'a', null]],
];

describe('a decoder of', () => {
  describe.each(CASES)('%s', (_, decode, accepted, refused) => {
    it.each(accepted.map((value) => [value]))('accepts %p as it is', (value) => {
      expect(decode(value, null, 'field')).toEqual(value);
    });
    it.each(refused.map((value) => [value]))('refuses %p and names the field', (value) => {
      expect(refusalOf(() => decode(value, null, 'field'))).toMatchObject({ code: 'invalid_request', param: 'field' });
    });
  });

  it('one of several gives the meaning of the word', () => {
    expect(decodeOneOf(MEANINGS)('two', null, 'field')).toBe(2);
  });

  it.each([['three'], ['constructor'], ['__proto__'], [1], [null], [{}]])('one of several refuses %p and lists the choices', (value) => {
    expect(refusalOf(() => decodeOneOf(MEANINGS)(value, null, 'field'))?.message).toBe(`'field' must be one of 'one', 'two'.`);
  });

  it('a list names the item at fault', () => {
    expect(refusalOf(() => decodeListOf(decodeString)(['a', 1], null, 'list'))?.param).toBe('list[1]');
  });

  it('a bounded list accepts as many as its bound and is at fault as a whole beyond it', () => {
    const decode = decodeListUpTo(2, decodeString);
    expect(decode(['a', 'b'], null, 'list')).toEqual(['a', 'b']);
    expect(refusalOf(() => decode(['a', 'b', 'c'], null, 'list'))).toEqual({
      code: 'invalid_request', param: 'list', message: "'list' must have at most 2 items, but has 3.",
    });
  });
});

describe('fields', () => {
  it.each([[null], [[]], ['text'], [1], [undefined]])('are not read from the body %p', (body) => {
    expect(refusalOf(() => decodeBody(body))).toEqual({ code: 'invalid_request', param: null, message: 'The request body must be a JSON object.' });
  });

  it('that are missing or null are refused where required and null where optional', () => {
    const fields = decodeBody({ nothing: null });
    for (const name of ['nothing', 'missing']) {
      expect(refusalOf(() => required(fields, name, decodeString))).toMatchObject({ param: name, message: `'${name}' is required.` });
      expect(optional(fields, name, decodeString)).toBeNull();
      expect(isPresent(fields, name)).toBe(false);
    }
  });

  it('deep in a request are named by their path', () => {
    const decodeItem: Decoder<string> = (value, within, key) =>
      required(required(decodeObject(value, within, key), 'source', decodeObject), 'url', decodeString);
    const step = () => required(decodeBody({ messages: [{ source: { url: 'a' } }, { source: { url: 1 } }] }), 'messages', decodeListOf(decodeItem));
    expect(refusalOf(step)?.param).toBe('messages[1].source.url');
  });
});
