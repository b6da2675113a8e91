import { describe, expect, it } from '@jest/globals';
import { foldEmail, isMailAddress } from './mail-address.js';

describe('isMailAddress', () => {
  it.each([
    'ada@example.test', "o'brien+tag@mail.example.test", 'root@localhost', 'a@b', `${'a'.repeat(64)}@example.test`, `a@${'b'.repeat(63)}.test`, 'ada@m\u00fcnchen.example',
    `a@${`${'b'.repeat(62)}.`.repeat(4)}`.slice(0, -1),
  ])('accepts %s', (text) => {
    expect(isMailAddress(text)).toBe(true);
  });

  it.each([
    '', 'ada', '@example.test', 'ada@', 'ada@-example.test', 'ada@example-.test', 'ada@example.test.', 'ada@example..test', 'ada@.test', '.ada@example.test', 'ada.@example.test', 'a..da@example.test',
    '"ada lovelace"@example.test', 'ad\u00e4@example.test', 'a b@example.test', 'a,b@example.test', `${'a'.repeat(65)}@example.test`, `a@${'b'.repeat(64)}.test`, `a@${'b'.repeat(253)}`,
    `a@${`${'b'.repeat(61)}.`.repeat(5)}test`, 'ada@example.test\r\n', 'ada\u0000@example.test', 'a@b@example.test', 'ali\u212ae@example.test', 'ada@m\u00fcnchen.example:25', 'ada@m\u00fcnchen/x',
  ])('refuses %j', (text) => {
    expect(isMailAddress(text)).toBe(false);
  });
});

it.each(['m\u00fcnchen', '\u4f8b\u5b50', '\u0440\u043e\u0441\u0441\u0438\u044f', 'b\u00fccher-und-b\u00e4ume', '\ud55c\uad6d-1'])('foldEmail encodes the domain %s as a URL does', (label) => {
  expect(foldEmail(`ada@${label}.example`)).toBe(`ada@${new URL(`http://${label}.example`).hostname}`);
});

it('foldEmail gives all spellings of an address one form, with international domains in ASCII', () => {
  expect(['Ada@Example.TEST', 'Ada@M\u00dcNCHEN.example', 'ada@xn--mnchen-3ya.example'].map(foldEmail)).toEqual(['ada@example.test', 'ada@xn--mnchen-3ya.example', 'ada@xn--mnchen-3ya.example']);
});
