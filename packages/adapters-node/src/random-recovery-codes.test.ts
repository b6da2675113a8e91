import { describe, expect, it } from '@jest/globals';
import { readRecoveryCode, type RecoveryCode, writeRecoveryCode } from '@tollgate/identity';
import { RandomRecoveryCodes } from './random-recovery-codes.js';

const codes = new RandomRecoveryCodes();
const [ONE, OTHER] = [new Uint8Array(20).fill(1), new Uint8Array(20).fill(2)];

describe('RandomRecoveryCodes', () => {
  it('creates codes that are parsed as shown, in capitals, and without the hyphen', () => {
    const issued = Array.from({ length: 200 }, () => codes.issue());
    expect(new Set(issued).size).toBe(200);
    expect(new Set(issued.join('')).size).toBe(32);
    for (const code of issued) {
      const shown = writeRecoveryCode(code);
      expect(shown).toMatch(/^[0-9a-z]{5}-[0-9a-z]{5}$/);
      expect([shown, shown.toUpperCase(), ` ${shown.replace('-', '')} `].map(readRecoveryCode)).toEqual([code, code, code]);
    }
  });

  it('hashes the same code of two people differently, by the secret of each person', () => {
    const code = '0123456789' as RecoveryCode;
    expect(codes.hash(ONE, code)).toMatch(/^[0-9a-f]{64}$/);
    expect(new Set([codes.hash(ONE, code), codes.hash(OTHER, code), codes.hash(ONE, 'abcdefghjk' as RecoveryCode)]).size).toBe(3);
  });
});

it.each([['OIL00-00000', '0110000000'], ['abcde-fghj', null], ['abcde-fghjkm', null], ['abcdu-fghjk', null], ['', null], ['a'.repeat(1000), null]])('parses the recovery code %j as %j', (typed, code) => {
  expect(readRecoveryCode(typed)).toBe(code);
});
