import { describe, expect, it } from '@jest/globals';
import { decodeArray, decodeOnce } from './decode-fields.js';

const decode = decodeOnce((value, within, key) => [...decodeArray(value, within, key)]);

describe('a value that is decoded once', () => {
  it('gives the same result wherever it stands', () => {
    const value = Object.freeze([1]);
    expect(decode(value, null, 'tools')).toEqual([1]);
    expect(decode(value, { within: null, key: 'a' }, 0)).toBe(decode(value, null, 'tools'));
  });

  it('is decoded again when it may have changed', () => {
    const value = [1];
    decode(value, null, 'tools');
    value.push(2);
    expect(decode(value, null, 'tools')).toEqual([1, 2]);
  });

  it.each([['an object', Object.freeze({})], ['no object', 'text'], ['null', null]])('is refused each time, by where it stands, when it is %s and must not be', (_what, value) => {
    for (const key of ['first', 'second']) expect(() => decode(value, null, key)).toThrow(expect.objectContaining({ param: key }));
  });
});
