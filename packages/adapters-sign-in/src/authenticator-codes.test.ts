import { describe, expect, it } from '@jest/globals';
import { instant } from '@tollgate/core';
import { readTotpCode, type TotpCode } from '@tollgate/identity';
import { totpCodeAt } from '@tollgate/testkit';
import { AuthenticatorCodes } from './authenticator-codes.js';

const STEP = 30_000;
const codes = new AuthenticatorCodes();

describe('AuthenticatorCodes', () => {
  // RFC 6238, appendix B: the last six of the eight digits.
  it.each([[59, '287082'], [1_111_111_109, '081804'], [1_111_111_111, '050471'], [1_234_567_890, '005924'], [2_000_000_000, '279037'], [20_000_000_000, '353130']])(
    'accepts the code of RFC 6238 for the time %d s', async (seconds, code) => {
      const secret = Buffer.from('12345678901234567890', 'latin1');
      expect(await codes.stepOf(secret, code as TotpCode, instant(seconds * 1000))).toBe(Math.floor(seconds / 30));
    });

  it('issues secrets that apps can read from a URI or a text, whatever characters the names contain', async () => {
    const { secret, text, uri } = await codes.issue('Tollgate (localhost:3000)', 'alice+1@example.test');
    const parsed = new URL(uri);
    expect([parsed.protocol, parsed.host, decodeURIComponent(parsed.pathname)]).toEqual(['otpauth:', 'totp', '/Tollgate (localhost 3000):alice+1@example.test']);
    expect(Object.fromEntries(parsed.searchParams)).toEqual({ issuer: 'Tollgate (localhost 3000)', secret: text, algorithm: 'SHA1', digits: '6', period: '30' });
    expect(secret).toHaveLength(20);
    expect((await codes.issue('Tollgate', 'alice@example.test')).text).not.toBe(text);
    const at = instant(Date.UTC(2026, 10, 23));
    expect(await codes.stepOf(secret, totpCodeAt(text, at) as TotpCode, at)).toBe(at / STEP);
  });

  it('accepts codes of the previous, current and next step only', async () => {
    const { secret, text } = await codes.issue('Tollgate', 'alice@example.test');
    const at = instant(Date.UTC(2026, 10, 23));
    const steps = await Promise.all([-2, -1, 0, 1, 2].map((offset) => codes.stepOf(secret, totpCodeAt(text, instant(at + offset * STEP)) as TotpCode, at)));
    expect(steps.map((step) => (step === null ? null : step - at / STEP))).toEqual([null, -1, 0, 1, null]);
  });
});

it.each([['123456', '123456'], [' 123 456\n', '123456'], ['12345', null], ['1234567', null], ['12345a', null], ['１２３４５６', null], ['1'.repeat(100), null]])(
  'parses the one-time code %j as %j', (typed, code) => {
    expect(readTotpCode(typed)).toBe(code);
  });
