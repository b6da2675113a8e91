import { describe, expect, it } from '@jest/globals';
import { readCredential } from './credentials.js';

describe('the key of a request', () => {
  it.each([
    ['no header', {}, null],
    ['a bearer token', { authorization: 'Bearer sk-a' }, 'sk-a'],
    ['a scheme in any letter case', { authorization: 'bEARER  sk-a ' }, 'sk-a'],
    ['the key header', { 'x-api-key': ' sk-a' }, 'sk-a'],
    ['both headers with one key', { authorization: 'Bearer sk-a', 'x-api-key': 'sk-a' }, 'sk-a'],
    ['an empty bearer token', { authorization: 'Bearer ' }, null],
    ['a bare scheme', { authorization: 'Bearer' }, null],
    ['empty headers', { authorization: '', 'x-api-key': '' }, null],
    ['an empty bearer token beside a key', { authorization: 'Bearer ', 'x-api-key': 'sk-a' }, 'sk-a'],
  ])('is read from %s', (_, headers, key) => {
    expect(readCredential(headers)).toBe(key);
  });

  it.each([
    ['another scheme', { authorization: 'Basic sk-a' }],
    ['no scheme', { authorization: 'sk-a' }],
    ['another scheme beside a key', { authorization: 'Basic eA==', 'x-api-key': 'sk-a' }],
    ['two different keys', { authorization: 'Bearer sk-a', 'x-api-key': 'sk-b' }],
  ])('is refused as invalid with %s', (_, headers) => {
    expect(() => readCredential(headers)).toThrow(expect.objectContaining({ code: 'invalid_api_key' }));
  });
});
