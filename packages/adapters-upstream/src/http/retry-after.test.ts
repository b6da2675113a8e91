import { describe, expect, it } from '@jest/globals';
import { instant } from '@tollgate/core';
import { readRetryAfter } from './retry-after.js';

const NOW = instant(Date.UTC(1994, 10, 6, 8, 49, 7));

describe('readRetryAfter', () => {
  it.each<readonly [header: string, seconds: number | null]>([
    ['37', 37], [' 37 ', 37], ['0', 1], ['1.2', 2], ['300', 300], ['301', 300], ['86400', 300],
    ['Sun, 06 Nov 1994 08:49:37 GMT', 30], ['Sunday, 06-Nov-94 08:49:37 GMT', 30], ['Sun Nov  6 08:49:37 1994', 30],
    ['Sun, 06 Nov 1994 08:49:00 GMT', 1], ['Sun, 06 Nov 2044 08:49:37 GMT', 300],
    ['', null], ['-5', null], ['soon', null], ['1e3', null], ['5 apples', null], ['Foo, 99 Bar 1994 08:49:37 GMT', null], ['9'.repeat(40), null],
  ])('parses %j as %j', (header, seconds) => {
    expect(readRetryAfter(header, NOW)).toBe(seconds);
  });
});
