import { describe, expect, it } from '@jest/globals';
import { refusalOf } from '@tollgate/testkit';
import { decodeAttribution, decodeModelName } from './decode-values.js';

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

  it('is refused beyond its limit', () => {
    expect(decodeUser('x'.repeat(256), null, 'user')).toHaveLength(256);
    expect(refusalOf(() => decodeUser('x'.repeat(257), null, 'user'))?.param).toBe('user');
  });
});

describe('a model name', () => {
  it.each([['sandbox'], ['vendor/model:7b-Q4'], ['模型']])('%s is taken as it is', (name) => {
    expect(decodeModelName(name, null, 'model')).toBe(name);
  });

  it.each([[''], ['a\0'], ['a\uD83D'], ['x'.repeat(257)], [1], [{}]])('%p is refused, since no database would store it', (name) => {
    expect(refusalOf(() => decodeModelName(name, null, 'model'))?.param).toBe('model');
  });
});
