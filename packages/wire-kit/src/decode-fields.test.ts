import { describe, expect, it } from '@jest/globals';
import { refusalOf } from '@tollgate/testkit';
import {
  decodeArray, decodeAttribution, decodeBody, decodeBoolean, decodeIntegerFrom, decodeListOf, decodeModelName,
  decodeNonEmptyString, decodeNumber, decodeNumberAbove, decodeNumberWithin, decodeObject, decodeOnce, decodeOneOf, type Decoder,
  decodeString, decodeStringUpTo, isPresent, optional, required,
} from './decode-fields.js';
import { decodeBase64, decodeImageUrl } from './decode-shared-fields.js';

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
    it.each(accepted.map((value) => [value]))('accepts %p unchanged', (value) => {
      expect(decode(value, null, 'field')).toEqual(value);
    });
    it.each(refused.map((value) => [value]))('refuses %p and names the field', (value) => {
      expect(refusalOf(() => decode(value, null, 'field'))).toMatchObject({ code: 'invalid_request', param: 'field' });
    });
  });

  it('one of several values returns the meaning of the value', () => {
    expect(decodeOneOf(MEANINGS)('two', null, 'field')).toBe(2);
  });

  it.each([['three'], ['constructor'], ['__proto__'], [1], [null], [{}]])('one of several values refuses %p and lists the choices', (value) => {
    expect(refusalOf(() => decodeOneOf(MEANINGS)(value, null, 'field'))?.message).toBe(`'field' must be one of 'one', 'two'.`);
  });

  it('a list names the invalid item in its refusal', () => {
    expect(refusalOf(() => decodeListOf(decodeString)(['a', 1], null, 'list'))?.param).toBe('list[1]');
  });
});

describe('fields', () => {
  it.each([[null], [[]], ['text'], [1], [undefined]])('are not read from the body %p', (body) => {
    expect(refusalOf(() => decodeBody(body))).toEqual({ code: 'invalid_request', param: null, message: 'The request body must be a JSON object.' });
  });

  it('that are missing or null are refused if required, and become null if optional', () => {
    const fields = decodeBody({ nothing: null });
    for (const name of ['nothing', 'missing']) {
      expect(refusalOf(() => required(fields, name, decodeString))).toMatchObject({ param: name, message: `'${name}' is required.` });
      expect(optional(fields, name, decodeString)).toBeNull();
      expect(isPresent(fields, name)).toBe(false);
    }
  });

  it('deep in a request are named by path', () => {
    const decodeItem: Decoder<string> = (value, within, key) =>
      required(required(decodeObject(value, within, key), 'source', decodeObject), 'url', decodeString);
    const step = () => required(decodeBody({ messages: [{ source: { url: 'a' } }, { source: { url: 1 } }] }), 'messages', decodeListOf(decodeItem));
    expect(refusalOf(step)?.param).toBe('messages[1].source.url');
  });
});

const decode = decodeOnce((value, within, key) => [...decodeArray(value, within, key)]);

describe('a value that is decoded once', () => {
  it('has the same result wherever in a request it appears', () => {
    const value = Object.freeze([1]);
    expect(decode(value, null, 'tools')).toEqual([1]);
    expect(decode(value, { within: null, key: 'a' }, 0)).toBe(decode(value, null, 'tools'));
  });

  it('is decoded again if it is not frozen, since it may have changed', () => {
    const value = [1];
    decode(value, null, 'tools');
    value.push(2);
    expect(decode(value, null, 'tools')).toEqual([1, 2]);
  });

  it.each([['an object', Object.freeze({})], ['no object', 'text'], ['null', null]])('is refused wherever it appears if it is %s, and the refusal names the field', (_what, value) => {
    for (const key of ['first', 'second']) expect(() => decode(value, null, key)).toThrow(expect.objectContaining({ param: key }));
  });
});

describe('an image URL', () => {
  it.each([
    ['https://example.com/a.png', { kind: 'url', url: 'https://example.com/a.png' }],
    ['HTTP://example.com/a.png?x=1,2', { kind: 'url', url: 'HTTP://example.com/a.png?x=1,2' }],
    ['data:image/png;base64,iVBORw0KGgo=', { kind: 'base64', mediaType: 'image/png', data: 'iVBORw0KGgo=' }],
    ['data:image/webp;charset=utf-8;base64,AA==', { kind: 'base64', mediaType: 'image/webp', data: 'AA==' }],
    ['data:;base64,AAAA', { kind: 'base64', mediaType: 'image/jpeg', data: 'AAAA' }],
    ['DATA:image/gif;BASE64,AA_-', { kind: 'base64', mediaType: 'image/gif', data: 'AA_-' }],
  ])('%s is decoded', (url, source) => {
    expect(decodeImageUrl(url, null, 'url')).toEqual(source);
  });

  it.each([
    [''], ['https://'], ['ftp://example.com/a'], ['file:///etc/passwd'], ['javascript:alert(1)'], ['a.png'], ['data:'], ['data:image/png'],
    ['data:image/png,AAAA'], ['data:image/png;base64'], ['data:image/png;base64,'], ['data:image/png;base64,A%20A'], ['data:base64,AAAA'], [7], [null],
  ])('%p is refused', (url) => {
    expect(refusalOf(() => decodeImageUrl(url, null, 'url'))).toMatchObject({ code: 'invalid_request', param: 'url' });
  });

  it('of 2 MB is accepted, and refused for an invalid last character', () => {
    const data = 'A'.repeat(2_000_000);
    expect(decodeBase64(data, null, 'data')).toBe(data);
    expect(refusalOf(() => decodeBase64(`${' '.repeat(2_000_000)}!`, null, 'data'))?.param).toBe('data');
  });
});

const decodeUser = decodeAttribution(256);

describe('an attribution', () => {
  it.each([
    ['user-1', 'user-1'],
    ['', null],
    ['a\0b', 'a\uFFFDb'],
    ['a\uD83Db', 'a\uFFFDb'],
    ['\uDE00\uD83D', '\uFFFD\uFFFD'],
    ['\u{1F600}', '\u{1F600}'],
    ['\u{1F600}'.repeat(256), '\u{1F600}'.repeat(256)],
  ])('%p is stored as %p', (text, stored) => {
    expect(decodeUser(text, null, 'user')).toBe(stored);
  });

  it('is refused above its maximum length', () => {
    expect(decodeUser('x'.repeat(256), null, 'user')).toHaveLength(256);
    expect(refusalOf(() => decodeUser('x'.repeat(257), null, 'user'))?.param).toBe('user');
  });
});

describe('a model name', () => {
  it.each([['sandbox'], ['vendor/model:7b-Q4'], ['模型']])('%s is accepted unchanged', (name) => {
    expect(decodeModelName(name, null, 'model')).toBe(name);
  });

  it.each([[''], ['a\0'], ['a\uD83D'], ['x'.repeat(257)], [1], [{}]])('%p is refused', (name) => {
    expect(refusalOf(() => decodeModelName(name, null, 'model'))?.param).toBe('model');
  });
});
